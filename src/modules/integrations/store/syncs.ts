import type { ItemLocation } from '#kernel/resource';
import { computeTimeFromNow } from '#platform/database';
import {
  isLeaseHeld,
  isFree,
  buildExtendedLease,
  noLease,
  released,
  buildRevokedLease,
  buildTakenLease,
  type Lease,
} from '#platform/lease';
import { sql, type Kysely } from 'kysely';
import type { ItemError } from '#providers/reading';

export const syncStates = ['waiting', 'running', 'failing', 'stopped'] as const;
export type SyncState = (typeof syncStates)[number];

export type SyncRow = Lease & {
  id: string;
  workspace_id: string;
  connection_id: string;
  source: string;
  brain_id: string;
  person_id: string;
  every_minutes: number;
  days: number | null;
  /** Further settings of the source. */
  input: Record<string, unknown>;
  /** The cursor of the source; only the source reads it. */
  cursor: unknown;
  status: SyncState;
  next_at: Date;
  started_at: Date | null;
  finished_at: Date | null;
  items_done: number;
  items_total: number | null;
  pages_changed: number;
  errors: ItemError[];
  failure: string | null;
  failures: number;
  /** Items that a failing provider did not return, and in how many readings in a row. */
  trouble: Record<string, number>;
  created_at: Date;
};
type Tables = { syncs: SyncRow };
type Db = Kysely<Tables>;

type NewSync = Pick<
  SyncRow,
  'id' | 'workspace_id' | 'connection_id' | 'source' | 'brain_id' | 'person_id' | 'every_minutes' | 'days' | 'input'
>;

/** Creates a sync, or changes the sync of the same account, source and brain. Other days or other input restart it. */
export async function upsertSync(db: Db, sync: NewSync, at: Date): Promise<SyncRow> {
  return db
    .insertInto('syncs')
    .values({
      ...sync,
      input: sql`${JSON.stringify(sync.input)}::jsonb`,
      status: 'waiting',
      next_at: computeTimeFromNow(),
      created_at: at,
      ...neverRead,
    })
    .onConflict((conflict) =>
      conflict.columns(['connection_id', 'source', 'brain_id']).doUpdateSet({
        person_id: sync.person_id,
        every_minutes: sync.every_minutes,
        days: sync.days,
        input: sql`excluded.input`,
        cursor: sql`case when (syncs.days, syncs.input) is not distinct from (excluded.days, excluded.input) then syncs.cursor end`,
        status: 'waiting',
        next_at: computeTimeFromNow(),
        failure: null,
        failures: 0,
        ...buildRevokedLease('syncs'), // a running sync stops after its next batch, and another process continues
      }),
    )
    .returningAll()
    .executeTakeFirstOrThrow();
}

const neverRead = {
  cursor: null,
  started_at: null,
  finished_at: null,
  items_done: 0,
  items_total: null,
  pages_changed: 0,
  errors: sql<ItemError[]>`'[]'`,
  failure: null,
  failures: 0,
  trouble: sql<SyncRow['trouble']>`'{}'`,
  ...noLease,
};

/** Stops the syncs that read for a person. */
export async function stopSyncsOfPerson(db: Db, personId: string): Promise<void> {
  const failure = 'The access of the person who set up this sync ended. Set it up again.';
  await db
    .updateTable('syncs')
    .set({ status: 'stopped', failure, ...buildRevokedLease('syncs') }) // a running sync stores no further batch
    .where('person_id', '=', personId)
    .execute();
}

export async function findSync(db: Db, id: string): Promise<SyncRow | undefined> {
  return db.selectFrom('syncs').selectAll().where('id', '=', id).executeTakeFirst();
}

/** A sync of an account's source, into any brain. */
export async function findAccountSync(
  db: Db,
  { connectionId, source }: { connectionId: string; source: string },
): Promise<SyncRow | undefined> {
  return db
    .selectFrom('syncs')
    .selectAll()
    .where('connection_id', '=', connectionId)
    .where('source', '=', source)
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirst();
}

/** Syncs into these brains, the oldest first. */
export async function listBrainSyncs(db: Db, brainIds: readonly string[]): Promise<SyncRow[]> {
  if (!brainIds.length) return [];
  return db.selectFrom('syncs').selectAll().where('brain_id', 'in', brainIds).orderBy('created_at').execute();
}

export async function locateSyncs(db: Db, ids: readonly string[]): Promise<ItemLocation[]> {
  const rows = await db.selectFrom('syncs').select(['id', 'brain_id']).where('id', 'in', ids).execute();
  return rows.map((row) => ({ id: row.id, brainId: row.brain_id }));
}

