// The small form of tests/crash/refresh.test.ts: two servers over one database, and a provider that ends a grant whose
// refresh token is used twice.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createLog } from '#platform/log';
import { startRotatingOAuth, type RotatingOAuth } from '#emulators/rotating-oauth/index';
import { readConfig } from '../../src/configuration.ts';
import { signIn, type Browser } from '../support/google.ts';
import { openAsOwner, type OwnerDatabase } from '../support/owner-database.ts';
import { createTestDatabase } from '../support/postgres.ts';
import { reachServer, type ReachedServer } from '../support/server.ts';
import { findFreePort } from '../support/free-port.ts';
import { startServer } from '../../src/server.ts';

const key = `cm_${'refreshing'.repeat(4)}`;
const callback = 'http://localhost:4747/api/oauth/callback';

let oauth: RotatingOAuth;
let servers: (ReachedServer & { close(): Promise<void> })[];
let browser: Browser;
let database: OwnerDatabase;
let dropDatabase: () => Promise<void>;
let connection_id: string;

beforeAll(async () => {
  oauth = await startRotatingOAuth(callback);
  const created = await createTestDatabase();
  dropDatabase = created.drop;
  const start = async () => {
    const port = await findFreePort();
    const config = readConfig({
      NODE_ENV: 'test',
      PORT: String(port),
      DATABASE_URL: created.connectionString,
      THALAMUS_BOOTSTRAP_KEY: key,
      THALAMUS_MASTER_KEY: Buffer.alloc(32, 5).toString('base64'),
      THALAMUS_LOG_LEVEL: 'error',
      THALAMUS_PUBLIC_URL: 'http://localhost:4747',
      THALAMUS_GOOGLE_BASE_URL: oauth.url,
      THALAMUS_GOOGLE_CLIENT_ID: oauth.client.id,
      THALAMUS_GOOGLE_CLIENT_SECRET: oauth.client.secret,
      THALAMUS_REFRESH_LEASE_SECONDS: '2',
    });
    const { close } = await startServer(config, createLog('error'));
    return { ...reachServer(`http://127.0.0.1:${port}`, key), close };
  };
  servers = [await start(), await start()];
  database = await openAsOwner(created.connectionString);
  browser = await signIn(servers[0]!); // made just above
});
afterAll(async () => {
  await database.close();
  for (const server of servers) await server.close();
  await oauth.close();
  await dropDatabase();
});
beforeEach(async () => {
  const { authorization_url } = await browser.ok('start_oauth', { provider: 'google', source: 'google' });
  const back = await oauth.approve(String(authorization_url), 'ada');
  connection_id = String((await browser.ok('finish_oauth', back))['connection_id']);
  Object.assign(oauth.counts, { refreshes: 0, refreshed: 0, revokedFamilies: 0 });
  await database.rows('update connections set access_expires_at = now()');
});

const callAll = (count: number) =>
  Promise.all(
    servers.flatMap((server) => Array.from({ length: count }, () => server.ok('test_connection', { connection_id }))),
  );

test('two servers with forty calls each on an expired access token refresh once', async () => {
  const answers = await callAll(40);
  expect(answers.filter(({ ok }) => !ok)).toEqual([]);
  expect(oauth.counts).toEqual({ refreshes: 1, refreshed: 1, revokedFamilies: 0 });
});

test('a lease that its holder never ends is awaited and taken over, and the returned token is the rotated one', async () => {
  await database.rows(
    `update connections set lease_token = lease_token + 1, lease_until = clock_timestamp() + interval '1 second'`,
  );
  const startedAt = performance.now();
  expect((await callAll(5)).filter(({ ok }) => !ok)).toEqual([]);
  expect(performance.now() - startedAt).toBeGreaterThan(900);
  await database.rows('update connections set access_expires_at = now()');
  expect((await callAll(5)).filter(({ ok }) => !ok)).toEqual([]);
  expect(oauth.counts).toEqual({ refreshes: 2, refreshed: 2, revokedFamilies: 0 });
});

test('a lost answer to a refresh ends this account only, and the error says what to do', async () => {
  const pausedRequest = oauth.pause('after');
  const [first] = servers;
  // The request takes longer than a third of the lease, and is given up.
  const given = await first?.ok('test_connection', { connection_id });
  expect(given).toMatchObject({ ok: false, diagnostics: { errorCategory: 'timeout' } });
  pausedRequest.release();
  await database.rows('update connections set retry_at = null');
  expect((await callAll(1)).map(({ ok }) => ok)).toEqual([false, false]);
  const { status, status_reason } = (await first?.ok('get_connection', { connection_id })) ?? {};
  expect([status, status_reason]).toEqual(['reconnect_needed', expect.stringContaining('Link the account again')]);
  expect(oauth.counts.revokedFamilies).toBe(1);
});
