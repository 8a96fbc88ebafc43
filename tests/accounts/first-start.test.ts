import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { createLog } from '#platform/log';
import { afterEach, describe, expect, test } from 'vitest';
import { readConfig } from '../../src/configuration.ts';
import { startServer, type Server } from '../../src/server.ts';
import { buildSessionHeaders, readSession } from '../support/google.ts';
import { openAsOwner } from '../support/owner-database.ts';
import { createTestDatabase } from '../support/postgres.ts';
import { reachServer } from '../support/server.ts';
import { findFreePort } from '../support/free-port.ts';

type Database = Awaited<ReturnType<typeof createTestDatabase>>;
type StartedServer = Server & { address: string };

const masterKey = Buffer.alloc(32, 7).toString('base64');
const opened: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0).toReversed()) await each.close();
});

async function createDatabase(template?: string): Promise<Database> {
  const database = await createTestDatabase(template);
  opened.push({ close: () => database.drop() });
  return database;
}

async function start(database: Database, settings: Record<string, string> = {}): Promise<StartedServer> {
  const port = await findFreePort();
  const config = readConfig({
    NODE_ENV: 'test',
    PORT: String(port),
    DATABASE_URL: database.connectionString,
    THALAMUS_MASTER_KEY: masterKey,
    ...settings,
  });
  const server = await startServer(config, createLog('error'));
  opened.push(server);
  return { ...server, address: `http://127.0.0.1:${port}` };
}

async function countRows(database: Database): Promise<Record<string, unknown>> {
  const owner = await openAsOwner(database.connectionString);
  const [row] = await owner.rows(`
    select (select count(*)::int from workspaces) as workspaces, (select count(*)::int from people) as people,
      (select count(*)::int from brains) as brains, (select count(*)::int from keys) as keys`);
  await owner.close();
  return row ?? {};
}

const bootstrapKey = (letter: string) => `cm_${letter.repeat(40)}`;

describe('the first start', () => {
  test('makes a workspace, its owner, a brain, a key and a link, and shows key and link once', async () => {
    const database = await createDatabase();
    const first = await start(database);
    const { key, signIn } = first.welcome ?? {};
    expect(key).toMatch(/^cm_[\w-]{43}$/);
    expect(signIn?.url).toMatch(/^http:\/\/localhost:\d+\/sign-in#tl_[\w-]{43}$/);
    expect(await reachServer(first.address, String(key)).ok('who_am_i')).toMatchObject({
      person: { role: 'owner' },
      caller: { is_human_surface: false },
    });
    const second = await start(database);
    expect(second.welcome).toBeNull();
    expect(await countRows(database)).toEqual({ workspaces: 1, people: 1, brains: 1, keys: 1 });
  });

  test('that finds its port in use makes nothing, and the next start shows the key', async () => {
    const database = await createDatabase();
    const { address } = await start(await createDatabase());
    const port = Number(new URL(address).port);
    await expect(start(database, { PORT: String(port) })).rejects.toThrow(
      `Port ${port} is in use. Stop the program that uses it, or choose another port: PORT=${port + 1} npm start`,
    );
    expect(await countRows(database)).toEqual({ workspaces: 0, people: 0, brains: 0, keys: 0 });
    expect((await start(database)).welcome).toMatchObject({ key: expect.stringMatching(/^cm_/) });
  });

  test('makes a link whose session is a person’s', async () => {
    const { welcome, address } = await start(await createDatabase());
    const body = JSON.stringify({ token: new URL(String(welcome?.signIn.url)).hash.slice(1) });
    const response = await fetch(`${address}/auth/sign-in`, {
      method: 'POST',
      headers: { origin: address, 'content-type': 'application/json' },
      body,
    });
    const headers = buildSessionHeaders(await readSession(response));
    const me = await (await fetch(`${address}/v1/me`, { headers })).json();
    expect(me).toMatchObject({ caller: { kind: 'session', is_human_surface: true } });
  });

  test('of several processes at once, on an empty database, makes one workspace', async () => {
    const database = await createDatabase('template0');
    const letters = ['a', 'b', 'c'];
    const servers = await Promise.all(
      letters.map((letter) => start(database, { THALAMUS_BOOTSTRAP_KEY: bootstrapKey(letter) })),
    );
    expect(servers.filter(({ welcome }) => welcome !== null)).toHaveLength(1);
    expect(await countRows(database)).toEqual({ workspaces: 1, people: 1, brains: 1, keys: 3 });
    for (const [position, letter] of letters.entries()) {
      const { address } = servers[(position + 1) % servers.length] ?? { address: '' };
      expect((await reachServer(address, bootstrapKey(letter)).call('who_am_i')).status).toBe(200);
    }
  });
});

describe('a bootstrap key', () => {
  test('set at the first start is the owner’s, and is not shown', async () => {
    const { welcome, address } = await start(await createDatabase(), { THALAMUS_BOOTSTRAP_KEY: bootstrapKey('a') });
    expect(welcome).toMatchObject({ key: null, signIn: { url: expect.any(String) } });
    expect((await reachServer(address, bootstrapKey('a')).call('who_am_i')).status).toBe(200);
  });

  test('added later works, stays revoked once revoked, and leaves the first key working', async () => {
    const database = await createDatabase();
    const { welcome } = await start(database);
    const later = await start(database, { THALAMUS_BOOTSTRAP_KEY: bootstrapKey('b') });
    const server = reachServer(later.address, bootstrapKey('b'));
    const { keys } = await server.ok('list_keys');
    expect(keys).toHaveLength(2);
    const own = (keys as { key_id: string; prefix: string }[]).find(({ prefix }) => prefix === 'cm_bbbbbb…');
    await server.ok('revoke_key', { key_id: own?.key_id });
    const again = await start(database, { THALAMUS_BOOTSTRAP_KEY: bootstrapKey('b') });
    expect((await reachServer(again.address, bootstrapKey('b')).call('who_am_i')).status).toBe(401);
    expect((await reachServer(again.address, String(welcome?.key)).call('who_am_i')).status).toBe(200);
  });
});

test('does not replace the master key: production without one ends with the reason', () => {
  const main = join(import.meta.dirname, '../../cli/main.ts');
  const env = { PATH: process.env['PATH'], NODE_ENV: 'production', DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' };
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, 'start'], { env, encoding: 'utf8' });
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toMatch(/^THALAMUS_MASTER_KEY is required in production/);
  expect(stderr).not.toMatch(/\bat \S+:\d+/);
});
