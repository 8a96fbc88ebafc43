import type { Face } from '#kernel/context';
import type { Event } from '#kernel/event';
import { sql, type Kysely, type RawBuilder } from 'kysely';

type Tables = {
  audit_log: {
    id: string;
    workspace_id: string;
    at: Date;
    caller_kind: string;
    caller_id: string;
    person_id: string;
    operation: string;
    request_id: string;
    subject: string;
    /** The face of the call; null in rows from before it was stored. */
    face: Face | null;
  };
  events: {
    id: string;
    workspace_id: string;
    xact: string;
    at: Date;
    name: string;
    payload: Record<string, unknown>;
    brain_id: string | null;
    person_id: string | null;
  };
};

export type AuditRow = Omit<Tables['audit_log'], 'subject'> & { subject: Record<string, unknown> };

export async function insertAuditRow(db: Kysely<Tables>, row: AuditRow): Promise<void> {
  await db
    .insertInto('audit_log')
    .values({ ...row, subject: JSON.stringify(row.subject) })
    .execute();
}

/**
 * Stores an event, and returns which of the conditions are true in its workspace, with one statement; a null condition
 * is true.
 */
export async function insertEvent(
  db: Kysely<Tables>,
  event: Event & { id: string; workspaceId: string; at: Date },
  conditions: readonly (RawBuilder<boolean> | null)[],
): Promise<boolean[]> {
  const holding = conditions.map((condition) => condition ?? sql.lit(true));
  const { rows } = await sql<{ holding: boolean[] }>`
    insert into events (id, workspace_id, xact, at, name, payload, brain_id, person_id)
    values (${event.id}, ${event.workspaceId}, pg_current_xact_id(), ${event.at}, ${event.name},
      ${JSON.stringify(event.payload)}::jsonb, ${event.brainId}, ${event.personId})
    returning array[${sql.join(holding)}]::boolean[] as holding`.execute(db);
  return rows[0]?.holding ?? [];
}

/** A position in the stream of events: everything up to it was read. */
export type Cursor = {
  /** The history of the database: in another one `xact` is meaningless. */
  history: string;
  xact: string;
  id: string;
};
export type ReadEvent = {
  cursor: Cursor;
  name: string;
  payload: Record<string, unknown>;
  /** The one person it concerns; null: several people. */
  personId: string | null;
  at: Date;
};

/**
 * Events after a cursor, oldest first, that concern one of the brains or people. Only events older than every running
 * transaction are returned, so a later commit can never be before the cursor. `seenSnapshot`: leaves out events that the
 * snapshot of the listener's start already saw, because a long transaction can have delayed its start position.
 */
export async function readEvents(
  db: Kysely<Tables>,
  after: Cursor,
  viewer: { brainIds: readonly string[]; personIds: readonly string[]; seenSnapshot?: string | undefined },
  limit = 100,
): Promise<ReadEvent[]> {
  const rows = await db
    .selectFrom('events')
    .select(['id', sql<string>`xact::text`.as('cursor_xact'), 'name', 'payload', 'person_id as personId', 'at'])
    .where(sql<boolean>`(xact, id) > (${after.xact}::xid8, ${after.id}::uuid)`)
    .where(sql<boolean>`xact < pg_snapshot_xmin(pg_current_snapshot())`)
    .$if(viewer.seenSnapshot !== undefined, (query) =>
      query.where(sql<boolean>`not pg_visible_in_snapshot(xact, ${viewer.seenSnapshot}::pg_snapshot)`),
    )
    .where((eb) => eb.or([eb('brain_id', 'is', null), sql<boolean>`brain_id = any(${viewer.brainIds})`]))
    .where((eb) => eb.or([eb('person_id', 'is', null), eb('person_id', 'in', viewer.personIds)]))
    .orderBy(sql`xact`)
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(({ id, cursor_xact, ...event }) => ({ cursor: { ...after, xact: cursor_xact, id }, ...event }));
}

const afterEveryId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** The start of a new listener: this position, without events that this snapshot already saw. */
export async function readLatestCursor(db: Kysely<unknown>): Promise<Cursor & { seenSnapshot: string }> {
  const { rows } = await sql<{ history: string; xact: string; seenSnapshot: string }>`
    select database_history() as history, (pg_snapshot_xmin(current)::text::bigint - 1)::text as xact, current::text as "seenSnapshot"
      from (select pg_current_snapshot() as current) now`.execute(db);
  if (!rows[0]) throw new Error('there is always a snapshot');
  return { ...rows[0], id: afterEveryId };
}

/**
 * The same position in the present history of the database: after a standby took over, or in a copy. If the cursor's
 * event was lost with another history, the position is before every later event, by the time in their ids.
 */
export async function moveCursor(db: Kysely<Tables>, cursor: Cursor): Promise<Cursor> {
  const latest = await readLatestCursor(db as Kysely<unknown>); // reads no table
  if (cursor.history === latest.history && BigInt(cursor.xact) <= BigInt(latest.xact)) return cursor;
  const { history } = latest;
  const event = await db
    .selectFrom('events')
    .select(sql<string>`xact::text`.as('at'))
    .where('id', '=', cursor.id)
    .executeTakeFirst();
  if (event) return { history, xact: event.at, id: cursor.id };
  if (!cursor.history || cursor.history === history) return latest;
  const { rows } = await sql<{ before: string | null }>`
    select (min(xact::text::bigint) - 1)::text as before from events where id > ${cursor.id}`.execute(db);
  return { history, xact: rows[0]?.before ?? latest.xact, id: afterEveryId };
}

/** Deletes the events of a brain that is deleted. */
export async function dropEventsOfBrain(db: Kysely<Tables>, brainId: string): Promise<void> {
  await db.deleteFrom('events').where('brain_id', '=', brainId).execute();
}

export async function dropEventsBefore(db: Kysely<Tables>, at: Date): Promise<void> {
  await db.deleteFrom('events').where('at', '<', at).execute();
}
