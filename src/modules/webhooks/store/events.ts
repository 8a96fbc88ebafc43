// Events: each POST to a known address is a row.
import { toJsonColumn } from '#platform/database';
import { isLeaseHeld } from '#platform/lease';
import { sql } from 'kysely';
import type { EventFilter, Outcome } from '../outcomes.ts';
import { listShownOutcomes } from '../outcomes.ts';
import { type ConnectorRow, type Db, type EventRow } from './tables.ts';

/** The oldest waiting events of a connector, without large columns. */
export async function listWaitingEvents(
  db: Db,
  connectorId: string,
  limit: number,
): Promise<{ id: string; bytes: number | null }[]> {
  return db
    .selectFrom('webhook_events')
    .select(['id', sql<number | null>`octet_length(body)`.as('bytes')])
    .where('connector_id', '=', connectorId)
    .where('outcome', '=', 'received')
    .orderBy('received_at')
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** How many events wait for their translation, in all workspaces. */
export async function countWaitingEvents(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('webhook_events')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('outcome', '=', 'received')
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Loads those of these events that still wait, in this order, and counts the attempt. */
export async function takeEvents(db: Db, ids: readonly string[]): Promise<EventRow[]> {
  const rows = await db
    .updateTable('webhook_events')
    .set({ attempts: sql<number>`attempts + 1` })
    .where('id', 'in', ids)
    .where('outcome', '=', 'received')
    .returningAll()
    .execute();
  return rows.toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id));
}

/** Locks a waiting event, if this process still leases its connector. False: another process has it. */
export async function lockEvent(
  db: Db,
  eventId: string,
  connector: Pick<ConnectorRow, 'id' | 'lease_token'>,
): Promise<boolean> {
  const leasedConnector = await db
    .selectFrom('webhook_connectors')
    .select('id')
    .where('id', '=', connector.id)
    .where(isLeaseHeld(connector))
    .forShare()
    .executeTakeFirst();
  if (!leasedConnector) return false;
  const event = await db
    .selectFrom('webhook_events')
    .select('id')
    .where('id', '=', eventId)
    .where('outcome', '=', 'received')
    .forUpdate()
    .executeTakeFirst();
  return event !== undefined;
}

export type EventEnd = Pick<
  EventRow,
  'outcome' | 'detail' | 'version_id' | 'translator_output' | 'documents' | 'duration_ms'
>;

export async function endEvent(db: Db, id: string, end: EventEnd, at: Date): Promise<void> {
  const { translator_output, documents } = end;
  await db
    .updateTable('webhook_events')
    .set({
      ...end,
      translator_output: translator_output === null ? null : toJsonColumn(translator_output),
      documents: documents === null ? null : toJsonColumn(documents),
      finished_at: at,
    })
    .where('id', '=', id)
    .execute();
}

