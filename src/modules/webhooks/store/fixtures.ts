// Fixtures of connectors, and the versions they passed for.
import { toJsonColumn } from '#platform/database';
import { sql } from 'kysely';
import { type Db, type FixtureRow, type PassRow } from './tables.ts';

/** False: the connector already has one with that name. */
export async function insertFixture(db: Db, fixture: FixtureRow): Promise<boolean> {
  const inserted = await db
    .insertInto('webhook_fixtures')
    .values({ ...fixture, headers: toJsonColumn(fixture.headers), query: toJsonColumn(fixture.query) })
    .onConflict((oc) => oc.columns(['connector_id', 'name']).doNothing())
    .executeTakeFirst();
  return Boolean(inserted.numInsertedOrUpdatedRows);
}

/** How many fixtures a connector has, and the bytes of their bodies. */
export async function measureFixtures(db: Db, connectorId: string): Promise<{ count: number; bytes: number }> {
  const { count, bytes } = await db
    .selectFrom('webhook_fixtures')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .select(sql<string>`coalesce(sum(octet_length(raw_body)), 0)`.as('bytes'))
    .where('connector_id', '=', connectorId)
    .executeTakeFirstOrThrow();
  return { count: Number(count), bytes: Number(bytes) };
}

export async function findFixture(db: Db, id: string): Promise<FixtureRow> {
  return db.selectFrom('webhook_fixtures').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

export async function deleteFixture(db: Db, id: string): Promise<void> {
  await db.deleteFrom('webhook_fixtures').where('id', '=', id).execute();
}

export type TestedFixture = FixtureRow & { passed_at: Date | null };

/** The fixtures of a connector, with when each passed for a version. */
export async function listFixtures(db: Db, connectorId: string, versionId: string): Promise<TestedFixture[]> {
  return db
    .selectFrom('webhook_fixtures')
    .leftJoin('webhook_passes', (join) =>
      join
        .onRef('webhook_passes.fixture_id', '=', 'webhook_fixtures.id')
        .on('webhook_passes.version_id', '=', versionId),
    )
    .selectAll('webhook_fixtures')
    .select('webhook_passes.passed_at')
    .where('webhook_fixtures.connector_id', '=', connectorId)
    .orderBy('webhook_fixtures.created_at')
    .orderBy('webhook_fixtures.id')
    .execute();
}

export async function mapFixtureConnectors(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db.selectFrom('webhook_fixtures').select(['id', 'connector_id']).where('id', 'in', ids).execute();
  return new Map(rows.map(({ id, connector_id }) => [id, connector_id]));
}

/** Stores that a fixture passed for a version. Does nothing for a fixture that was deleted meanwhile. */
export async function putPass(db: Db, pass: PassRow): Promise<void> {
  const fixture = await db
    .updateTable('webhook_fixtures')
    .set({ last_test_passed_at: pass.passed_at })
    .where('id', '=', pass.fixture_id)
    .returning('id')
    .executeTakeFirst();
  if (!fixture) return;
  await db
    .insertInto('webhook_passes')
    .values(pass)
    .onConflict((oc) => oc.columns(['fixture_id', 'version_id']).doUpdateSet({ passed_at: pass.passed_at }))
    .execute();
}

/** Deletes the pass of a fixture that fails now. */
export async function dropPass(
  db: Db,
  { fixture_id, version_id }: Pick<PassRow, 'fixture_id' | 'version_id'>,
): Promise<void> {
  await db
    .deleteFrom('webhook_passes')
    .where('fixture_id', '=', fixture_id)
    .where('version_id', '=', version_id)
    .execute();
}

/** Copies the passes of a version to another version with the same code. */
export async function copyPasses(db: Db, from: string, to: string): Promise<void> {
  await db
    .insertInto('webhook_passes')
    .columns(['fixture_id', 'version_id', 'workspace_id', 'passed_at'])
    .expression((eb) =>
      eb
        .selectFrom('webhook_passes')
        .select(['fixture_id', sql.val(to).$castTo<string>().as('version_id'), 'workspace_id', 'passed_at'])
        .where('version_id', '=', from),
    )
    .execute();
}
