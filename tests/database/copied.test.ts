import { expect, test } from 'vitest';
import { openAsOwner } from '../support/owner-database.ts';
import { createTestDatabase } from '../support/postgres.ts';
import { startTestServer } from '../support/server.ts';

test('in a copy from an older cluster, whose transaction ids lie in the future here, the first start renews them', async () => {
  const database = await createTestDatabase();
  const settings = { DATABASE_URL: database.connectionString };
  const before = await startTestServer(settings);
  await before.ok('add_memory', { content: 'The ferry of Tessaly carries saffron.' });
  await before.close();
  const owner = await openAsOwner(database.connectionString);
  // As `pg_restore` leaves it: the rows as they were, and the name of the other cluster.
  await owner.rows(`set session_replication_role = replica`);
  await owner.rows(`update memories set changed_xact = '99000000000'`);
  await owner.rows(`update events set xact = '99000000000'`);
  await owner.rows(`comment on function database_history() is '7000000000000000001'`);
  const future = `select (select count(*)::int from memories where changed_xact >= pg_snapshot_xmax(pg_current_snapshot())) as memories,
    (select count(*)::int from events where xact >= pg_snapshot_xmax(pg_current_snapshot())) as events`;
  expect(await owner.rows(future)).toEqual([{ memories: 1, events: expect.any(Number) }]);
  const server = await startTestServer(settings);
  expect(await owner.rows(future)).toEqual([{ memories: 0, events: 0 }]);
  expect((await server.ok('search_memory', { q: 'saffron' })).memories).toHaveLength(1);
  await server.close();
  const [row] = await owner.rows(`select obj_description('database_history()'::regprocedure, 'pg_proc') as name`);
  expect(row?.['name']).not.toBe('7000000000000000001');
  await owner.close();
  await database.drop();
});
