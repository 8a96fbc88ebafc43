import type { Action } from '#kernel/action';
import type { Context } from '#kernel/context';
import type { Effect } from '#kernel/rule';
import { askPolicy, readActor, buildSubject } from './ask-policy.ts';
import { formatReason } from './judge.ts';

type JudgeContext = { db: Context['db']; caller: Pick<Context['caller'], 'kind' | 'ownRules' | 'run'> };

/**
 * The policy's present answer for an action with this payload, if this caller drafted it, with the reason. Nothing is
 * drafted.
 */
export async function judgeAction(
  { db, caller }: JudgeContext,
  action: Action,
  payload: Record<string, unknown>,
  account: string,
): Promise<{ effect: Effect; reason: string }> {
  const ruling = await askPolicy(db, await buildSubject(db, action, payload, { account, ...readActor(caller) }, null));
  return { effect: ruling.effect, reason: formatReason(ruling) };
}
