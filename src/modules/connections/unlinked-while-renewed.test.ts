import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSlackEmulator, type SlackEmulator } from '../../../tests/emulators/slack/index.ts';
import { linkAccount } from '../../../tests/support/linking.ts';
import { openAsOwner } from '../../../tests/support/owner-database.ts';
import { startTestServer, type TestServer } from '../../../tests/support/server.ts';

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

test('an account that is unlinked while it is renewed is ended with the tokens it was renewed to', async () => {
  const connection_id = await linkAccount(server, { provider: 'slack', source: 'slack' }, (url) =>
    slack.approve(url, { user: 'ada' }),
  );
  const database = await openAsOwner(server.connectionString);
  await database.rows("update connections set access_expires_at = now() - interval '1 minute'");
  await database.close();
  const hold = slack.failures.hold({ path: '/api/oauth.v2.access' }, 'after');
  const renewing = server.call('test_connection', { connection_id });
  await hold.reached;
  await server.ok('revoke_connected_account', { connection_id });
  hold.release();
  await renewing;

  const issued = slack.ledger.all({ path: '/api/oauth.v2.access' }).at(-1)?.response;
  const fresh = tokenIn(issued);
  expect(fresh).toMatch(/^xoxe\./);
  await expect.poll(async () => (await authTest(fresh))['ok']).toBe(false);
});

function tokenIn(answer: unknown): string {
  const { access_token, authed_user } = answer as { access_token?: string; authed_user?: { access_token?: string } };
  return authed_user?.access_token ?? access_token ?? '';
}

async function authTest(token: string): Promise<Record<string, unknown>> {
  const response = await fetch(`${slack.url}/api/auth.test`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
  });
  return (await response.json()) as Record<string, unknown>; // Slack answers objects
}
