// Destinations and routes.
import type { Caller } from '#kernel/caller';
import type { Db as AnyDb } from '#kernel/database';
import { createNotFoundError } from '#kernel/errors';
import type { ItemLocation } from '#kernel/resource';
import { ownWebhookConnectors } from '#modules/webhooks';
import { toJsonColumn } from '#platform/database';
import { sql, type RawBuilder } from 'kysely';
import type { Db, DestinationRow, RouteRow, SourceKind } from './tables.ts';

/** Destinations that the caller may see: their own, or all for an administrator. A brain-scoped key sees none. */
function selectVisible(db: Db, { personId, role, reach }: Caller) {
  return db
    .selectFrom('output_destinations')
    .where('state', '<>', 'deleted')
    .$if(role === 'member', (query) => query.where('person_id', '=', personId))
    .$if(reach === 'brain', (query) => query.where((eb) => eb.lit(false)));
}

export async function locateDestinations(db: Db, ids: readonly string[], caller: Caller): Promise<ItemLocation[]> {
  const rows = await selectVisible(db, caller).select('id').where('id', 'in', ids).execute();
  return rows.map(({ id }) => ({ id, brainId: null }));
}

export async function locateRoutes(db: AnyDb, ids: readonly string[], caller: Caller): Promise<ItemLocation[]> {
  const rows = await (await selectVisibleRoutes(db, caller)).select('id').where('id', 'in', ids).execute();
  return rows.map(({ id }) => ({ id, brainId: null }));
}

/** Routes to destinations that the caller sees, and routes from their own connectors, to any destination. */
async function selectVisibleRoutes(db: AnyDb, caller: Caller) {
  const sources = caller.reach === 'brain' ? [] : await ownWebhookConnectors(db, caller);
  const own: Db = db;
  return own
    .selectFrom('output_routes')
    .where('state', '<>', 'detached')
    .where((eb) => {
      const toSeen = eb('destination_id', 'in', selectVisible(own, caller).select('id'));
      return sources.length ? eb.or([toSeen, eb('source_id', 'in', sources)]) : toSeen;
    });
}

export async function locateDeliveries(db: Db, ids: readonly string[], caller: Caller): Promise<ItemLocation[]> {
  const rows = await db
    .selectFrom('output_deliveries')
    .select('id')
    .where('id', 'in', ids)
    .where('destination_id', 'in', selectVisible(db, caller).select('id'))
    .execute();
  return rows.map(({ id }) => ({ id, brainId: null }));
}

export async function listDestinations(db: Db, caller: Caller): Promise<DestinationRow[]> {
  return selectVisible(db, caller).selectAll().orderBy('created_at', 'desc').orderBy('id').limit(500).execute();
}

export async function insertDestination(db: Db, row: DestinationRow): Promise<void> {
  await db
    .insertInto('output_destinations')
    .values({ ...row, headers: toJsonColumn(row.headers), variables: toJsonColumn(row.variables) })
    .execute();
}

export type DestinationChange = Partial<Omit<DestinationRow, 'id' | 'workspace_id' | 'person_id' | 'kind'>>;

export async function updateDestination(db: Db, id: string, change: DestinationChange): Promise<void> {
  const { headers, variables, ...same } = change;
  const changed = {
    ...(headers && { headers: toJsonColumn(headers) }),
    ...(variables && { variables: toJsonColumn(variables) }),
  };
  await db
    .updateTable('output_destinations')
    .set({ ...same, ...changed })
    .where('id', '=', id)
    .execute();
}

/** Records that a destination works again. */
export async function endFailing(db: Db, id: string): Promise<void> {
  await db
    .updateTable('output_destinations')
    .set({ failing_since: null, half_told: false })
    .where('id', '=', id)
    .where('failing_since', 'is not', null)
    .execute();
}

/** With a row lock. */
export async function lockDestination(db: Db, id: string): Promise<DestinationRow> {
  return db.selectFrom('output_destinations').selectAll().where('id', '=', id).forUpdate().executeTakeFirstOrThrow();
}

/** Like `lockDestination`; throws `not_found` when it was deleted meanwhile. */
export async function lockUndeleted(db: Db, id: string): Promise<DestinationRow> {
  const row = await lockDestination(db, id);
  if (row.state === 'deleted') throw createNotFoundError('destination');
  return row;
}

/** The active destinations of the bound workspace, with row locks. */
export async function lockActiveDestinations(db: Db): Promise<DestinationRow[]> {
  return db
    .selectFrom('output_destinations')
    .selectAll()
    .where('state', '=', 'active')
    .orderBy('id')
    .forUpdate()
    .execute();
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
  return db.selectFrom('output_routes').selectAll().where('id', '=', id).executeTakeFirst();
}

