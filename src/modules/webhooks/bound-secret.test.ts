import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openAsOwner, type OwnerDatabase } from '../../../tests/support/owner-database.ts';
import { startTestServer, type TestServer } from '../../../tests/support/server.ts';

let server: TestServer;
let database: OwnerDatabase;
let brainId: string;
beforeAll(async () => {
  server = await startTestServer();
  database = await openAsOwner(server.connectionString);
  brainId = String((await server.ok('create_brain', { name: 'Lighthouse' })).brain_id);
});
afterAll(async () => {
  await database.close();
  await server.close();
});

const body = '{"lit":true}';
const pollTimes = { timeout: 8_000, interval: 50 };

/** A connector whose signing secret is the variable with this name, and its answer to a request signed with a value. */
async function createConnector(name: string, value: string) {
  await server.ok('set_variable', { var_scope: 'org', var_name: name, value });
  const settings = { signature_scheme: 'hmac_sha256', webhook_secret_variable: name };
  const made = await server.ok('create_webhook_connector', { name, brain_id: brainId, ...settings });
  const post = async (key: string) => {
    const headers = { 'x-signature': createHmac('sha256', key).update(body).digest('hex') };
    return server.request(`/v1/webhook/${made.webhook_slug}`, { method: 'POST', body, headers });
  };
  return { id: made.connector_id, status: async (key: string) => (await post(key)).status, post };
}
const listSecrets = (id: string) =>
  database.rows('select secret_variable_id from webhook_versions where connector_id = $1 order by number', [id]);

test('a variable of the same name at a nearer tier does not become the signing secret', async () => {
  const { id, status } = await createConnector('HOOK_ONE', 'the-real-signing-secret');
  expect(await status('the-real-signing-secret')).toBe(202);
  for (const tierFields of [{ var_scope: 'person' }, { var_scope: 'brain', scope_id: brainId }])
    await server.ok('set_variable', { ...tierFields, var_name: 'HOOK_ONE', value: 'planted-signing-secret' });
  // This event follows any effect that the event of the planted variable would have had.
  await server.ok('set_variable', { var_scope: 'org', var_name: 'HOOK_ONE', value: 'renewed-signing-secret' });
  await expect.poll(() => status('renewed-signing-secret'), pollTimes).toBe(202);
  expect(await status('planted-signing-secret')).toBe(401);
  expect(await listSecrets(id)).toHaveLength(2);
});

test('an agent’s own variable is never renewed into a connector', async () => {
  const scopes = (await server.ok('list_keys')).keys.find(({ label }) => label !== '')?.scopes ?? [];
  const agentScopes = scopes.filter((scope) => !scope.startsWith('keys:'));
  const { key } = await server.ok('create_key', { label: 'Bot', scopes: agentScopes });
  const own = { var_scope: 'agent', var_name: 'HOOK_TWO' };
  await server.ok('set_variable', { ...own, value: 'first-value-of-agent' }, { key });
  const settings = { signature_scheme: 'hmac_sha256', webhook_secret_variable: 'HOOK_TWO' };
  const input = { name: 'Two', brain_id: brainId, ...settings };
  const { connector_id } = await server.ok('create_webhook_connector', input, { key });
  await server.ok('set_variable', { ...own, value: 'second-value-of-agent' }, { key });
  const renewed = await createConnector('HOOK_THREE', 'first-value-of-person');
  await server.ok('set_variable', { var_scope: 'org', var_name: 'HOOK_THREE', value: 'second-value-of-person' });
  await expect.poll(async () => (await listSecrets(renewed.id)).length, pollTimes).toBe(2);
  expect(await listSecrets(connector_id)).toHaveLength(1);
});

test('deleting the variable stops its connector with a clear error, and another variable with the name does not restart it', async () => {
  const { id, post, status } = await createConnector('HOOK_GONE', 'the-signing-secret-of-it');
  await server.ok('delete_variable', { var_scope: 'org', var_name: 'HOOK_GONE' });
  await expect.poll(() => status('the-signing-secret-of-it'), pollTimes).toBe(503);
  expect(await (await post('the-signing-secret-of-it')).text()).toContain('HOOK_GONE, which had the secret');
  await server.ok('set_variable', { var_scope: 'org', var_name: 'HOOK_GONE', value: 'another-signing-secret' });
  expect(await status('another-signing-secret')).toBe(503);
  await server.ok('update_webhook_config', { webhook_connector_id: id, webhook_secret_variable: 'HOOK_GONE' });
  await expect.poll(() => status('another-signing-secret'), pollTimes).toBe(202);
});
