// A repeated request while its first draft is pending: only one of the two drafts stays pending, and shows the current
// target.
import { isDeepStrictEqual } from 'node:util';
import type { Context } from '#kernel/context';
import { isSameRule, type RuleVerdict } from '#modules/policy';
import { lockEqualDrafts, type DraftRow, type EqualTo } from '../store/drafts.ts';
import type { TargetSnapshot } from '#kernel/action';
import { createCallScene, changeDraftState } from '../change-draft-state.ts';

/**
 * The pending draft of the same request with the same target, under the same rule. Other drafts of the request become
 * stale, because the new one replaces them. If the target could not be looked up now, the earlier snapshot counts.
 */
export async function replaceEqual(
  ctx: Context,
  request: EqualTo,
  { target, policy }: { target: TargetSnapshot; policy: RuleVerdict },
): Promise<DraftRow | null> {
  const others = await lockEqualDrafts(ctx.db, request);
  const same = others.find(
    (draft) =>
      (target.missing !== null || isDeepStrictEqual(draft.target, target)) &&
      draft.policy &&
      isSameRule(draft.policy, policy),
  );
  const message = 'This was drafted again because its target changed. Decide about the new draft.';
  for (const draft of others) {
    if (draft === same) continue;
    const change = { error: { message, is_replaced: true } };
    await changeDraftState(createCallScene(ctx), draft, { to: 'stale', change, detail: { message } });
  }
  return same ?? null;
}
