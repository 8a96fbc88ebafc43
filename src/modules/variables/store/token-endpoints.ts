import type { Kysely } from 'kysely';

type Row = { variable_id: string; workspace_id: string; url: string };
type Db = Kysely<{ variable_token_endpoints: Row }>;

/** Stores the endpoint where a variable buys tokens, as a person named it; a later page replaces an earlier one. */
export async function insertTokenEndpoints(db: Db, rows: readonly Row[]): Promise<void> {
  if (!rows.length) return;
  await db
    .insertInto('variable_token_endpoints')
    .values([...rows])
    .onConflict((conflict) => conflict.column('variable_id').doUpdateSet((eb) => ({ url: eb.ref('excluded.url') })))
    .execute();
}

/** The endpoints of those variables that have one, by the ids of the variables. */
export async function findTokenEndpoints(db: Db, variableIds: readonly string[]): Promise<Map<string, string>> {
  if (!variableIds.length) return new Map();
  const rows = await db
    .selectFrom('variable_token_endpoints')
    .select(['variable_id', 'url'])
    .where('variable_id', 'in', [...variableIds])
    .execute();
  return new Map(rows.map(({ variable_id, url }) => [variable_id, url]));
}
