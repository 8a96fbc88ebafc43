import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { openAsOwner } from '../../../../tests/support/owner-database.ts';
import { createTestDatabase } from '../../../../tests/support/postgres.ts';

const readMigration = (name: string) =>
  readFile(new URL(`../../../../migrations/${name}.sql`, import.meta.url), 'utf8');
const sync = '01890000-0000-7000-8000-000000000001';
const other = '01890000-0000-7000-8000-000000000002';

test('the migration carries over the locations from cursors, seen references and the old table', async () => {
  const { connectionString, drop } = await createTestDatabase();
  const database = await openAsOwner(connectionString);
  // The tables before the migration, with rows whose workspace and account do not matter here.
  await database.rows(`drop table item_locations; set session_replication_role = replica`);
  await database.rows(await readMigration('0018-sync-seen'));
  await database.rows(await readMigration('0033-whereabouts'));
  await database.rows('alter table sync_whereabouts add column left_in integer not null default 0');
  const place = { since: '2026-06-01T00:00:00.000Z', page: null, newest: null };
  const known = [
    ['a', '2026-05-01T00:00:00.000Z'],
    ['b', ''],
  ];
  const cursors = [
    { places: { 'issues x': { ...place, known }, issues: place }, is_whole: false },
    { descriptor: { name: 'http_json' }, inner: { places: { items: { ...place, known } } } },
  ];
  for (const [position, id] of [sync, other].entries())
    await database.rows(
      `insert into syncs (id, workspace_id, connection_id, source, brain_id, person_id, every_minutes, status, next_at, created_at, cursor)
         values ($1, $1, $1, 'one', $1, $1, 5, 'waiting', now(), now(), $2)`,
      [id, JSON.stringify(cursors[position])],
    );
  await database.rows(`
    insert into sync_seen values ('${sync}', '${sync}', 'cal:', '', '2026-06-01'), ('${sync}', '${sync}', 'cal:', 'e1', '2026-06-02');
    insert into sync_whereabouts values ('${sync}', '${sync}', 'm1', 'inbox', false, 0), ('${sync}', '${sync}', 'm2', 'inbox', true, 7)`);

  await database.rows(await readMigration('0063-item-locations'));

  const rows = await database.rows(
    `select sync_id, purpose, list, source_ref as ref, at::date::text, left_in from item_locations order by 1, 2, 3, 4`,
  );
  expect(rows).toEqual([
    { sync_id: sync, purpose: 'listed', list: 'issues x', ref: 'a', at: '2026-05-01', left_in: null },
    { sync_id: sync, purpose: 'listed', list: 'issues x', ref: 'b', at: null, left_in: null },
    { sync_id: sync, purpose: 'met', list: 'cal:', ref: '', at: '2026-06-01', left_in: null },
    { sync_id: sync, purpose: 'met', list: 'cal:', ref: 'e1', at: '2026-06-02', left_in: null },
    { sync_id: sync, purpose: 'moved', list: 'inbox', ref: 'm1', at: null, left_in: null },
    { sync_id: sync, purpose: 'moved', list: 'inbox', ref: 'm2', at: null, left_in: 7 },
    { sync_id: other, purpose: 'listed', list: 'items', ref: 'a', at: '2026-05-01', left_in: null },
    { sync_id: other, purpose: 'listed', list: 'items', ref: 'b', at: null, left_in: null },
  ]);
  expect((await database.rows('select cursor from syncs order by id')).map(({ cursor }) => cursor)).toEqual([
    { places: { 'issues x': { ...place, is_known: true }, issues: place }, is_whole: false },
    { descriptor: { name: 'http_json' }, inner: { places: { items: { ...place, is_known: true } } } },
  ]);
  await database.close();
  await drop();
});
