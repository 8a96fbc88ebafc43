import type { Context } from '#kernel/context';
import { AppError } from '#kernel/errors';
import { viewerOf } from './approvers/viewer.ts';
import { presentDraft } from './present.ts';
import type { ActionRegistry } from './registry.ts';
import { findDraft } from './store/drafts.ts';

/**
 * The answer to a caller that wants to confirm and may not: where a person can decide, and the draft when it is one. Of several some
 * may not be there, which is not said.
 */
export async function approvalRequired(
  ctx: Context,
  registry: ActionRegistry,
  draftIds: readonly string[],
  publicUrl: string,
  why = 'This key may draft but not decide.',
): Promise<AppError> {
  const [only, ...others] = draftIds;
  if (only === undefined || others.length) return required(`${publicUrl}/inbox`, why);
  const draft = presentDraft(
    await findDraft(ctx.db, only),
    registry,
    await viewerOf(ctx.db, ctx.caller, ctx.now),
    ctx.now,
  );
  return required(`${publicUrl}/inbox/${only}`, why, { draft });
}

function required(url: string, why: string, more: object = {}): AppError {
  return new AppError('approval_required', `${why} Ask the person to look at it and approve it: ${url}`, {
    approval_url: url,
    ...more,
  });
}
