import type { Db } from '#kernel/database';
import { createAppPool, createKysely, readPresented } from '#platform/database';
import { createLog } from '#platform/log';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import { readConfig } from '../../src/configuration.ts';
import { startServer } from '../../src/server.ts';
import { openAsOwner } from '../support/owner-database.ts';
import { startPgBouncer, type PgBouncer } from '../support/pgbouncer.ts';
import { administer, createTestDatabase } from '../support/postgres.ts';
import { addWorkspace } from '../support/second-workspace.ts';
import { startTestServer } from '../support/server.ts';

const login = `pooled_${process.pid}`;
let database: Awaited<ReturnType<typeof createTestDatabase>>;
let refusing: PgBouncer;
let dropping: PgBouncer;

beforeAll(async () => {
  const cluster = inject('postgres');
  await administer(cluster, `create role ${login} login noinherit`);
  const logins = [login, 'thalamus'];
  refusing = await startPgBouncer(cluster, { logins });
  dropping = await startPgBouncer(cluster, { logins, ignoreStartup: 'options' });
}, 60_000);
afterAll(async () => {
  await Promise.all([refusing.close(), dropping.close()]);
  await administer(inject('postgres'), `drop role ${login}`);
});
afterEach(() => database.drop());

const bouncers = [
  ['refuses options of a connection', () => refusing],
  ['drops options of a connection', () => dropping],
] as const;

describe.each(bouncers)('behind PgBouncer in transaction mode that %s', (_name, bouncer) => {
  test('each call sees its own workspace only, and none of hundreds of calls fails', async () => {
    database = await createTestDatabase();
    const server = await startTestServer({
      DATABASE_URL: bouncer().buildUrl(database.connection.database, login),
      THALAMUS_OWNER_DATABASE_URL: database.connectionString,
      THALAMUS_DATABASE_PREPARE: 'false',
    });
    try {
      const other = await addWorkspace({ ...server, connectionString: database.connectionString });
      const listKeys = async (key: string) =>
        (await server.ok('list_keys', {}, { key })).keys.map(({ key_id }) => key_id);
      const [own, foreign] = [await listKeys(server.key), await listKeys(other.key)];
      expect(own.length * foreign.length).toBeGreaterThan(0);
      expect(own.filter((id) => foreign.includes(id))).toEqual([]);
      const calls = Array.from({ length: 200 }, (_, at) =>
        at % 10 === 0
          ? server.call('add_memory', { content: `Crate ${at} is at the weir.` })
          : server.call('search_memory', { q: `crate ${at}` }, { key: at % 2 ? server.key : other.key }),
      );
      expect((await Promise.all(calls)).filter(({ status }) => status !== 200)).toEqual([]);
      const owner = await openAsOwner(database.connectionString);
      const [row] = await owner.rows(`select pg_has_role($1, 'thalamus_app', 'usage') as inherits`, [login]);
      await owner.close();
      expect(row).toEqual({ inherits: false });
    } finally {
      await server.close();
    }
  }, 60_000);
});

test('transactions behind a pooler have the role of product work and time limits, and nothing is sent outside them', async () => {
  database = await createTestDatabase();
  const pool = createAppPool(
    { connectionString: dropping.buildUrl(database.connection.database, 'thalamus'), prepare: false },
    2,
  );
  const db = createKysely<unknown>(pool);
  try {
    const read = async (inner: Db) =>
      (
        await sql`select current_user as role, current_setting('statement_timeout') as statement,
          current_setting('lock_timeout') as lock, current_setting('idle_in_transaction_session_timeout') as idle`.execute(
          inner,
        )
      ).rows;
    const bound = { role: 'thalamus_app', statement: '1min', lock: '20s', idle: '1min' };
    for (let time = 0; time < 5; time += 1) expect(await readPresented(db, '', read)).toEqual([bound]);
    await expect(sql`select * from keys`.execute(db)).rejects.toThrow(
      'in a transaction that createTransactions has bound',
    );
    await expect(db.transaction().execute(read)).rejects.toThrow('in a transaction that createTransactions has bound');
  } finally {
    await db.destroy();
  }
});

test('a server with one address, that of a pooler, starts again and again', async () => {
  database = await createTestDatabase();
  const settings = {
    DATABASE_URL: dropping.buildUrl(database.connection.database, 'thalamus'),
    THALAMUS_DATABASE_PREPARE: 'false',
  };
  for (let start = 0; start < 3; start += 1) {
    const server = await startTestServer(settings);
    expect((await server.request('/readyz')).status).toBe(200);
    await server.close();
  }
}, 60_000);

test('behind a pooler without prepared statements the server does not start, and names the setting', async () => {
  database = await createTestDatabase();
  const url = dropping.buildUrl(database.connection.database, 'thalamus');
  await expect(start({ DATABASE_URL: url })).rejects.toThrow('Set THALAMUS_DATABASE_PREPARE=false');
});

test('a server whose transactions row level security does not bind in one table does not start', async () => {
  database = await createTestDatabase();
  const owner = await openAsOwner(database.connectionString);
  await owner.rows('alter table memories disable row level security');
  await owner.close();
  await expect(start({ DATABASE_URL: database.connectionString })).rejects.toThrow(
    'Row level security does not apply to the role thalamus_app in 1 tables',
  );
});

test('a database older than PostgreSQL 16 is refused before it is changed', async () => {
  database = await createTestDatabase('template0');
  const owner = await openAsOwner(database.connectionString);
  // What an older server answers, found before the built-in function of that name.
  await owner.rows(`create schema older; create function older.current_setting(text) returns text language sql
    return case when $1 like 'server_version%' then '150004' else pg_catalog.current_setting($1) end`);
  await owner.rows(`alter database ${database.connection.database} set search_path = older, pg_catalog, public`);
  await expect(start({ DATABASE_URL: database.connectionString })).rejects.toThrow('Thalamus needs 16 or newer');
  expect(await owner.rows(`select relname from pg_class where relnamespace = 'public'::regnamespace`)).toEqual([]);
  await owner.close();
});

function start(settings: Record<string, string>) {
  const masterKey = Buffer.alloc(32, 7).toString('base64');
  return startServer(
    readConfig({ NODE_ENV: 'test', PORT: '0', THALAMUS_MASTER_KEY: masterKey, ...settings }),
    createLog('silent'),
  );
}
