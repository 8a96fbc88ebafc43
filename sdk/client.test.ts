import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../tests/support/server.ts';
import { CallError, createClient } from './index.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

test('the client calls operations with their own types, and a repeated key returns the same answer', async () => {
  const { call } = createClient({ url: `${server.url}/`, key: server.key });
  const content = 'The ferry leaves at nine.';
  const options = { idempotencyKey: 'once' };
  const { id } = await call('add_memory', { content }, options);
  expect((await call('add_memory', { content }, options)).id).toBe(id);
  const { memories } = await call('search_memory', { q: 'ferry' });
  expect(memories.map((memory) => memory.content)).toEqual([content]);
  expect((await call('list_brains')).brains).toHaveLength(1);
});

test('an error of the server has its code, message and details', async () => {
  const { call } = createClient({ url: server.url, key: server.key });
  const refused = await call('get_memory', { id: 'none' }).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(CallError);
  expect(refused).toMatchObject({
    status: 422,
    code: 'invalid_input',
    message: expect.stringContaining('must be an id'),
    details: { issues: [expect.objectContaining({ path: 'id' })] },
  });
});

test('an answer that is not the server’s own is reported by its status', async () => {
  const fetch = async () => new Response('<html>Bad gateway</html>', { status: 502 });
  const { call } = createClient({ url: server.url, key: server.key, fetch });
  await expect(call('who_am_i')).rejects.toMatchObject({ status: 502, code: '502' });
});
