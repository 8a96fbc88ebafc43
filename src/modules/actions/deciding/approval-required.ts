import type { Context } from '#kernel/context';
import { AppError } from '#kernel/errors';
import { loadViewer } from '../approvers/draft-access.ts';
import { presentDraft } from '../presenting/draft.ts';
import type { GateDeps } from '../gate-deps.ts';
import { findDraft } from '../store/drafts.ts';

/** The acts that need a person, and the text that asks for one. */
type ApprovalReason = { why: string; ask: string };

/** A pending draft. */
export const toApprove: ApprovalReason = {
  why: 'This key may draft but not approve.',
  ask: 'Ask the person to check and approve it',
};
/** An ambiguous draft, about which only a person who checked can answer. */
export const toAnswer: ApprovalReason = {
  why: 'Only a person who checked may answer.',
  ask: "If you signed in by a key's link, sign in yourself. Otherwise ask the person to check and to answer",
};
/** The text that a person reads before they approve it. */
export const toEdit: ApprovalReason = {
  why: 'This key may draft but not edit waiting drafts.',
  ask: 'Discard it and draft again, or ask the person to edit it',
};
/** A completed action that can be undone, or a pending draft that is declined instead. */
export const toUndo: ApprovalReason = {
  why: 'This key may not undo.',
  ask: 'Use discard_action for a waiting draft. Otherwise ask the person to undo it',
};

/**
 * The error for a caller that may not confirm: where a person can decide, and the draft if it is only one. It does not
 * reveal which drafts of a batch are missing.
 */
export async function createApprovalRequiredError(
  ctx: Context,
  { registry, publicUrl }: Pick<GateDeps, 'registry' | 'publicUrl'>,
  draftIds: readonly string[],
  { why, ask }: ApprovalReason = toApprove,
): Promise<AppError> {
  const [only, ...others] = draftIds;
  if (only === undefined || others.length) return createApprovalError(`${publicUrl}/inbox`, `${why} ${ask}`);
  const draft = presentDraft(
    await findDraft(ctx.db, only),
    registry,
    await loadViewer(ctx.db, ctx.caller, ctx.now),
    ctx.now,
  );
  return createApprovalError(`${publicUrl}/inbox/${only}`, `${why} ${ask}`, { draft });
}

function createApprovalError(url: string, said: string, more: object = {}): AppError {
  return new AppError('approval_required', `${said}: ${url}`, {
    approval_url: url,
    ...more,
  });
}
