// Many server processes, one expired access, and a provider that ends a grant whose refresh token is used twice.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { startRotatingOAuth, type RotatingOAuth } from '#emulators/rotating-oauth/index';
import { signIn } from '../support/google.ts';
import { openAsOwner, type OwnerDatabase } from '../support/owner-database.ts';
import { isDeep } from '../support/depth.ts';
import { createTestDatabase } from '../support/postgres.ts';
import { startServerProcess, type ServerProcess } from '../support/server-process.ts';
import { endLeases } from '../support/time-passes.ts';

const key = `cm_${'refreshkey'.repeat(4)}`;
const callback = 'http://localhost:4747/api/oauth/callback';
const [processes, callsEach] = isDeep ? [8, 200] : [2, 50];
/** Long enough for processes that have to wait for their turn on a small machine. */
const leaseSeconds = 15;

let oauth: RotatingOAuth;
let servers: ServerProcess[];
let settings: Record<string, string>;
let database: OwnerDatabase;
let dropDatabase: () => Promise<void>;
let ada: string;
let bob: string;

beforeAll(async () => {
  oauth = await startRotatingOAuth(callback);
  const created = await createTestDatabase();
  dropDatabase = created.drop;
  settings = {
    NODE_ENV: 'test',
    DATABASE_URL: created.connectionString,
    THALAMUS_DATABASE_POOL: '4',
    THALAMUS_MASTER_KEY: Buffer.alloc(32, 5).toString('base64'),
    THALAMUS_PUBLIC_URL: 'http://localhost:4747',
    THALAMUS_GOOGLE_BASE_URL: oauth.url,
    THALAMUS_GOOGLE_CLIENT_ID: oauth.client.id,
    THALAMUS_GOOGLE_CLIENT_SECRET: oauth.client.secret,
    THALAMUS_REFRESH_LEASE_SECONDS: String(leaseSeconds),
  };
  const first = await startServerProcess(settings, key);
  const others = Array.from({ length: processes - 1 }, () => startServerProcess(settings, key));
  servers = [first, ...(await Promise.all(others))];
  database = await openAsOwner(created.connectionString);
}, 120_000);

afterAll(async () => {
  await database.close();
  await Promise.all(servers.map((server) => server.stop()));
  await oauth.close();
  await dropDatabase();
}, 60_000);

beforeEach(async () => {
  [ada, bob] = [await link('ada'), await link('bob')];
  Object.assign(oauth.counts, { refreshes: 0, refreshed: 0, revokedFamilies: 0 });
  await database.rows('update connections set access_expires_at = now()');
});

/**
 * Kills the first process without warning, and starts another one when the test ends. Its lease ends now; in the deep run
 * when it would.
 */
async function kill(): Promise<void> {
  const [victim] = servers as [ServerProcess];
  await victim.kill();
  if (!isDeep) await endLeases(settings['DATABASE_URL'] ?? '');
  onTestFinished(async () => {
    servers[0] = await startServerProcess(settings, key);
  }, 60_000);
}

async function link(login: string): Promise<string> {
  const [server] = servers as [ServerProcess];
  const browser = await signIn(server);
  const { authorization_url } = await browser.ok('start_oauth', { provider: 'google', source: 'google' });
  const { code, state } = await oauth.approve(String(authorization_url), login);
  return String((await browser.ok('finish_oauth', { code, state }))['connection_id']);
}

const readStatus = async (id: string) =>
  (await database.rows('select status from connections where id = $1', [id]))[0]?.['status'];

/** Calls of one process, all at once; each reads the account at the provider with a valid access. */
function callAll(server: ServerProcess, count: number, connection_id = ada) {
  return Promise.all(Array.from({ length: count }, () => server.call('test_connection', { connection_id })));
}

test(
  'many calls of many processes on one expired access token cause one refresh, and no call fails',
  { timeout: 120_000 },
  async () => {
    const answers = (await Promise.all(servers.map((server) => callAll(server, callsEach)))).flat();
    const failed = answers.filter(({ body }) => body['ok'] !== true);
    expect(failed.map(({ body }) => body['message'] ?? body['detail'])).toEqual([]);
    expect(answers).toHaveLength(processes * callsEach);
    expect(oauth.counts).toEqual({ refreshes: 1, refreshed: 1, revokedFamilies: 0 });
  },
);

test(
  'a process killed before its refresh leaves harms nobody: another process refreshes when the lease has ended',
  { timeout: 120_000 },
  async () => {
    const [victim, ...survivors] = servers as [ServerProcess, ...ServerProcess[]];
    const pausedRequest = oauth.pause('before');
    const lost = victim.call('test_connection', { connection_id: ada }).catch(() => null);
    await pausedRequest.reached;
    const waiting = survivors.map((server) => callAll(server, 20));
    await kill();
    await sleep(200);
    pausedRequest.release();
    await lost;
    const answers = (await Promise.all(waiting)).flat();
    expect(answers.filter(({ body }) => body['ok'] !== true).map(({ body }) => body['message'])).toEqual([]);
    expect(oauth.counts).toEqual({ refreshes: 1, refreshed: 1, revokedFamilies: 0 });
    expect(await readStatus(ada)).toBe('active');
    expect(await readStatus(bob)).toBe('active');
  },
);

test(
  'a process killed after its refresh was carried out leaves that account, and no other, to be linked again within the lease',
  { timeout: 120_000 },
  async () => {
    const [victim, ...survivors] = servers as [ServerProcess, ...ServerProcess[]];
    const pausedRequest = oauth.pause('after');
    const lost = victim.call('test_connection', { connection_id: ada }).catch(() => null);
    await pausedRequest.reached;
    await kill();
    const killedAt = performance.now();
    pausedRequest.release();
    await lost;
    const answers = (await Promise.all(survivors.map((server) => callAll(server, 20)))).flat();
    const seconds = (performance.now() - killedAt) / 1000;
    expect(await readStatus(ada)).toBe('reconnect_needed');
    expect(seconds, 'nobody waits for a second lease').toBeLessThan(2 * leaseSeconds);
    expect(new Set(answers.map(({ body }) => body['ok']))).toEqual(new Set([false]));
    expect(answers[0]?.body['message']).toMatch(/Link the account again/);
    expect(oauth.counts).toMatchObject({ refreshed: 1, revokedFamilies: 1 });

    expect(await readStatus(bob)).toBe('active');
    const others = (await Promise.all(survivors.map((server) => callAll(server, 5, bob)))).flat();
    expect(others.every(({ body }) => body['ok'] === true)).toBe(true);
    expect(oauth.counts.refreshed).toBe(2);
  },
);
