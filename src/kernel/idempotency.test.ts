import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../tests/support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

test('a secret that is shown once is never stored for a repeated request', async () => {
  const headers = { 'idempotency-key': 'once' };
  const { status, body } = await server.call('create_key', { label: 'twice' }, { headers });
  expect({ status, code: body['code'] }).toEqual({ status: 422, code: 'invalid_input' });
  expect((await server.ok('list_keys'))['keys']).toHaveLength(1);
});
