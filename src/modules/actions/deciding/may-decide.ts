// Who may approve a draft that they can see: the rules of the workspace, the key's own rules, and what automations may.
import { isAtConsole } from '#kernel/caller';
import type { Context } from '#kernel/context';
import {
  buildDraftSubject,
  createBlockedError,
  formatReason,
  judgeByOwnRules,
  type ActionRegistry,
  type Ruling,
} from '#modules/policy';
import { createApprovalRequiredError, toApprove } from './approval-required.ts';
import type { GateDeps } from '../gate-deps.ts';
import type { DraftRow } from '../store/drafts.ts';

/**
 * Checks that the caller may approve a draft. Whether the caller may see the draft is checked before
 * (`approvers/draft-access.ts`). Throws `forbidden` where a rule blocks it, and `approval_required` when a person must
 * approve it.
 */
export async function checkMayDecide(
  ctx: Context,
  deps: GateDeps,
  draft: DraftRow,
  policy: Ruling | null | undefined,
): Promise<void> {
  const { registry } = deps;
  if (ctx.caller.run && !isSafeAndOwn(ctx, registry, draft)) {
    const why = 'An automation may confirm only its own drafts of the safe set.';
    throw await createApprovalRequiredError(ctx, deps, [draft.id], { ...toApprove, why });
  }
  if (draft.preview.isCompletedAtConsole && !(isAtConsole(ctx.caller) && ctx.face === 'console')) {
    const why = 'It contains values that an agent wrote, and only the console shows them.';
    throw await createApprovalRequiredError(ctx, deps, [draft.id], { ...toApprove, why });
  }
  // A key cannot approve for others what its own rules would not allow it.
  const own = judgeByOwnRules(
    ctx.caller.ownRules,
    await buildDraftSubject(ctx.db, registry.get(draft.source, draft.action, draft.payload), draft),
  );
  for (const verdict of [policy, own]) {
    if (verdict?.effect === 'block') throw createBlockedError(verdict);
    if (verdict?.effect !== 'require_human' || ctx.caller.isHumanSurface) continue;
    throw await createApprovalRequiredError(ctx, deps, [draft.id], { ...toApprove, why: formatReason(verdict) });
  }
}

/** The scope of `auto_confirm_safe`: drafts of the same automation, in the safe set. */
function isSafeAndOwn(
  { caller }: Context,
  registry: ActionRegistry,
  { drafted_by, source, action, payload }: DraftRow,
): boolean {
  return drafted_by === caller.id && !registry.get(source, action, payload).requiresConfirmation;
}
