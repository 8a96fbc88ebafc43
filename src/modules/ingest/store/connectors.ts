import { toJsonColumn } from '#platform/database';
import { sql, type Kysely } from 'kysely';
import type { connectorKinds, RouteSignal } from '../connector-fields.ts';

/** The settings of a connector. `isListed`: its brains were listed explicitly. */
export type StoredConfig = {
  allowed_brain_ids: string[];
  isListed: boolean;
  default_brain_id: string | null;
  channel_mappings: Record<string, string | null>;
  server_url: string | null;
};

export type ConnectorRow = {
  id: string;
  workspace_id: string;
  person_id: string;
  name: string;
  source: string;
  kind: (typeof connectorKinds)[number];
  brain_id: string;
  config: StoredConfig;
  created_at: Date;
  updated_at: Date;
};
export type RouteRow = {
  id: string;
  workspace_id: string;
  connector_id: string;
  signal_type: RouteSignal;
  signal_value: string;
  target_brain_id: string;
  created_at: Date;
};
export type Tables = {
  connectors: ConnectorRow;
  connector_routes: RouteRow;
  people_directory: { id: string; name: string };
};
type Db = Kysely<Tables>;

export async function insertConnector(db: Db, connector: ConnectorRow): Promise<void> {
  await db
    .insertInto('connectors')
    .values({ ...connector, config: toJsonColumn(connector.config) })
    .execute();
}

export async function findConnector(db: Db, id: string): Promise<ConnectorRow | undefined> {
  return db.selectFrom('connectors').selectAll().where('id', '=', id).executeTakeFirst();
}

type Change = Partial<Pick<ConnectorRow, 'name' | 'brain_id' | 'config'>> & { at: Date };

export async function updateConnector(db: Db, id: string, { at, config, ...change }: Change): Promise<void> {
  await db
    .updateTable('connectors')
    .set({ ...change, ...(config && { config: toJsonColumn(config) }), updated_at: at })
    .where('id', '=', id)
    .execute();
}

export async function deleteConnectorRow(db: Db, id: string): Promise<void> {
  await db.deleteFrom('connectors').where('id', '=', id).execute();
}

/** Deletes a person's connectors with their routes and tokens. */
export async function deleteConnectorsOfPerson(db: Db, personId: string): Promise<void> {
  await db.deleteFrom('connectors').where('person_id', '=', personId).execute();
}

/** Locked until the transaction ends, so that changes run one after another. */
export async function lockConnector(db: Db, id: string): Promise<ConnectorRow> {
  return db.selectFrom('connectors').selectAll().where('id', '=', id).forUpdate().executeTakeFirstOrThrow();
}

/** A connector with its routes and the name of its person. */
export type ReadyConnector = ConnectorRow & { person_name: string; routes: Omit<RouteRow, 'created_at'>[] };

export async function findReadyConnector(db: Db, id: string): Promise<ReadyConnector | undefined> {
  return db
    .selectFrom('connectors')
    .selectAll()
    .select([
      sql<string>`(select name from people_directory as people where people.id = connectors.person_id)`.as(
        'person_name',
      ),
      sql<ReadyConnector['routes']>`coalesce((
        select jsonb_agg(to_jsonb(route) order by route.created_at, route.id) from connector_routes route
         where route.connector_id = connectors.id), '[]')`.as('routes'),
    ])
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Connectors of a person, or of everybody; newest first. */
export async function listConnectorRows(
  db: Db,
  whose: { personId: string | null; brainId: string | null },
): Promise<ConnectorRow[]> {
  const { personId, brainId } = whose;
  return db
    .selectFrom('connectors')
    .selectAll()
    .$if(personId !== null, (query) => query.where('person_id', '=', personId))
    .$if(brainId !== null, (query) => query.where('brain_id', '=', brainId))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(500)
    .execute();
}

export async function locateRoutes(db: Db, ids: readonly string[]) {
  return db.selectFrom('connector_routes').select(['id', 'connector_id']).where('id', 'in', ids).execute();
}

/** Stores a route; one for the same signal is replaced. Returns its id. */
export async function putRoute(db: Db, route: RouteRow): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into connector_routes (id, workspace_id, connector_id, signal_type, signal_value, target_brain_id, created_at)
    values (${route.id}, ${route.workspace_id}, ${route.connector_id}, ${route.signal_type}, ${route.signal_value},
      ${route.target_brain_id}, ${route.created_at})
    on conflict (connector_id, signal_type, lower(signal_value))
      do update set target_brain_id = excluded.target_brain_id, signal_value = excluded.signal_value
    returning id
  `.execute(db);
  return rows[0]!.id;
}

export async function countRoutes(db: Db, connectorId: string): Promise<number> {
  const row = await db
    .selectFrom('connector_routes')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('connector_id', '=', connectorId)
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

export async function listRoutes(db: Db, connectorId: string): Promise<RouteRow[]> {
  return db
    .selectFrom('connector_routes')
    .selectAll()
    .where('connector_id', '=', connectorId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

export async function deleteRoute(db: Db, id: string): Promise<void> {
  await db.deleteFrom('connector_routes').where('id', '=', id).execute();
}
