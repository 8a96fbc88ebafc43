// What was decided or waited, and surely did not happen, drafted once more.
import type { Context } from '#kernel/context';
import type { Db } from '#kernel/database';
import { AppError, notFound } from '#kernel/errors';
import type { DraftState } from '../draft-states.ts';
import { findDraft, findFollower, type DraftRow } from '../store/drafts.ts';

const unsent: readonly DraftState[] = ['failed', 'expired', 'stale'];

/** Whether another draft may stand for this one: it was not sent, and none does yet. What has expired may not be marked so yet. */
export async function canRedraft(
  { db, now }: { db: Db; now: Date },
  { id, status, error, expires_at }: DraftRow,
): Promise<boolean> {
  const isOver = unsent.includes(status) || (status === 'pending' && expires_at <= now);
  return isOver && error?.['is_replaced'] !== true && (await findFollower(db, id)) === undefined;
}

/** Throws `conflict` unless the caller may draft it again; `not_found` when it is not theirs. */
export async function checkRedraft(ctx: Context, draftId: string): Promise<void> {
  const { db, caller } = ctx;
  const draft = await findDraft(db, draftId);
  if (draft.person_id !== caller.personId) throw notFound('draft');
  if (await canRedraft(ctx, draft)) return;
  const follower = await findFollower(db, draftId);
  const why = follower ? `it was drafted again as ${follower}` : `it is ${draft.status}`;
  throw new AppError('conflict', `follows_id: this draft cannot be drafted again: ${why}.`, { status: draft.status });
}
