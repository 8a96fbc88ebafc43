import { afterEach, expect, test } from 'vitest';
import { sql } from 'kysely';
import type { Pool } from 'pg';
import type { Db } from '#kernel/database';
import { administer, createTestDatabase } from '../../../tests/support/postgres.ts';
import { startSlowProxy } from '../../../tests/support/slow-proxy.ts';
import { createAppPool, createTransactions, createKysely, createOwnerPool } from './index.ts';

const workspaceId = '01900000-0000-7000-8000-000000000000';
const delayMs = 300;
const closing: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

test('a read on an open connection needs only one round trip to the database', async () => {
  const transactions = createTransactions(createKysely(await createSlowPool()));
  const read = () => transactions.run(workspaceId, 'read', (db) => sql`select 1`.execute(db));
  await read();
  await new Promise((resolve) => setTimeout(resolve, 2 * delayMs)); // its COMMIT is answered, too
  const start = performance.now();
  await read();
  expect(performance.now() - start).toBeLessThan(2 * delayMs);
});

test('a connection that breaks during a query fails that query only', async () => {
  const database = await createTestDatabase();
  const pool = createAppPool(database.connection, 1);
  closing.push(database.drop, () => pool.end());
  const transactions = createTransactions(createKysely(pool));
  const read = (seconds: number) =>
    transactions.run(workspaceId, 'read', (db) => sql`select pg_sleep(${seconds})`.execute(db));
  await read(0);
  const sleeping = read(30);
  const failure = expect(sleeping).rejects.toThrow();
  await administer(
    database.connection,
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = '${database.connection.database}' and application_name = 'thalamus'`,
  );
  await failure;
  await read(0);
});

test('a deadlock of two repeatable transactions ends with both done', async () => {
  const database = await createTestDatabase();
  const pool = createAppPool(database.connection, 2);
  closing.push(database.drop, () => pool.end());
  const transactions = createTransactions(createKysely(pool));
  const inOrder = (first: number, second: number, mayRepeat: boolean) => {
    let attempts = 0;
    const lock = (db: Db, key: number) => sql`select pg_advisory_xact_lock(${key})`.execute(db);
    const work = async (db: Db) => {
      attempts += 1;
      await lock(db, first);
      await sql`select pg_sleep(0.2)`.execute(db);
      await lock(db, second);
      return attempts;
    };
    return transactions.run(workspaceId, 'write', work, { mayRepeat });
  };
  const repeated = await Promise.all([inOrder(1, 2, true), inOrder(2, 1, true)]);
  expect(repeated.toSorted()).toEqual([1, 2]);
  const once = await Promise.allSettled([inOrder(1, 2, false), inOrder(2, 1, false)]);
  expect(once.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
});

test('a row that refers to a row which was deleted meanwhile is a conflict, not an internal error', async () => {
  const database = await createTestDatabase();
  const pool = createAppPool(database.connection, 1);
  closing.push(database.drop, () => pool.end());
  const store = createTransactions(createKysely(pool)).run(workspaceId, 'write', (db) =>
    sql`insert into people (id, workspace_id, email, name, role, created_at)
      values (${workspaceId}, ${workspaceId}, 'a@b.c', 'Ada', 'member', now())`.execute(db),
  );
  await expect(store).rejects.toMatchObject({ name: 'AppError', code: 'conflict' });
});

test('frequent statements are prepared, and one that a migration made invalid costs only one call', async () => {
  const database = await createTestDatabase();
  const pool = createAppPool(database.connection, 1);
  closing.push(database.drop, () => pool.end());
  const transactions = createTransactions(createKysely(pool));
  const owner = createOwnerPool(database.connection);
  closing.push(() => owner.end());
  await owner.query('create table growing (id int); grant select on growing to thalamus_app');
  const read = () =>
    transactions.run(workspaceId, 'read', async (db) => {
      const { rows } = await sql`select * from growing where id > ${0}`.execute(db);
      const prepared = await sql<{ count: number }>`
        select count(*) from pg_prepared_statements where statement like 'select * from growing%'`.execute(db);
      return { rows, prepared: prepared.rows[0]?.count };
    });
  for (let time = 0; time < 5; time += 1) await read();
  expect((await read()).prepared).toBe(1);
  await owner.query('alter table growing add column name text');
  await expect(read()).rejects.toThrow('cached plan');
  expect((await read()).rows).toEqual([]);
});

async function createSlowPool(): Promise<Pool> {
  const database = await createTestDatabase();
  const proxy = await startSlowProxy(database.connectionString, delayMs);
  const pool = createAppPool({ connectionString: proxy.connectionString }, 1);
  closing.push(
    database.drop,
    () => proxy.close(),
    () => pool.end(),
  );
  return pool;
}
