// Deliveries. They are also the queue of each destination.
import type { Caller } from '#kernel/caller';
import { computeTimeFromNow, toJsonColumn } from '#platform/database';
import { isFree, noLease, buildTakenLease } from '#platform/lease';
import { sql, type RawBuilder } from 'kysely';
import { locateDestinations } from './destinations.ts';
import { buildTakePlacesSql } from './pace.ts';
import type { AttemptRow, Db, DeliveryRow, DestinationRow } from './tables.ts';

export type NewDelivery = Pick<
  DeliveryRow,
  | 'id'
  | 'workspace_id'
  | 'route_id'
  | 'destination_id'
  | 'event_id'
  | 'content_type'
  | 'payload'
  | 'payload_bytes'
  | 'document_count'
  | 'created_at'
  | 'position'
>;

/** Queues a delivery, unless this event was already queued for this route. */
export async function insertDelivery(db: Db, delivery: NewDelivery): Promise<void> {
  const empty = { http_status: null, error: null, duration_ms: null, delivered_at: null };
  await db
    .insertInto('output_deliveries')
    .values({
      ...delivery,
      ...empty,
      ...noLease,
      status: 'waiting',
      attempts: 0,
      next_attempt_at: delivery.created_at,
    })
    .onConflict((oc) => oc.columns(['route_id', 'event_id']).doNothing())
    .execute();
}

/** Destinations with due deliveries, in all workspaces, without those whose rate limit allows none now. */
export async function listDestinationsWithWork(db: Db, at: Date): Promise<{ id: string; workspace_id: string }[]> {
  const { rows } = await sql<{ id: string; workspace_id: string }>`
    select id, workspace_id from output_destinations where state = 'active' and kind = 'webhook' and exists (
      select from output_deliveries where output_deliveries.destination_id = output_destinations.id and status = 'waiting'
        and next_attempt_at <= ${at} and ${isFree})
      and not exists (select from output_paces where destination_id = output_destinations.id and next_at > clock_timestamp())
    limit 500`.execute(db);
  return rows;
}

/**
 * How many deliveries wait to be sent, in all workspaces, by the state of their destination. Feeds are read, not sent.
 */
export async function countWaitingDeliveries(db: Db): Promise<{ state: string; count: number }[]> {
  const { rows } = await sql<{ state: string; count: number }>`
    select state, count(delivery.id)::integer as count from (values ('active'), ('paused')) as shown (state)
      left join output_destinations destination using (state)
      left join output_deliveries delivery
        on delivery.destination_id = destination.id and delivery.status = 'waiting' and destination.kind = 'webhook'
    group by state`.execute(db);
  return rows;
}

type TakeOptions = { at: Date; limit: number; leaseMs: number; clock?: RawBuilder<Date> };

/** Leases the longest-due deliveries, as many as the destination's rate limit allows by the `clock`. */
export async function takeDeliveries(
  db: Db,
  { id, workspace_id, max_per_minute }: Pick<DestinationRow, 'id' | 'workspace_id' | 'max_per_minute'>,
  { at, limit, leaseMs, clock = computeTimeFromNow() }: TakeOptions,
): Promise<DeliveryRow[]> {
  if (max_per_minute === null) return []; // a feed is read
  const wanted = sql<number>`(select count(*) from due)`;
  // As an array, so that the rows are always found by their ids. Status and limit are literals: with parameters,
  // PostgreSQL would plan this query each time, because no generic plan can use the index of waiting deliveries.
  const granted = sql<string>`array(select id from due order by next_attempt_at, id limit coalesce((select granted from places), 0))`;
  return db
    .with('due', (own) =>
      own
        .selectFrom('output_deliveries')
        .select(['id', 'next_attempt_at'])
        .where('destination_id', '=', id)
        .where('status', '=', sql.lit('waiting'))
        .where('next_attempt_at', '<=', at)
        .where(isFree)
        .orderBy('next_attempt_at')
        .orderBy('id')
        .limit(sql.lit(limit))
        .forUpdate()
        .skipLocked(),
    )
    .with('places', () => buildTakePlacesSql({ id, workspace_id, max_per_minute }, wanted, clock))
    .updateTable('output_deliveries')
    .set(buildTakenLease(leaseMs))
    .where(sql<boolean>`id = any(${granted})`)
    .returningAll()
    .execute();
}

/** An attempt at a leased delivery, and the new state of the delivery. */
export type EndedAttempt = Pick<
  DeliveryRow,
  'status' | 'attempts' | 'next_attempt_at' | 'http_status' | 'error' | 'delivered_at'
> & { delivery: DeliveryRow; attempt_id: string; at: Date; duration_ms: number };

/**
 * Stores attempts and their outcomes, in one statement. Returns the ids of their deliveries, without deliveries that
 * another process has taken: that process's outcome counts. The limit tells PostgreSQL how few rows there are.
 */
