// The lease to send or reconcile a draft, by the clock of the database.
import { computeTimeFromNow, toJsonColumn } from '#platform/database';
import { isLeaseHeld, isFree, buildExtendedLease, buildTakenLease } from '#platform/lease';
import type { Kysely } from 'kysely';
import { withJson, type Change, type DraftRow } from './drafts.ts';

type Db = Kysely<{ drafts: DraftRow }>;

/** A job that arrives slightly early may still ask. */
const earlyMs = 500;

/**
 * Takes the lease to send or to reconcile. Undefined: the draft has its outcome, another process has the lease, or a
 * later job will ask the provider.
 */
export async function takeDraftLease(db: Db, id: string, forMs: number): Promise<DraftRow | undefined> {
  return db
    .updateTable('drafts')
    .set(buildTakenLease(forMs))
    .where('id', '=', id)
    .where('status', 'in', ['confirming', 'ambiguous'])
    .where(isFree)
    .where((eb) => eb.or([eb('ask_at', 'is', null), eb('ask_at', '<=', computeTimeFromNow(earlyMs))]))
    .returningAll()
    .executeTakeFirst();
}

type LeasedDraft = Pick<DraftRow, 'id' | 'lease_token'>;

/** Extends the lease for this long from now. False: it was lost. */
export async function keepDraftLease(db: Db, draft: LeasedDraft, forMs: number): Promise<boolean> {
  const row = await updateLeased(db, draft).set(buildExtendedLease(forMs)).returning('id').executeTakeFirst();
  return row !== undefined;
}

/**
 * Stores the handle for the provider, and that sending begins. Returns the time of the database, or null when the lease
 * was lost.
 */
export async function noteSending(
  db: Db,
  draft: LeasedDraft,
  { handle, forMs }: { handle: Record<string, unknown>; forMs: number },
): Promise<Date | null> {
  const row = await updateLeased(db, draft)
    .set({ handle: toJsonColumn(handle), send_started_at: computeTimeFromNow(), ...buildExtendedLease(forMs) })
    .returning('send_started_at')
    .executeTakeFirst();
  return row?.send_started_at ?? null;
}

/** Stores data on a draft without changing its state. False when the lease was lost: then nothing may be sent. */
export async function noteOnDraft(db: Db, draft: LeasedDraft, change: Change): Promise<boolean> {
  const row = await updateLeased(db, draft).set(withJson(change)).returning('id').executeTakeFirst();
  return row !== undefined;
}

function updateLeased(db: Db, draft: LeasedDraft) {
  return db
    .updateTable('drafts')
    .where('id', '=', draft.id)
    .where(isLeaseHeld(draft))
    .where('lease_until', 'is not', null);
}
