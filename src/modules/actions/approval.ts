import type { Context } from '#kernel/context';
import { AppError } from '#kernel/errors';
import { viewerOf } from './approvers/viewer.ts';
import { presentDraft } from './present.ts';
import type { ActionRegistry } from './registry.ts';
import { findDraft } from './store/drafts.ts';

/** The answer to a caller that wants to confirm and may not: the draft, and where a person can decide. */
export async function approvalRequired(
  ctx: Context,
  registry: ActionRegistry,
  draftIds: readonly string[],
  publicUrl: string,
  why = 'This key may draft but not decide.',
): Promise<AppError> {
  const [first = ''] = draftIds;
  const url = draftIds.length === 1 ? `${publicUrl}/inbox/${first}` : `${publicUrl}/inbox`;
  const draft = presentDraft(
    await findDraft(ctx.db, first),
    registry,
    await viewerOf(ctx.db, ctx.caller, ctx.now),
    ctx.now,
  );
  return new AppError('approval_required', `${why} Ask the person to look at it and approve it: ${url}`, {
    approval_url: url,
    ...(draftIds.length === 1 && { draft }),
  });
}
