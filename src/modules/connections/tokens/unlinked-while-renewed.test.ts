import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSlackEmulator, type SlackEmulator } from '#emulators/slack/index';
import { linkAccount } from '../../../../tests/support/linking.ts';
import { openAsOwner } from '../../../../tests/support/owner-database.ts';
import { startTestServer, type TestServer } from '../../../../tests/support/server.ts';

let slack: SlackEmulator;
let server: TestServer;
beforeAll(async () => {
  slack = await startSlackEmulator({ tokenRotation: true });
  slack.addUser({ name: 'ada', realName: 'Ada Lovelace' });
  server = await startTestServer({
    THALAMUS_SLACK_BASE_URL: slack.url,
    THALAMUS_SLACK_CLIENT_ID: slack.client.id,
    THALAMUS_SLACK_CLIENT_SECRET: slack.client.secret,
  });
});
afterAll(async () => {
  await server.close();
  await slack.close();
});

const buildClient = () => ({ provider: 'slack', client_id: slack.client.id, client_secret: slack.client.secret });
const link = () =>
  linkAccount(server, { provider: 'slack', source: 'slack' }, (url) => slack.approve(url, { user: 'ada' }));
const changeRow = async (statement: string) => {
  const database = await openAsOwner(server.connectionString);
  await database.rows(statement);
  await database.close();
};

test.each<[string, (connectionId: string) => Promise<unknown>]>([
  ['that is unlinked', (connection_id) => server.ok('revoke_connected_account', { connection_id })],
  [
    'whose OAuth client is removed',
    () => server.ok('remove_oauth_provider', { provider: 'slack', end_accounts: true }),
  ],
])('an account %s during its renewal is disconnected with its new tokens', async (_what, end) => {
  await server.ok('configure_oauth_provider', buildClient());
  const connection_id = await link();
  await changeRow("update connections set access_expires_at = now() - interval '1 minute'");
  const pausedRequest = slack.failures.pause({ path: '/api/oauth.v2.access' }, 'after');
  const renewing = server.call('test_connection', { connection_id });
  await pausedRequest.reached;
  await end(connection_id);
  pausedRequest.release();
  await renewing;

  const issued = slack.ledger.all({ path: '/api/oauth.v2.access' }).at(-1)?.response;
  const fresh = getToken(issued);
  expect(fresh).toMatch(/^xoxe\./);
  await expect.poll(async () => (await callAuthTest(fresh))['ok']).toBe(false);
});

test('an account is disconnected although the secret of its client can no longer be decrypted', async () => {
  await server.ok('configure_oauth_provider', buildClient());
  const connection_id = await link();
  await changeRow("update provider_configs set client_secret = left(client_secret, -8) || 'AAAAAAA='");
  expect(await server.call('revoke_connected_account', { connection_id })).toMatchObject({ status: 200 });
});

function getToken(answer: unknown): string {
  const { access_token, authed_user } = answer as { access_token?: string; authed_user?: { access_token?: string } };
  return authed_user?.access_token ?? access_token ?? '';
}

async function callAuthTest(token: string): Promise<Record<string, unknown>> {
  const response = await fetch(`${slack.url}/api/auth.test`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
  });
  return (await response.json()) as Record<string, unknown>; // Slack returns objects
}
