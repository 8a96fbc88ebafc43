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
  why: 'This key may draft but not decide.',
  ask: 'Ask the person to look at it and approve it',
};
/** Nobody but who looked knows what became of it. */
export const toAnswer: Asked = {
  why: 'What became of it, a person has to say who looked.',
  ask: 'Who signed in by a link that a key made signs in again in person; otherwise ask the person to look and to say so',
};
/** What a person reads before they approve it. */
export const toEdit: Asked = {
  why: 'This key may draft but not edit what waits.',
  ask: 'Discard it and draft another, or ask the person to edit it',
};
/** What may be taken back, and what waits and is declined instead. */
export const toUndo: Asked = {
  why: 'This key may not take back what was done.',
  ask: 'What still waits is ended with discard_action; otherwise ask the person to take it back',
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
