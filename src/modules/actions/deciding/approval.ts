import type { Context } from '#kernel/context';
import { AppError } from '#kernel/errors';
import { viewerOf } from '../approvers/viewer.ts';
import { presentDraft } from '../present.ts';
import type { GateDeps } from '../gate-deps.ts';
import { findDraft } from '../store/drafts.ts';

/** What only a person may do, and what they are asked for. */
type Asked = { why: string; ask: string };

/** A draft that waits. */
export const toApprove: Asked = {
  why: 'This key may draft but not approve.',
  ask: 'Ask the person to check and approve it',
};
/** Nobody but who looked knows what became of it. */
export const toAnswer: Asked = {
  why: 'Only a person who checked may answer.',
  ask: "If you signed in by a key's link, sign in yourself. Otherwise ask the person to check and to answer",
};
/** What a person reads before they approve it. */
export const toEdit: Asked = {
  why: 'This key may draft but not edit waiting drafts.',
  ask: 'Discard it and draft again, or ask the person to edit it',
};
/** What may be taken back, and what waits and is declined instead. */
export const toUndo: Asked = {
  why: 'This key may not undo.',
  ask: 'Use discard_action for a waiting draft. Otherwise ask the person to undo it',
};

/**
 * The answer to a caller that wants to confirm and may not: where a person can decide, and the draft when it is one. Of several some
 * may not be there, which is not said.
 */
export async function approvalRequired(
  ctx: Context,
  { registry, publicUrl }: Pick<GateDeps, 'registry' | 'publicUrl'>,
  draftIds: readonly string[],
  { why, ask }: Asked = toApprove,
): Promise<AppError> {
  const [only, ...others] = draftIds;
  if (only === undefined || others.length) return required(`${publicUrl}/inbox`, `${why} ${ask}`);
  const draft = presentDraft(
    await findDraft(ctx.db, only),
    registry,
    await viewerOf(ctx.db, ctx.caller, ctx.now),
    ctx.now,
  );
  return required(`${publicUrl}/inbox/${only}`, `${why} ${ask}`, { draft });
}

function required(url: string, said: string, more: object = {}): AppError {
  return new AppError('approval_required', `${said}: ${url}`, {
    approval_url: url,
    ...more,
  });
}
