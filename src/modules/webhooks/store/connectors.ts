// Connectors and their versions.
import type { Caller } from '#kernel/caller';
import type { ItemLocation } from '#kernel/resource';
import { isLeaseHeld, isFree, buildExtendedLease, released, buildTakenLease, type Lease } from '#platform/lease';
import { toJsonColumn } from '#platform/database';
import { sql } from 'kysely';
import type { SignatureChoice } from '../signatures/schemes.ts';
import { type ConnectorRow, type Db, type VersionRow } from './tables.ts';

/**
 * Connectors that the caller may see: their own, or all for an administrator. A brain-scoped key sees those of its
 * brain.
 */
function selectVisible(db: Db, { personId, role, reach, homeBrainId }: Caller) {
  return db
    .selectFrom('webhook_connectors')
    .where('state', '<>', 'deleted')
    .$if(role === 'member', (query) => query.where('person_id', '=', personId))
    .$if(reach === 'brain', (query) => query.where('person_id', '=', personId).where('brain_id', '=', homeBrainId));
}

export async function locateConnectors(db: Db, ids: readonly string[], caller: Caller): Promise<ItemLocation[]> {
  const rows = await selectVisible(db, caller).select('id').where('id', 'in', ids).execute();
  return rows.map(({ id }) => ({ id, brainId: null }));
}

/**
 * Those of `ids` that the caller sees as connectors, each with the brain through which its contents are visible: null
 * for the caller's own.
 */
export async function mapContentBrains(
  db: Db,
  ids: readonly string[],
  caller: Caller,
): Promise<Map<string, string | null>> {
  if (!ids.length) return new Map();
  const rows = await selectVisible(db, caller).select(['id', 'person_id', 'brain_id']).where('id', 'in', ids).execute();
  return new Map(rows.map(({ id, person_id, brain_id }) => [id, person_id === caller.personId ? null : brain_id]));
}

export async function listConnectors(db: Db, caller: Caller): Promise<ConnectorRow[]> {
  return selectVisible(db, caller).selectAll().orderBy('created_at', 'desc').orderBy('id').limit(500).execute();
}

/** Ids of the connectors that the caller's person created. A key of one brain sees those of that brain. */
export async function listOwnConnectorIds(db: Db, caller: Caller): Promise<string[]> {
  const rows = await selectVisible(db, caller).select('id').where('person_id', '=', caller.personId).execute();
  return rows.map(({ id }) => id);
}

export async function insertConnector(db: Db, connector: ConnectorRow, version: VersionRow): Promise<void> {
  await db.insertInto('webhook_connectors').values(connector).execute();
  await insertVersion(db, version);
}

async function insertVersion(db: Db, version: VersionRow): Promise<void> {
  await db
    .insertInto('webhook_versions')
    .values({ ...version, signature_settings: toJsonColumn(version.signature_settings) })
    .execute();
}

/** Stores the next version. The connector must be locked. */
export async function addVersion(db: Db, version: Omit<VersionRow, 'number'>): Promise<VersionRow> {
  const { last } = await db
    .selectFrom('webhook_versions')
    .select((eb) => eb.fn.max('number').as('last'))
    .where('connector_id', '=', version.connector_id)
    .executeTakeFirstOrThrow();
  const row = { ...version, number: Number(last) + 1 };
  await insertVersion(db, row);
  const newest = { head_version_id: row.id, brain_id: row.brain_id, updated_at: row.created_at };
  await updateConnector(db, row.connector_id, newest);
  return row;
}

export async function updateConnector(db: Db, id: string, change: Partial<ConnectorRow>): Promise<void> {
  await db.updateTable('webhook_connectors').set(change).where('id', '=', id).execute();
}

/** Pauses a person's active connectors. */
export async function pauseConnectorsOfPerson(db: Db, personId: string, at: Date): Promise<void> {
  await db
    .updateTable('webhook_connectors')
    .set({ state: 'paused', updated_at: at })
    .where('person_id', '=', personId)
    .where('state', '=', 'active')
    .execute();
}

/** Pauses the connectors whose address or secret revoked keys created. */
export async function pauseConnectorsOfKeys(
  db: Db,
  keyIds: readonly string[],
  at: Date,
): Promise<{ webhook_connectors: number }> {
  const paused = await db
    .updateTable('webhook_connectors')
    .set({ state: 'paused', state_reason: keyRevoked, updated_at: at })
    .where('made_by_key', 'in', keyIds)
    .where('state', '<>', 'deleted')
    .returning('id')
    .execute();
  return { webhook_connectors: paused.length };
}

