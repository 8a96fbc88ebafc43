// The right to send or reconcile a draft: held for a while, by the clock of the database.
import { computeTimeFromNow, toJsonColumn } from '#platform/database';
import { isLeaseHeld, isFree, buildExtendedLease, buildTakenLease } from '#platform/lease';
import type { Kysely } from 'kysely';
import { withJson, type Change, type DraftRow } from './drafts.ts';

type Db = Kysely<{ drafts: DraftRow }>;

/** A job that comes a little before its time may still ask. */
const earlyMs = 500;

/**
 * Takes the lease to send or to reconcile. Undefined: the draft is settled, another process has the lease, or the
 * provider is to be asked later, by a later job.
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

/** Keeps that right for so long from now. False: it was lost. */
export async function keepDraftLease(db: Db, draft: LeasedDraft, forMs: number): Promise<boolean> {
  const row = await updateLeased(db, draft).set(buildExtendedLease(forMs)).returning('id').executeTakeFirst();
  return row !== undefined;
}

/**
 * Notes the handle for the provider, and that sending begins. Returns the time of the database, or null when the right
 * to send was lost.
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

/** Notes something on a draft without changing its state. False when the lease was lost: then nothing may be sent. */
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
