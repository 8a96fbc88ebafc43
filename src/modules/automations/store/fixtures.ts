import type { Db, FixtureRow } from './tables.ts';

/** Stores a fixture. False: the automation already has one with that name. */
export async function insertFixture(db: Db, fixture: FixtureRow): Promise<boolean> {
  const inserted = await db
    .insertInto('automation_fixtures')
    .values({
      ...fixture,
      payload: JSON.stringify(fixture.payload ?? null) as never, // written as text, read as JSON
      calls: JSON.stringify(fixture.calls) as never,
    })
    .onConflict((oc) => oc.doNothing())
    .executeTakeFirst();
  return Boolean(inserted.numInsertedOrUpdatedRows);
}

export async function listFixtures(db: Db, automationId: string): Promise<FixtureRow[]> {
  return db
    .selectFrom('automation_fixtures')
    .selectAll()
    .where('automation_id', '=', automationId)
    .orderBy('name')
    .execute();
}

export async function deleteFixture(db: Db, automationId: string, name: string): Promise<boolean> {
  const deleted = await db
    .deleteFrom('automation_fixtures')
    .where('automation_id', '=', automationId)
    .where('name', '=', name)
    .executeTakeFirst();
  return deleted.numDeletedRows > 0n;
}

type FixturePass = { automation_id: string; workspace_id: string; hash: string; passed_at: Date };

export async function insertPass(db: Db, pass: FixturePass): Promise<void> {
  await db
    .insertInto('automation_passes')
    .values(pass)
    .onConflict((oc) => oc.columns(['automation_id', 'hash']).doUpdateSet({ passed_at: pass.passed_at }))
    .execute();
}

/** When all fixtures passed for this hash. Undefined: they have not. */
export async function findPass(db: Db, automationId: string, hash: string): Promise<Date | undefined> {
  const row = await db
    .selectFrom('automation_passes')
    .select('passed_at')
    .where('automation_id', '=', automationId)
    .where('hash', '=', hash)
    .executeTakeFirst();
  return row?.passed_at;
}