const keyRevoked =
  'The key that created its address or secret was revoked, and its holder may know these, too. Set another secret before you activate it; without signatures, create a new connector instead.';

/** With a row lock, so that concurrent changes run one after another. */
export async function lockConnector(db: Db, id: string): Promise<ConnectorRow> {
  return db.selectFrom('webhook_connectors').selectAll().where('id', '=', id).forUpdate().executeTakeFirstOrThrow();
}

export async function findConnector(db: Db, id: string): Promise<ConnectorRow | undefined> {
  return db.selectFrom('webhook_connectors').selectAll().where('id', '=', id).executeTakeFirst();
}

/** The connector of an address, visible because its hash is presented. */
export async function findBySlug(db: Db, hash: string) {
  return db
    .selectFrom('webhook_connectors')
    .select(['id', 'workspace_id'])
    .where('slug_hash', '=', hash)
    .executeTakeFirst();
}

export async function findVersion(db: Db, id: string): Promise<VersionRow> {
  return db.selectFrom('webhook_versions').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

export async function findVersionByNumber(
  db: Db,
  connectorId: string,
  number: number,
): Promise<VersionRow | undefined> {
  return db
    .selectFrom('webhook_versions')
    .selectAll()
    .where('connector_id', '=', connectorId)
    .where('number', '=', number)
    .executeTakeFirst();
}

export async function findVersions(db: Db, ids: readonly string[]): Promise<Map<string, VersionRow>> {
  if (!ids.length) return new Map();
  const rows = await db.selectFrom('webhook_versions').selectAll().where('id', 'in', ids).execute();
  return new Map(rows.map((row) => [row.id, row]));
}

export async function listVersions(db: Db, connectorId: string): Promise<VersionRow[]> {
  return db
    .selectFrom('webhook_versions')
    .selectAll()
    .where('connector_id', '=', connectorId)
    .orderBy('number', 'desc')
    .limit(100)
    .execute();
}

/** The distinct ways in which the versions of a connector are signed. */
export async function listSignings(db: Db, connectorId: string): Promise<SignatureChoice[]> {
  return db
    .selectFrom('webhook_versions')
    .select(['scheme', 'provider', 'signature_settings as settings'])
    .distinct()
    .where('connector_id', '=', connectorId)
    .execute();
}

/** Connectors whose newest or active version takes its secret from a variable, or waits for one with its name. */
export async function listConnectorsWithVariable(
  db: Db,
  { id, name }: { id: string; name: string },
): Promise<ConnectorRow[]> {
  return db
    .selectFrom('webhook_connectors')
    .selectAll()
    .where('state', '<>', 'deleted')
    .where(
      sql<boolean>`exists (select from webhook_versions where (webhook_versions.secret_variable_id = ${id}
          or (webhook_versions.secret_variable = ${name} and webhook_versions.secret is null))
        and webhook_versions.id in (head_version_id, active_version_id))`,
    )
    .execute();
}

/** Connectors in all workspaces that have events to translate and no lease. */
export async function listConnectorsWithWork(db: Db): Promise<{ id: string; workspace_id: string }[]> {
  const { rows } = await sql<{ id: string; workspace_id: string }>`
    select id, workspace_id from webhook_connectors
     where ${isFree} and exists (
       select from webhook_events where webhook_events.connector_id = webhook_connectors.id and outcome = 'received')
     limit 500`.execute(db);
  return rows;
}

/** Leases a connector. Undefined: another process has it. */
export async function leaseConnector(db: Db, id: string, leaseMs: number): Promise<(ConnectorRow & Lease) | undefined> {
  const free = sql<string>`(select id from webhook_connectors where id = ${id} and ${isFree} for update skip locked)`;
  return db
    .updateTable('webhook_connectors')
    .set(buildTakenLease(leaseMs))
    .where('id', '=', free)
    .returningAll()
    .executeTakeFirst();
}

/** Renews the lease of a connector. False: another process has it. */
export function renewConnectorLease(db: Db, connector: LeasedConnector, leaseMs: number): Promise<boolean> {
  return updateLeased(db, connector, buildExtendedLease(leaseMs));
}

/** Ends the lease, unless another process has it. */
export function releaseConnector(db: Db, connector: LeasedConnector): Promise<boolean> {
  return updateLeased(db, connector, released);
}

type LeasedConnector = Pick<ConnectorRow, 'id' | 'lease_token'>;

async function updateLeased(db: Db, connector: LeasedConnector, change: object): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('webhook_connectors')
    .set(change)
    .where('id', '=', connector.id)
    .where(isLeaseHeld(connector))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
