// Stores new events, each once.
import { json } from '#platform/database';
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

/** Stores an event. Answers the id of the one that was stored before for the same delivery, or null. */
export async function insertEvent(db: Db, event: NewEvent): Promise<string | null> {
  const [first = null] = await insertEvents(db, [event]);
  return first;
}

/** Stores events by one insert. Answers for each the id of the one that was stored before for the same delivery, or null. */
export async function insertEvents(db: Db, events: readonly NewEvent[]): Promise<(string | null)[]> {
  const inserted = await db
    .insertInto('webhook_events')
    .values(events.map((event) => rowOf(event)))
    .onConflict((oc) =>
      oc
        .columns(['connector_id', 'delivery_key'])
        .where(sql<boolean>`delivery_key is not null`)
        .where(isKept)
        .doNothing(),
    )
    .returning('id')
    .execute();
  const ids = new Set(inserted.map(({ id }) => id));
  const firsts: (string | null)[] = [];
  for (const event of events) firsts.push(ids.has(event.id) ? null : await insertDuplicate(db, event));
  return firsts;
}

async function insertDuplicate(db: Db, event: NewEvent): Promise<string> {
  const first = await firstOfDelivery(db, event);
  const duplicate = { ...event, outcome: 'duplicate' as const, body: null, shape_hash: null };
  await db
    .insertInto('webhook_events')
    .values({ ...rowOf(duplicate), duplicate_of: first })
    .execute();
  return first;
}

async function firstOfDelivery(db: Db, { connector_id, delivery_key }: NewEvent): Promise<string> {
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
function rowOf(event: NewEvent) {
  return {
    ...event,
    headers: json(event.headers),
    query: json(event.query),
    finished_at: event.outcome === 'received' ? null : event.received_at,
  };
}

/** Whether a connector has as many events of an outcome since a time. */
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
