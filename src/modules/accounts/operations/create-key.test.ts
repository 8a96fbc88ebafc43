import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../../../tests/support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

test('a key of one brain cannot make a key with a higher home brain', async () => {
  const { brain_id: parent_brain_id } = await server.ok('create_brain', { name: 'Above' });
  const { brain_id } = await server.ok('create_brain', { name: 'Below', parent_brain_id });
  const scopes = ['keys:write', 'memory:write'];
  const { key } = await server.ok('create_key', { label: 'Low', reach: 'brain', home_brain_id: brain_id, scopes });
  const up = await server.call('create_key', { label: 'Up', home_brain_id: parent_brain_id, scopes }, { key });
  expect(up).toMatchObject({ status: 403 });
  expect((await server.call('create_key', { label: 'Same', home_brain_id: brain_id, scopes }, { key })).status).toBe(
    200,
  );
});