/** With a row lock. */
export async function lockRoute(db: Db, id: string): Promise<RouteRow | undefined> {
  return db.selectFrom('output_routes').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

export async function listRoutes(
  db: AnyDb,
  caller: Caller,
  of: Partial<Pick<RouteRow, 'source_id' | 'brain_id' | 'destination_id'>>,
) {
  return (await selectVisibleRoutes(db, caller))
    .selectAll()
    .where((eb) => eb.and(of))
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(500)
    .execute();
}

/** The routes to a destination that are approved. */
export async function listRoutesToDestination(db: Db, destinationId: string): Promise<RouteRow[]> {
  return db
    .selectFrom('output_routes')
    .selectAll()
    .where('destination_id', '=', destinationId)
    .where('state', '=', 'active')
    .execute();
}

/** How many routes lead to a destination, and how many from a connector, without detached ones. */
export async function countRoutes(
  db: Db,
  { destinationId, sourceId }: { destinationId: string; sourceId: string | null },
): Promise<{ to: number; from: number }> {
  const { to, from } = await db
    .selectFrom('output_routes')
    .select(sql<string>`count(*) filter (where destination_id = ${destinationId})`.as('to'))
    .select(sql<string>`count(*) filter (where source_id = ${sourceId})`.as('from'))
    .where('state', '<>', 'detached')
    .where((eb) => eb.or([eb('destination_id', '=', destinationId), eb('source_id', '=', sourceId)]))
    .executeTakeFirstOrThrow();
  return { to: Number(to), from: Number(from) };
}

/** A route with the owner and kind of its destination. */
type RouteOut = RouteRow & { receiver_id: string; destination_kind: DestinationRow['kind'] };

/** The routes for an event of a connector. */
export async function listRoutesFromConnector(db: Db, sourceId: string): Promise<RouteOut[]> {
  return openRoutes(db).where('output_routes.source_id', '=', sourceId).execute();
}

/** The routes from a source of events of the product, in this workspace. */
export async function listProductRoutes(db: Db, kind: SourceKind): Promise<RouteOut[]> {
  return openRoutes(db).where('output_routes.source_kind', '=', kind).execute();
}

/** The condition that this workspace has such a route. */
export function hasProductRoutes(kind: SourceKind): RawBuilder<boolean> {
  return sql`exists (select from output_routes where source_kind = ${sql.lit(kind)} and state = 'active')`;
}

/** Active routes, always in the same order, because feeds are locked. */
function openRoutes(db: Db) {
  return db
    .selectFrom('output_routes')
    .innerJoin('output_destinations', 'output_destinations.id', 'output_routes.destination_id')
    .selectAll('output_routes')
    .select(['output_destinations.person_id as receiver_id', 'output_destinations.kind as destination_kind'])
    .where('output_routes.state', '=', 'active')
    .where('output_destinations.state', 'in', ['active', 'paused'])
    .orderBy('output_routes.destination_id');
}

/** Pauses the destinations whose address, secret or token these keys created. Returns those that are not deleted. */
export async function pauseDestinationsOfKeys(db: Db, keyIds: readonly string[], at: Date) {
  return db
    .updateTable('output_destinations')
    .set({ state: 'paused', state_reason: keyRevoked, updated_at: at })
    .where((eb) => eb.or([eb('made_by_key', 'in', keyIds), eb('secret_made_by_key', 'in', keyIds)]))
    .where('state', '<>', 'deleted')
    .returning(['id', 'kind'])
    .execute();
}

const keyRevoked =
  'The key that created its address, secret or token was revoked. Check the address and create a new secret before you start it again.';

/** Pauses a person's destinations. Returns all that are not deleted. */
export async function pausePersonDestinations(db: Db, personId: string, at: Date) {
  return db
    .updateTable('output_destinations')
    .set({ state: 'paused', updated_at: at })
    .where('person_id', '=', personId)
    .where('state', '<>', 'deleted')
    .returning(['id', 'kind'])
    .execute();
}

/** Detaches the routes that a person made, and those to these destinations. Returns their ids. */
export async function detachPersonRoutes(
  db: Db,
  personId: string,
  destinationIds: readonly string[],
): Promise<string[]> {
  const detached = await db
    .updateTable('output_routes')
    .set({ state: 'detached' })
    .where((eb) => {
      const made = eb('person_id', '=', personId);
      return destinationIds.length ? eb.or([made, eb('destination_id', 'in', destinationIds)]) : made;
    })
    .where('state', '<>', 'detached')
    .returning('id')
    .execute();
  return detached.map(({ id }) => id);
}
