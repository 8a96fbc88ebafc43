// Stores new events, each once.
import { toJsonColumn } from '#platform/database';
import { sql } from 'kysely';
import { type Db, type EventRow } from './tables.ts';

export type NewEvent = Pick<
  EventRow,
  | 'id'
  | 'workspace_id'
  | 'connector_id'
  | 'received_at'
  | 'outcome'
  | 'detail'
  | 'event_type'
  | 'delivery_id'
  | 'delivery_key'
  | 'content_type'
  | 'headers'
  | 'query'
  | 'body'
  | 'body_bytes'
  | 'shape_hash'
>;

const isKept = sql<boolean>`outcome not in ('signature_failed', 'refused', 'duplicate')`;

/** Stores an event. Returns the id of an earlier event of the same delivery, or null. */
export async function insertEvent(db: Db, event: NewEvent): Promise<string | null> {
  const [first = null] = await insertEvents(db, [{ event, signedHash: null }]);
  return first;
}

/** An event with the hash of what its signature covers; null when nothing distinguishes it from another one. */
export type SignedEvent = { readonly event: NewEvent; readonly signedHash: string | null };

/**
 * Stores events with one insert. Returns for each the id of an earlier event of the same delivery, or with the same
 * signed content in the last hour, or null.
 */
export async function insertEvents(db: Db, given: readonly SignedEvent[]): Promise<(string | null)[]> {
  const seen = await claimSignatures(db, given);
  const firsts: (string | null)[] = [];
  const stored = await insertNew(
    db,
    given.flatMap(({ event }) => (seen.has(event.id) ? [] : [event])),
  );
  for (const { event } of given) {
    const first = seen.get(event.id);
    if (first !== undefined) await insertDuplicateEvent(db, event, first);
    firsts.push(first ?? (stored.has(event.id) ? null : await insertDuplicate(db, event)));
  }
  return firsts;
}

/** A sender without a signed time may send the same content again later, such as an hourly heartbeat. */
const replayWindowMs = 60 * 60 * 1_000;

/** By event id, for events whose signed content was already received in the last hour: the id of the earlier event. */
async function claimSignatures(db: Db, given: readonly SignedEvent[]): Promise<Map<string, string>> {
  const seen = new Map<string, string>();
  // In the same order everywhere, to avoid deadlocks between processes.
  const signed = given.toSorted((a, b) => ((a.signedHash ?? '') < (b.signedHash ?? '') ? -1 : 1));
  for (const { event, signedHash } of signed) {
    if (signedHash === null) continue;
    const { id, workspace_id, connector_id, received_at } = event;
    const since = new Date(received_at.getTime() - replayWindowMs);
    const { rows } = await sql<{ event_id: string }>`
      insert into webhook_signatures (workspace_id, connector_id, signed_hash, event_id, received_at)
      values (${workspace_id}, ${connector_id}, ${signedHash}, ${id}, ${received_at})
      on conflict (connector_id, signed_hash) do update set
        event_id = case when webhook_signatures.received_at < ${since} then excluded.event_id else webhook_signatures.event_id end,
        received_at = case when webhook_signatures.received_at < ${since} then excluded.received_at else webhook_signatures.received_at end
      returning event_id`.execute(db);
    const first = rows[0]?.event_id;
    if (first !== undefined && first !== id) seen.set(id, first);
  }
  return seen;
}

/** The ids of those that were stored, without repeated deliveries. */
async function insertNew(db: Db, events: readonly NewEvent[]): Promise<Set<string>> {
  if (events.length === 0) return new Set();
  const inserted = await db
    .insertInto('webhook_events')
    .values(events.map((event) => toEventRow(event)))
    .onConflict((oc) =>
      oc
        .columns(['connector_id', 'delivery_key'])
        .where(sql<boolean>`delivery_key is not null`)
        .where(isKept)
        .doNothing(),
    )
    .returning('id')
    .execute();
  return new Set(inserted.map(({ id }) => id));
}

async function insertDuplicate(db: Db, event: NewEvent): Promise<string> {
  const first = await readFirstOfDelivery(db, event);
  await insertDuplicateEvent(db, event, first);
  return first;
}

async function insertDuplicateEvent(db: Db, event: NewEvent, first: string): Promise<void> {
  const duplicate = { ...event, outcome: 'duplicate' as const, body: null, shape_hash: null };
  await db
    .insertInto('webhook_events')
    .values({ ...toEventRow(duplicate), duplicate_of: first })
    .execute();
}

async function readFirstOfDelivery(db: Db, { connector_id, delivery_key }: NewEvent): Promise<string> {
  const { id } = await db
    .selectFrom('webhook_events')
    .select('id')
    .where('connector_id', '=', connector_id)
    .where('delivery_key', '=', delivery_key)
    .where(isKept)
    .executeTakeFirstOrThrow();
  return id;
}

/** The columns that a new event has. The database fills the others. */
function toEventRow(event: NewEvent) {
  return {
    ...event,
    headers: toJsonColumn(event.headers),
    query: toJsonColumn(event.query),
    finished_at: event.outcome === 'received' ? null : event.received_at,
  };
}

/** Whether a connector has at least this many events of an outcome since a time. */
export async function hasRows(
  db: Db,
  { connector_id, outcome }: NewEvent,
  { since, count }: { since: Date; count: number },
): Promise<boolean> {
  const rows = db.selectFrom('webhook_events').where('connector_id', '=', connector_id).where('outcome', '=', outcome);
  const last = rows
    .where('received_at', '>=', since)
    .select('id')
    .offset(count - 1)
    .limit(1);
  return (await last.executeTakeFirst()) !== undefined;
}

/** Counts a request over the limit of a minute, in one row for that minute. */
export async function countEvent(db: Db, event: NewEvent, minute: Date): Promise<void> {
  await sql`
    insert into webhook_events (id, workspace_id, connector_id, received_at, outcome, detail, headers, query, body_bytes, finished_at, counted_minute)
    values (${event.id}, ${event.workspace_id}, ${event.connector_id}, ${event.received_at}, ${event.outcome},
      'Further requests of this minute, counted.', '{}', '{}', 0, ${event.received_at}, ${minute})
    on conflict (connector_id, outcome, counted_minute) where counted_minute is not null
      do update set counted = webhook_events.counted + 1`.execute(db);
}
