// Destinations and routes.
import type { Caller } from '#kernel/caller';
import type { Located } from '#kernel/resource';
import type { Db, DestinationRow, RouteRow } from './tables.ts';

function asJson(value: unknown): never {
  return JSON.stringify(value) as never; // written as text, read as JSON
}

/** What a caller sees: their person's, or everybody's for who administers. A key of one brain sees none. */
function visible(db: Db, { personId, role, reach }: Caller) {
  return db
    .selectFrom('output_destinations')
    .where('state', '<>', 'deleted')
    .$if(role === 'member', (query) => query.where('person_id', '=', personId))
    .$if(reach === 'brain', (query) => query.where((eb) => eb.lit(false)));
}

export async function locateDestinations(db: Db, ids: readonly string[], caller: Caller): Promise<Located[]> {
  const rows = await visible(db, caller).select('id').where('id', 'in', ids).execute();
  return rows.map(({ id }) => ({ id, brainId: null }));
}

export async function locateRoutes(db: Db, ids: readonly string[], caller: Caller): Promise<Located[]> {
  const rows = await db
    .selectFrom('output_routes')
    .select('id')
    .where('id', 'in', ids)
    .where('state', '<>', 'detached')
    .where('destination_id', 'in', visible(db, caller).select('id'))
    .execute();
  return rows.map(({ id }) => ({ id, brainId: null }));
}

export async function locateDeliveries(db: Db, ids: readonly string[], caller: Caller): Promise<Located[]> {
  const rows = await db
    .selectFrom('output_deliveries')
    .select('id')
    .where('id', 'in', ids)
    .where('destination_id', 'in', visible(db, caller).select('id'))
    .execute();
  return rows.map(({ id }) => ({ id, brainId: null }));
}

export async function listDestinations(db: Db, caller: Caller): Promise<DestinationRow[]> {
  return visible(db, caller).selectAll().orderBy('created_at', 'desc').orderBy('id').limit(500).execute();
}

export async function insertDestination(db: Db, row: DestinationRow): Promise<void> {
  await db
    .insertInto('output_destinations')
    .values({ ...row, headers: asJson(row.headers), variables: asJson(row.variables) })
    .execute();
}

export type DestinationChange = Partial<Omit<DestinationRow, 'id' | 'workspace_id' | 'person_id' | 'kind'>>;

export async function updateDestination(db: Db, id: string, change: DestinationChange): Promise<void> {
  const { headers, variables, ...same } = change;
  const json = { ...(headers && { headers: asJson(headers) }), ...(variables && { variables: asJson(variables) }) };
  await db
    .updateTable('output_destinations')
    .set({ ...same, ...json })
    .where('id', '=', id)
    .execute();
}

/** Held until the transaction ends. */
export async function lockDestination(db: Db, id: string): Promise<DestinationRow> {
  return db.selectFrom('output_destinations').selectAll().where('id', '=', id).forUpdate().executeTakeFirstOrThrow();
}

export async function findDestination(db: Db, id: string): Promise<DestinationRow | undefined> {
  return db.selectFrom('output_destinations').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function insertRoute(db: Db, route: RouteRow): Promise<void> {
  await db.insertInto('output_routes').values(route).execute();
}

export async function updateRoute(db: Db, id: string, state: RouteRow['state']): Promise<void> {
  await db.updateTable('output_routes').set({ state }).where('id', '=', id).execute();
}

export async function findRoute(db: Db, id: string): Promise<RouteRow | undefined> {
  return db.selectFrom('output_routes').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

export async function listRoutes(db: Db, caller: Caller, of: Partial<Pick<RouteRow, 'source_id' | 'destination_id'>>) {
  const { source_id, destination_id } = of;
  return db
    .selectFrom('output_routes')
    .selectAll()
    .where('state', '<>', 'detached')
    .where('destination_id', 'in', visible(db, caller).select('id'))
    .$if(source_id !== undefined, (query) => query.where('source_id', '=', source_id ?? ''))
    .$if(destination_id !== undefined, (query) => query.where('destination_id', '=', destination_id ?? ''))
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(500)
    .execute();
}

/** The routes that an event of a connector takes. */
export async function routesFrom(db: Db, sourceId: string): Promise<RouteRow[]> {
  return db
    .selectFrom('output_routes')
    .innerJoin('output_destinations', 'output_destinations.id', 'output_routes.destination_id')
    .selectAll('output_routes')
    .where('output_routes.source_id', '=', sourceId)
    .where('output_routes.state', '=', 'active')
    .where('output_destinations.state', 'in', ['active', 'paused'])
    .execute();
}
