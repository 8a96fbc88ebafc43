import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSmallService, type SmallService } from '../../../../tests/support/small-service.ts';
import { startTestServer, type TestServer } from '../../../../tests/support/server.ts';

let web: SmallService;
let server: TestServer;

beforeAll(async () => {
  web = await startSmallService(({ headers, path, method }) => ({
    body: { host: headers['x-forwarded-host'], path, method, key: headers['x-key'] ?? null },
  }));
  server = await startTestServer({ THALAMUS_WEB_BASE_URL: web.url });
});
afterAll(async () => {
  await server.close();
  await web.close();
});

test('http_fetch asks the stand-in for the web, and rules and secrets know the real host', async () => {
  const variable = { var_scope: 'person', var_name: 'KEY', value: 'canary-web-1', hosts: ['api.example.com'] };
  const { handle } = await server.ok('set_variable', variable);
  const read = await server.ok('http_fetch', { url: 'https://api.example.com/v1?a=1', headers: { 'x-key': handle } });
  expect(read.json).toMatchObject({ host: 'api.example.com', path: '/v1?a=1' });
  expect(web.asked[0]?.headers['x-key']).toBe('canary-web-1');
  const elsewhere = { url: 'https://other.example.com/', headers: { 'x-key': handle } };
  expect((await server.call('http_fetch', elsewhere)).body['detail']).toContain('other.example.com');
  const { version } = await server.ok('get_policy');
  const rules = [
    { effect: 'block', sources: ['http'], account: 'blocked.example.com' },
    { effect: 'require_approval', risks: ['destructive'] },
  ];
  await server.ok('set_policy', { version, rules });
  expect((await server.call('http_fetch', { url: 'https://blocked.example.com/' })).status).toBe(403);
  expect(web.asked).toHaveLength(1);
});

test('a request that was drafted is sent to the stand-in once it is confirmed', async () => {
  web.asked.splice(0);
  const drafted = await server.ok('http_fetch', { url: 'https://api.example.com/notes', method: 'POST', body: '{}' });
  const { status, result } = await server.ok('confirm_action', { draft_id: String(drafted.draft_id) });
  expect([status, result]).toMatchObject(['confirmed', { json: { host: 'api.example.com', method: 'POST' } }]);
  expect(web.asked.map(({ path }) => path)).toEqual(['/notes']);
});
