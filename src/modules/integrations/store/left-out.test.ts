import { createKysely } from '#platform/database';
import type { Kysely } from 'kysely';
import { Pool } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase } from '../../../../tests/support/postgres.ts';
import { countLeftOut, forgetLeftOut, keepLeftOut } from './item-locations.ts';

type LocationsDb = Parameters<typeof keepLeftOut>[0];
const sync = { id: '01890000-0000-7000-8000-000000000001', workspace_id: '01890000-0000-7000-8000-000000000002' };
const other = { ...sync, id: '01890000-0000-7000-8000-000000000003' };
let pool: Pool;
let db: LocationsDb;
let database: Awaited<ReturnType<typeof createTestDatabase>>;
beforeAll(async () => {
  database = await createTestDatabase();
  // Syncs and workspaces do not matter here, so their keys are not checked.
  pool = new Pool({
    connectionString: database.connectionString,
    max: 1,
    options: '-c session_replication_role=replica',
  });
  db = createKysely(pool) as Kysely<unknown> as LocationsDb;
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const createTime = (minute: number) => new Date(Date.UTC(2026, 5, 1, 0, minute));
const createLeftOut = (why: string, from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => ({ ref: `mail:${from + index}`, why }));
const keep = (of: typeof sync, minute: number, leftOut: { ref: string; why: string }[], refs: string[] = []) =>
  keepLeftOut(db, of, { refs, leftOut, at: createTime(minute) });
const countReasons = async (of = sync) => (await countLeftOut(db, [of.id])).get(of.id) ?? [];
const countRows = async (of = sync) =>
  Number((await pool.query('select count(*) from item_locations where sync_id = $1', [of.id])).rows[0].count);

test('a sync notes the newest 10,000 items that are left out, and counts all of them by reason', async () => {
  await keep(other, 0, createLeftOut('too large', 0, 3));
  await keep(sync, 0, createLeftOut('too large', 0, 4_000));
  await keep(sync, 1, createLeftOut('a shortcut', 4_000, 9_000));
  expect(await countReasons()).toEqual([
    { why: 'a shortcut', items: 5_000 },
    { why: 'too large', items: 4_000 },
  ]);
  await keep(sync, 2, createLeftOut('a shortcut', 9_000, 12_000));
  await keep(sync, 3, createLeftOut('empty', 12_000, 12_010));
  expect(await countRows()).toBe(10_001);
  expect(await countReasons()).toEqual([
    { why: 'a shortcut', items: 8_000 },
    { why: 'too large', items: 4_000 },
    { why: 'empty', items: 10 },
  ]);
  expect(await countReasons(other)).toEqual([{ why: 'too large', items: 3 }]);
});

test('a noted item that is read again is counted once, or no more', async () => {
  await keep(sync, 4, createLeftOut('empty', 12_000, 12_005), ['mail:12005']);
  expect(await countReasons()).toContainEqual({ why: 'empty', items: 9 });
});

test('nothing is left of the numbers when everything is read again', async () => {
  await forgetLeftOut(db, sync);
  expect([await countReasons(), await countRows()]).toEqual([[], 0]);
  expect(await countReasons(other)).toHaveLength(1);
});
