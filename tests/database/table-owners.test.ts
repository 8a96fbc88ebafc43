import { afterAll, beforeAll, expect, test } from 'vitest';
import { publishedViews, tableOwners } from '../../scripts/lint-rules/table-owners.mjs';
import { openAsOwner, type OwnerDatabase } from '../support/owner-database.ts';
import { createTestDatabase } from '../support/postgres.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let owner: OwnerDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  owner = await openAsOwner(database.connectionString);
});

afterAll(async () => {
  await owner.close();
  await database.drop();
});

test('every table of the database has one owner in the list', async () => {
  const names = await listNames("relkind in ('r', 'p') and relname not like 'kysely_migration%'");
  expect([...tableOwners.keys()].toSorted()).toEqual(names);
});

test('every view is published, is read with the rights of the reader, and is written by nobody', async () => {
  expect([...publishedViews].toSorted()).toEqual(await listNames("relkind = 'v'"));
  expect(await listNames("relkind = 'v' and not coalesce(reloptions @> '{security_invoker=true}', false)")).toEqual([]);
  const writable = "has_table_privilege('thalamus_app', oid, 'insert, update, delete')";
  expect(await listNames(`relkind = 'v' and pg_relation_is_updatable(oid, false) <> 0 and ${writable}`)).toEqual([]);
});

async function listNames(which: string): Promise<string[]> {
  const rows = await owner.rows(
    `select relname from pg_class where relnamespace = 'public'::regnamespace and ${which} order by relname collate "C"`,
  );
  return rows.map(({ relname }) => String(relname));
}
