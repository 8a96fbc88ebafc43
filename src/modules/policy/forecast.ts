import type { Action } from '#kernel/action';
import type { Context } from '#kernel/context';
import { readPolicy } from './store.ts';
import { readActionKind, readActor } from './ask-policy.ts';
import { isBlockedAnyhow, judge } from './judge.ts';

/** The expected answer for a draft. `isBlocked`: it is refused for all recipients and targets. */
export type PolicyForecast = { isBlocked: boolean; requiresConfirmation: boolean };

/**
 * Predicts the policy's answer for a draft of an action by this caller, as far as possible before the recipients are
 * known. Rules for certain recipients or targets are left out.
 */
export async function createPolicyForecaster(
  ctx: Context,
): Promise<(action: Action, account: string) => PolicyForecast> {
  const policy = await readPolicy(ctx.db);
  return (action, account) => {
    const subject = { ...readActionKind(action), account, recipients: [], what: '', ...readActor(ctx.caller) };
    return {
      isBlocked: isBlockedAnyhow(policy, subject),
      requiresConfirmation: judge(policy, subject).effect !== 'allow',
    };
  };
}
