// No operation reads at a provider without asking the policy, under the rules of the key that calls.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { linkGoogle, signIn, startServerWithGoogle, type Browser } from '../support/google.ts';
import type { TestServer } from '../support/server.ts';
import { startSync } from '../support/syncs.ts';

let server: TestServer;
let owner: Browser;
let close: () => Promise<void>;
let connection_id: string;
let sync_id: string;
let googleRequests: () => number;

beforeAll(async () => {
  const started = await startServerWithGoogle();
  ({ server, close } = started);
  started.google.addAccount({ email: 'ada@example.com', name: 'Ada' });
  googleRequests = () => started.google.ledger.all().length;
  owner = await signIn(server);
  ({ connectionId: connection_id } = await linkGoogle(server, started.google, { browser: owner }));
  ({ sync_id } = await startSync(server, { source: 'gmail' }));
});
afterAll(async () => {
  await close();
});

const listCalls = (): [string, object][] => [
  ['test_connection', { connection_id }],
  ['run_sync', { sync_id }],
  ['fetch_from_integration', { source: 'gmail', input: { query: 'in:inbox' } }],
  ['sync_integration', { source: 'gmail' }],
];

test('what a rule of the key blocks it neither reads, syncs nor tests, and nothing is asked at the provider', async () => {
  const scopes = ['connections:read', 'integrations:fetch', 'syncs:write', 'brains:read'];
  const rules = [{ effect: 'block', actions: ['read'] }];
  const { key } = await server.ok('create_key', { label: 'No mail', rules, scopes });
  const before = googleRequests();
  for (const [operation, input] of listCalls()) {
    const { body } = await server.call(operation, input, { key: String(key) });
    expect(body, operation).toMatchObject({
      code: 'forbidden',
      detail: expect.stringContaining('does not let you read'),
    });
  }
  expect(googleRequests()).toBe(before);
});

test('an account of several sources is tested as long as one of them may be read', async () => {
  const rules = [{ effect: 'block', actions: ['read'], sources: ['gmail'] }];
  const { key } = await server.ok('create_key', { label: 'Calendar', rules, scopes: ['connections:read'] });
  expect((await server.call('test_connection', { connection_id }, { key: String(key) })).body).toMatchObject({
    ok: true,
  });
  expect(await owner.ok('test_connection', { connection_id })).toMatchObject({ ok: true });
});