export async function findEvent(db: Db, id: string): Promise<EventRow | undefined> {
  return db.selectFrom('webhook_events').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function mapEventConnectors(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db.selectFrom('webhook_events').select(['id', 'connector_id']).where('id', 'in', ids).execute();
  return new Map(rows.map(({ id, connector_id }) => [id, connector_id]));
}

export type EventQuery = {
  connectorId: string;
  filter: EventFilter;
  since?: Date | undefined;
  until?: Date | undefined;
  text?: string | undefined;
};

function selectMatching(db: Db, { connectorId, filter, since, until, text }: EventQuery) {
  return db
    .selectFrom('webhook_events')
    .where('connector_id', '=', connectorId)
    .$if(filter !== 'all', (query) => query.where('outcome', 'in', listShownOutcomes(filter)))
    .$if(since !== undefined, (query) => query.where('received_at', '>=', since ?? null))
    .$if(until !== undefined, (query) => query.where('received_at', '<', until ?? null))
    .$if(text !== undefined, (query) =>
      query.where(
        sql<boolean>`(position(convert_to(${text}, 'UTF8') in body) > 0 or event_type = ${text} or delivery_id = ${text}
          or strpos(coalesce(detail, ''), ${text}) > 0)`,
      ),
    );
}

export type EventSummary = Omit<EventRow, 'delivery_key' | 'body' | 'translator_output' | 'headers' | 'query'>;

/** Events, newest first, without large columns. */
export async function listEvents(db: Db, query: EventQuery, limit: number, offset: number): Promise<EventSummary[]> {
  return selectMatching(db, query)
    .select([
      'id',
      'workspace_id',
      'connector_id',
      'received_at',
      'outcome',
      'detail',
      'event_type',
      'delivery_id',
      'duplicate_of',
      'content_type',
      'body_bytes',
      'shape_hash',
      'version_id',
      'documents',
      'attempts',
      'replays',
      'finished_at',
      'duration_ms',
      'counted',
      'counted_minute',
    ])
    .orderBy('received_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
}

export type Activity = { last_event_at: Date; last_outcome: Outcome; failures: number };

/** By connector id: the last event, and how many failed or were rejected since a time. */
export async function readActivity(db: Db, ids: readonly string[], since: Date): Promise<Map<string, Activity>> {
  const failed = [...listShownOutcomes('errors'), ...listShownOutcomes('signature_failed')];
  const { rows } = await sql<Activity & { id: string }>`
    select connector.id, last.received_at as last_event_at, last.outcome as last_outcome, (
      select coalesce(sum(counted), 0)::int from webhook_events
       where connector_id = connector.id and received_at >= ${since} and outcome = any(${failed})) as failures
    from unnest(${sql.val([...ids])}::uuid[]) as connector (id)
    cross join lateral (
      select received_at, outcome from webhook_events where connector_id = connector.id
       order by received_at desc, id desc limit 1) last`.execute(db);
  return new Map(rows.map(({ id, ...activity }) => [id, activity]));
}

/** Ids of a connector's last events with these outcomes that still have their body, newest first. */
export async function listReplayableEventIds(
  db: Db,
  query: EventQuery,
  of: readonly Outcome[],
  limit: number,
): Promise<string[]> {
  const rows = await selectMatching(db, query)
    .select('id')
    .where('outcome', 'in', of)
    .where('body', 'is not', null)
    .orderBy('received_at')
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** Ids of a connector's last events of these outcomes that still have their body, the newest first. */
export async function listNewestEventIds(
  db: Db,
  connectorId: string,
  of: readonly Outcome[],
  limit: number,
): Promise<string[]> {
  const rows = await selectMatching(db, { connectorId, filter: 'all' })
    .select('id')
    .where('outcome', 'in', of)
    .where('body', 'is not', null)
    .orderBy('received_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** Queues events again, for a version or for the version that is active then. */
export async function requeueEvents(db: Db, ids: readonly string[], versionId: string | null): Promise<void> {
  if (!ids.length) return;
  await db
    .updateTable('webhook_events')
    .set({
      outcome: 'received',
      detail: null,
      version_id: versionId,
      attempts: 0,
      replays: sql<number>`replays + 1`,
      finished_at: null,
    })
    .where('id', 'in', ids)
    .execute();
}

/** The newest event of each shape, with the beginning of its body. */
export async function listSamples(db: Db, connectorId: string, { limit, bytes }: { limit: number; bytes: number }) {
  const { rows } = await sql<
    Pick<
      EventRow,
      'id' | 'received_at' | 'event_type' | 'content_type' | 'body' | 'headers' | 'query' | 'shape_hash'
    > & {
      events: number;
      is_cut: boolean;
    }
  >`
    select newest.*, counts.events from (
      select shape_hash, count(*)::int as events, max(received_at) as last from webhook_events
       where connector_id = ${connectorId} and shape_hash is not null and body is not null
       group by shape_hash order by last desc limit ${limit}) counts
    cross join lateral (
      select id, received_at, event_type, content_type, substring(body for ${bytes}) as body,
             octet_length(body) > ${bytes} as is_cut, headers, query, shape_hash from webhook_events
       where connector_id = ${connectorId} and shape_hash = counts.shape_hash and body is not null
       order by received_at desc, id desc limit 1) newest
    order by newest.received_at desc`.execute(db);
  return rows;
}

const notTaken: readonly Outcome[] = ['refused', 'signature_failed'];

/** Deletes bodies, headers and translations of events before a time, and all rows of rejected requests. */
export async function dropContentBefore(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('webhook_events').where('received_at', '<', before).where('outcome', 'in', notTaken).execute();
  await db.deleteFrom('webhook_signatures').where('received_at', '<', before).execute();
  await db
    .updateTable('webhook_events')
    .set({ body: null, headers: toJsonColumn({}), query: toJsonColumn({}), translator_output: null, shape_hash: null })
    .where('received_at', '<', before)
    .where(sql<boolean>`(body is not null or headers <> '{}' or query <> '{}')`)
    .where('outcome', '<>', 'received')
    .execute();
}

/** How many requests had a wrong signature since a time. */
export async function countUnsigned(db: Db, connectorId: string, since: Date | null): Promise<number> {
  const { count } = await db
    .selectFrom('webhook_events')
    .select((eb) => eb.fn.sum<number | null>('counted').as('count'))
    .where('connector_id', '=', connectorId)
    .where('outcome', '=', 'signature_failed')
    .$if(since !== null, (query) => query.where('received_at', '>=', since))
    .executeTakeFirstOrThrow();
  return Number(count ?? 0);
}