export async function endAttempts(db: Db, attempts: readonly EndedAttempt[]): Promise<Set<string>> {
  const rows = attempts.map(({ delivery: { id, workspace_id, lease_token }, ...attempt }) => ({
    id,
    workspace_id,
    lease_token,
    ...attempt,
  }));
  const { rows: stored } = await sql<{ id: string }>`
    with ended as (
      select * from jsonb_to_recordset(${toJsonColumn(rows)}) as ended (id uuid, workspace_id uuid, lease_token integer, attempt_id uuid,
        at timestamptz, status text, attempts integer, next_attempt_at timestamptz, http_status integer, error text,
        duration_ms integer, delivered_at timestamptz) limit ${sql.lit(rows.length)}
    ), stored as (
      insert into output_attempts (id, workspace_id, delivery_id, number, at, http_status, error, duration_ms, delivered)
      select attempt_id, workspace_id, id, attempts, at, http_status, error, duration_ms, status = 'delivered' from ended
      on conflict (id) do nothing
    )
    update output_deliveries delivery set status = ended.status, attempts = ended.attempts,
        next_attempt_at = ended.next_attempt_at, http_status = ended.http_status, error = ended.error,
        duration_ms = ended.duration_ms, delivered_at = ended.delivered_at, lease_until = null
      from ended
     where delivery.id = ended.id and delivery.lease_token = ended.lease_token
    returning delivery.id`.execute(db);
  return new Set(stored.map(({ id }) => id));
}

/** Cancels waiting deliveries of a route, of a destination, or a single one. */
export async function failWaiting(
  db: Db,
  of: Partial<Pick<DeliveryRow, 'id' | 'route_id' | 'destination_id'>>,
  error: string,
): Promise<void> {
  const waiting = db.updateTable('output_deliveries').set({ status: 'failed', error }).where('status', '=', 'waiting');
  await waiting.where((eb) => eb.and(of)).execute();
}

type Query = {
  destinationId?: string | undefined;
  status?: DeliveryRow['status'] | undefined;
  limit: number;
  offset: number;
};

export type DeliverySummary = Omit<
  DeliveryRow,
  'payload' | 'position' | 'lease_token' | 'lease_until' | 'content_type'
>;

export async function listDeliveries(db: Db, caller: Caller, query: Query): Promise<DeliverySummary[]> {
  const { destinationId, status, limit, offset } = query;
  const seen = destinationId === undefined ? null : await locateDestinations(db, [destinationId], caller);
  if (seen?.length === 0) return [];
  return db
    .selectFrom('output_deliveries')
    .innerJoin('output_destinations as destination', 'destination.id', 'output_deliveries.destination_id')
    .selectAll('output_deliveries')
    .where('destination.state', '<>', 'deleted')
    .$if(caller.role === 'member', (q) => q.where('destination.person_id', '=', caller.personId))
    .$if(destinationId !== undefined, (q) => q.where('destination_id', '=', destinationId ?? ''))
    .$if(status !== undefined, (q) => q.where('status', '=', status ?? 'failed'))
    .orderBy('output_deliveries.created_at', 'desc')
    .orderBy('output_deliveries.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
}

export async function findDelivery(db: Db, id: string): Promise<DeliveryRow> {
  return db.selectFrom('output_deliveries').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

export async function listAttempts(db: Db, deliveryId: string): Promise<AttemptRow[]> {
  return db
    .selectFrom('output_attempts')
    .selectAll()
    .where('delivery_id', '=', deliveryId)
    .orderBy('at')
    .limit(200)
    .execute();
}

/** Queues deliveries again, under their ids, with all attempts. Deliveries without payload or route are skipped. */
export async function replayDeliveries(
  db: Db,
  of: { ids: readonly string[] } | { destinationId: string; since: Date | null; until: Date | null },
  at: Date,
): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('output_deliveries')
    .set({ status: 'waiting', attempts: 0, next_attempt_at: at, delivered_at: null })
    .where('payload', 'is not', null)
    .where('route_id', 'in', (eb) => eb.selectFrom('output_routes').select('id').where('state', '=', 'active'))
    .$if('ids' in of, (query) => query.where('id', 'in', 'ids' in of ? of.ids : []))
    .$if('destinationId' in of, (query) => {
      if (!('destinationId' in of)) return query;
      const failed = query.where('destination_id', '=', of.destinationId).where('status', '=', 'failed');
      const since = of.since ? failed.where('created_at', '>=', of.since) : failed;
      return of.until ? since.where('created_at', '<', of.until) : since;
    })
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** Deletes payloads after their retention time. */
export async function dropPayloadsBefore(db: Db, before: Date): Promise<void> {
  await db
    .updateTable('output_deliveries')
    .set({ payload: null })
    .where('created_at', '<', before)
    .where('status', '<>', 'waiting')
    .where('payload', 'is not', null)
    .execute();
}
