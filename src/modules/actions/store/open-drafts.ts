// Unfinished drafts, many at a time.
import { computeTimeFromNow } from '#platform/database';
import { sql, type Kysely } from 'kysely';
import type { DraftRow } from './drafts.ts';

type Db = Kysely<{ drafts: DraftRow }>;

/** Marks the drafts that expired, by the clock of the database; returns them. */
export async function expirePending(
  db: Db,
  { draftedBy, most }: { draftedBy?: string | undefined; most: number },
): Promise<Pick<DraftRow, 'id' | 'workspace_id' | 'person_id'>[]> {
  const overdue = db
    .selectFrom('drafts')
    .select('id')
    .where('status', '=', 'pending')
    .where('expires_at', '<=', computeTimeFromNow())
    .$if(draftedBy !== undefined, (query) => query.where('drafted_by', '=', draftedBy ?? ''))
    .limit(most)
    .forUpdate()
    .skipLocked();
  return db
    .updateTable('drafts')
    .set({ status: 'expired', settled_at: computeTimeFromNow() })
    .where('id', 'in', overdue)
    .returning(['id', 'workspace_id', 'person_id'])
    .execute();
}

/** Makes a person's pending drafts overdue: nobody can approve them, and the next round expires them. */
export async function expirePersonDrafts(db: Db, personId: string): Promise<void> {
  await db
    .updateTable('drafts')
    .set({ expires_at: computeTimeFromNow() })
    .where('person_id', '=', personId)
    .where('status', '=', 'pending')
    .where('expires_at', '>', computeTimeFromNow())
    .execute();
}

/**
 * Extends a locked pending draft to a time from now, limited by a time since it was drafted. Returns the new expiry, by
 * the clock of the database; null when it already waits about that long.
 */
export async function extendPending(
  db: Db,
  { id }: Pick<DraftRow, 'id'>,
  { fromNowMs, longestMs }: { fromNowMs: number; longestMs: number },
): Promise<Date | null> {
  const until = sql<Date>`least(${computeTimeFromNow(fromNowMs)}, created_at + make_interval(secs => ${longestMs / 1000}))`;
  const row = await db
    .updateTable('drafts')
    .set({ expires_at: until })
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .where(sql<boolean>`expires_at + interval '1 minute' <= ${until}`)
    .returning('expires_at')
    .executeTakeFirst();
  return row?.expires_at ?? null;
}

/** Unsettled drafts of a brain, oldest first; other decisions about them wait. */
export async function lockBrainOpenDrafts(db: Db, brainId: string): Promise<Pick<DraftRow, 'id' | 'status'>[]> {
  return db
    .selectFrom('drafts')
    .select(['id', 'status'])
    .where('brain_id', '=', brainId)
    .where('status', 'in', ['pending', 'confirming'])
    .orderBy('id')
    .forUpdate()
    .execute();
}

/**
 * Pending drafts, by id after one of them, locked until the transaction ends. Waits for drafts that a decision has
 * locked.
 */
export async function lockPending(
  db: Db,
  { afterId, limit }: { afterId: string | null; limit: number },
): Promise<DraftRow[]> {
  return db
    .selectFrom('drafts')
    .selectAll()
    .where('status', '=', 'pending')
    .where('expires_at', '>', computeTimeFromNow())
    .$if(afterId !== null, (query) => query.where('id', '>', afterId ?? ''))
    .orderBy('id')
    .limit(limit)
    .forUpdate()
    .execute();
}