/** Syncs that are due: their next time has passed, or the lease of a crashed process expired. */
export async function listDueSyncIds(db: Db, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('syncs')
    .select('id')
    .where('status', '!=', 'stopped')
    .where('next_at', '<=', sql<Date>`now()`)
    .where(isFree)
    .orderBy('next_at')
    .limit(limit)
    .execute();
  return rows.map((row) => row.id);
}

/** Takes the lease of a sync for this long. Undefined: another process has it, or the sync was stopped. */
export async function beginReading(db: Db, id: string, forMs: number): Promise<SyncRow | undefined> {
  return db
    .updateTable('syncs')
    .set({
      status: 'running',
      started_at: computeTimeFromNow(),
      items_done: 0,
      items_total: null,
      pages_changed: 0,
      errors: sql`'[]'`,
      ...buildTakenLease(forMs),
    })
    .where('id', '=', id)
    .where('status', '!=', 'stopped')
    .where('next_at', '<=', computeTimeFromNow())
    .where(isFree)
    .returningAll()
    .executeTakeFirst();
}

export type Progress = { cursor: unknown; done: number; total: number | null; changed: number; errors: ItemError[] };

/** Stores the cursor. False when another process took the lease or the sync was stopped: then nothing is stored. */
export async function keepProgress(db: Db, row: SyncRow, progress: Progress, forMs: number): Promise<boolean> {
  const updated = await updateLeasedSync(db, row)
    .set({
      cursor: sql`${JSON.stringify(progress.cursor)}::jsonb`,
      items_done: progress.done,
      items_total: progress.total,
      pages_changed: progress.changed,
      errors: sql`${JSON.stringify(progress.errors)}::jsonb`,
      ...buildExtendedLease(forMs),
    })
    .returning('id')
    .executeTakeFirst();
  return updated !== undefined;
}

/** Stores the unreadable items, after the last batch was stored. */
export async function noteErrors(db: Db, row: SyncRow, errors: readonly ItemError[]): Promise<void> {
  await updateLeasedSync(db, row)
    .set({ errors: sql`${JSON.stringify(errors)}::jsonb` })
    .execute();
}

/** Extends the lease, unless another process took it. */
export async function keepReading(db: Db, row: SyncRow, forMs: number): Promise<boolean> {
  const still = await updateLeasedSync(db, row).set(buildExtendedLease(forMs)).returning('id').executeTakeFirst();
  return still !== undefined;
}

/** Ends a reading, complete or not. Does nothing when another process took the lease. */
export async function endReading(
  db: Db,
  row: SyncRow,
  end: {
    /** The pause until the next reading. */
    waitMs: number;
    failure: string | null;
    isGivenUp?: boolean;
    trouble?: SyncRow['trouble'];
  },
): Promise<void> {
  const { waitMs, failure, isGivenUp = false, trouble = {} } = end;
  await updateLeasedSync(db, row)
    .set({
      status: failure === null ? 'waiting' : isGivenUp ? 'stopped' : 'failing',
      finished_at: computeTimeFromNow(),
      next_at: computeTimeFromNow(waitMs),
      failure,
      failures: failure === null ? 0 : sql`failures + 1`,
      trouble: sql`${JSON.stringify(trouble)}::jsonb`,
      ...released,
    })
    .execute();
}

function updateLeasedSync(db: Db, row: SyncRow) {
  return db.updateTable('syncs').where('id', '=', row.id).where('status', '=', 'running').where(isLeaseHeld(row));
}

/** Makes a sync due now. With `isFromStart` everything is read again, and a running reading is interrupted. */
export async function askToRead(db: Db, id: string, isFromStart: boolean): Promise<void> {
  await db
    .updateTable('syncs')
    .set({
      status: 'waiting',
      next_at: computeTimeFromNow(),
      failure: null,
      failures: 0,
      ...(isFromStart && { cursor: null, ...buildRevokedLease('syncs') }),
    })
    .where('id', '=', id)
    .$if(!isFromStart, (query) => query.where('status', '!=', 'running'))
    .execute();
}

/** Makes the failed syncs of an account due now. Returns them. */
export async function wakeSyncs(db: Db, connectionId: string): Promise<string[]> {
  const rows = await db
    .updateTable('syncs')
    .set({ status: 'waiting', next_at: computeTimeFromNow(), failure: null, failures: 0 })
    .where('connection_id', '=', connectionId)
    .where('status', '=', 'failing')
    .returning('id')
    .execute();
  return rows.map((row) => row.id);
}

/** Deletes a sync; its pages stay. A running reading stops after its next batch. */
export async function deleteSync(db: Db, id: string): Promise<void> {
  await db.deleteFrom('syncs').where('id', '=', id).execute();
}
