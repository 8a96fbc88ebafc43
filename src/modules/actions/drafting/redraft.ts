// A draft may be drafted again only if it is certain that nothing was sent.
import type { Context } from '#kernel/context';
import type { Db } from '#kernel/database';
import { AppError, createNotFoundError } from '#kernel/errors';
import { readDatabaseTime } from '#platform/database';
import type { DraftState } from '../draft-states.ts';
import { findDraft, findFollower, type DraftRow } from '../store/drafts.ts';

const unsent: readonly DraftState[] = ['failed', 'expired', 'stale'];

/**
 * Whether this draft may be drafted again: nothing was sent, and no other draft follows it. An expired draft may still
 * have the state `pending`.
 */
export async function canRedraft({ db }: { db: Db }, { id, status, error, expires_at }: DraftRow): Promise<boolean> {
  const isOver = unsent.includes(status) || (status === 'pending' && expires_at <= (await readDatabaseTime(db)));
  return isOver && error?.['is_replaced'] !== true && (await findFollower(db, id)) === undefined;
}

/** Throws `conflict` unless the caller may draft it again; `not_found` when it is not theirs. */
export async function checkRedraft(ctx: Context, draftId: string): Promise<void> {
  const { db, caller } = ctx;
  const draft = await findDraft(db, draftId);
  if (draft.person_id !== caller.personId) throw createNotFoundError('draft');
  if (await canRedraft(ctx, draft)) return;
  const follower = await findFollower(db, draftId);
  const why = follower ? `it was drafted again as ${follower}` : `it is ${draft.status}`;
  throw new AppError('conflict', `follows_id: this draft cannot be drafted again: ${why}.`, { status: draft.status });
}
