// A draft that is made again while it waits: there is one of it, about what is there now.
import { isDeepStrictEqual } from 'node:util';
import type { Context } from '#kernel/context';
import { isSameRule, type Verdict } from '../policy/judge.ts';
import { lockEqualDrafts, type DraftRow, type EqualTo } from '../store/drafts.ts';
import type { TargetSnapshot } from './target-snapshot.ts';
import { sceneIn, transition } from '../transition.ts';

/**
 * The draft of the same wish that waits and is about the same, under the same rule. Others of the wish become stale, since the new one
 * takes their place: whoever saw one of them saw something else. When nothing could be looked up now, what was seen then counts.
 */
export async function replaceEqual(
  ctx: Context,
  wish: EqualTo,
  { target, policy }: { target: TargetSnapshot; policy: Verdict },
): Promise<DraftRow | null> {
  const others = (await lockEqualDrafts(ctx.db, wish)).filter(({ expires_at }) => expires_at > ctx.now);
  const same = others.find((draft) => isAbout(draft, target) && draft.policy && isSameRule(draft.policy, policy));
  const message = 'It was drafted again, and what it would touch is not what it was then. Decide about the new draft.';
  for (const draft of others) {
    if (draft === same) continue;
    const change = { error: { message, is_replaced: true } };
    await transition(sceneIn(ctx), draft, { to: 'stale', change, detail: { message } });
  }
  return same ?? null;
}

function isAbout({ target: then }: DraftRow, now: TargetSnapshot): boolean {
  return now.missing !== null || isDeepStrictEqual(then, now);
}
