import { randomBytes } from 'node:crypto';
import { createLog } from '#platform/log';
import { afterEach, expect, test } from 'vitest';
import { readConfig } from '../../src/configuration.ts';
import { rotateMasterKey, startServer } from '../../src/server.ts';
import { startGoogleEmulator, type GoogleEmulator } from '#emulators/google/index';
import { linkGoogle } from '../support/google.ts';
import { openAsOwner } from '../support/owner-database.ts';
import { createTestDatabase } from '../support/postgres.ts';
import { reachServer, type ReachedServer } from '../support/server.ts';
import { findFreePort } from '../support/free-port.ts';

const opened: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0).toReversed()) await each.close();
});

const ownerKey = `cm_${'atrest'.repeat(7)}`;
const createRoot = () => randomBytes(32).toString('base64');

async function createDatabase(): Promise<string> {
  const { connectionString, drop } = await createTestDatabase();
  opened.push({ close: drop });
  return connectionString;
}

async function startGoogle(): Promise<GoogleEmulator> {
  const google = await startGoogleEmulator();
  opened.push(google);
  google.addAccount({ email: 'ada@example.com', name: 'Ada' });
  return google;
}

function readSettings(connectionString: string, google: GoogleEmulator, roots: Record<string, string>, port = 0) {
  return readConfig({
    NODE_ENV: 'test',
    PORT: String(port),
    DATABASE_URL: connectionString,
    THALAMUS_BOOTSTRAP_KEY: ownerKey,
    THALAMUS_GOOGLE_BASE_URL: google.url,
    ...roots,
  });
}

/** Runs work against a server with these root keys, which is stopped afterwards; errors stay out of the output. */
async function withServer<T>(
  connectionString: string,
  google: GoogleEmulator,
  roots: Record<string, string>,
  work: (server: ReachedServer) => Promise<T>,
): Promise<T> {
  const port = await findFreePort();
  const server = await startServer(readSettings(connectionString, google, roots, port), createLog('silent'));
  try {
    return await work(reachServer(`http://127.0.0.1:${port}`, ownerKey));
  } finally {
    await server.close();
  }
}

/** Sets the workspace's own client and links an account with it. */
async function configureAndLink(server: ReachedServer, google: GoogleEmulator): Promise<void> {
  const { id: client_id, secret: client_secret } = google.client;
  await server.ok('configure_oauth_provider', { provider: 'google', client_id, client_secret });
  await linkGoogle(server, google);
}

/** Reading through the linked account needs both the client's secret and the account's tokens. */
const read = (server: ReachedServer) =>
  server.call('fetch_from_integration', { source: 'gmail', input: { query: 'budget' } });

/** What went to Google's token endpoint and came from it: codes, verifiers, access and refresh tokens. */
function listExchangedSecrets(google: GoogleEmulator): string[] {
  const exchanges = google.ledger.all().filter(({ path }) => path === '/token');
  const fields = exchanges.flatMap(({ body, response }) =>
    Object.entries({ ...(body as object), ...(response as object) }),
  );
  const secret = ['code', 'code_verifier', 'access_token', 'refresh_token'];
  const values = fields.filter(([name]) => secret.includes(name)).map(([, value]) => String(value));
  expect(new Set(values).size).toBeGreaterThan(9);
  return values;
}

test('no secret is in any table, whatever the callers did with it', async () => {
  const [connectionString, google] = [await createDatabase(), await startGoogle()];
  const database = await openAsOwner(connectionString);
  opened.push(database);
  const secrets = await withServer(connectionString, google, { THALAMUS_MASTER_KEY: createRoot() }, async (server) => {
    await configureAndLink(server, google);
    const { authorization_url } = await (
      await linkGoogle(server, google)
    ).browser.ok('start_oauth', { provider: 'google', source: 'gmail' });
    expect((await read(server)).status).toBe(200);
    const { key } = await server.ok('create_key', { label: 'Agent' });
    const { url } = await server.ok('create_sign_in_link');
    const revoked = await server.ok('list_integrations');
    const [account] = (revoked['integrations'] as { accounts: { connection_id: string }[] }[])[0]?.accounts ?? [];
    const before = await database.dump();
    await server.call('revoke_connected_account', account, { headers: { 'idempotency-key': 'unlinked' } });
    return {
      before,
      values: [
        google.client.secret,
        ownerKey,
        String(key),
        new URL(String(url)).hash.slice(1),
        new URL(String(authorization_url)).searchParams.get('state') ?? '',
        ...listExchangedSecrets(google),
      ],
    };
  });
  const dumps = `${secrets.before}\n${await database.dump()}`;
  expect(dumps).toContain('ada@example.com');
  expect(dumps).toMatch(/connections: .*local:v1:/);
  for (const secret of secrets.values) {
    expect(secret.length).toBeGreaterThan(20);
    expect(dumps).not.toContain(secret);
    expect(dumps).not.toContain(Buffer.from(secret).toString('base64').slice(0, -4));
    expect(dumps).not.toContain(Buffer.from(secret).toString('hex'));
  }
});

test('after a rotation the new root key opens everything, and the old one nothing', async () => {
  const [connectionString, google] = [await createDatabase(), await startGoogle()];
  const [old, current] = [createRoot(), createRoot()];
  const rotating = { THALAMUS_MASTER_KEY: current, THALAMUS_MASTER_KEY_PREVIOUS: old };
  await withServer(connectionString, google, { THALAMUS_MASTER_KEY: old }, (server) =>
    configureAndLink(server, google),
  );
  const log = createLog('silent');
  await withServer(connectionString, google, rotating, async (server) => {
    expect((await read(server)).status).toBe(200);
    expect(await rotateMasterKey(readSettings(connectionString, google, rotating), log)).toEqual({
      workspaces: 1,
      rewrapped: 1,
    });
    expect(await rotateMasterKey(readSettings(connectionString, google, rotating), log)).toEqual({
      workspaces: 1,
      rewrapped: 0,
    });
    expect((await read(server)).status).toBe(200);
  });
  const withNew = await withServer(connectionString, google, { THALAMUS_MASTER_KEY: current }, read);
  expect(withNew.status).toBe(200);
  const withOld = withServer(connectionString, google, { THALAMUS_MASTER_KEY: old }, read);
  await expect(withOld).rejects.toThrow(/sealed with another master key/);
});
