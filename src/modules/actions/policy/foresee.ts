import type { Action } from '#kernel/action';
import type { Context } from '#kernel/context';
import { currentPolicy } from '../store/policies.ts';
import { kindOf } from './ask-policy.ts';
import { isBlockedAnyhow, judge } from './judge.ts';

/** What would become of a draft. `isBlocked`: it is refused, whomever it reaches and whatever it touches. */
export type Foreseen = { isBlocked: boolean; requiresConfirmation: boolean };

/**
 * Tells what would become of a draft of an action that this caller made, as far as that can be told before it is known whom it
 * goes to: whether it waits for a yes is told without the rules for certain recipients or targets.
 */
export async function foresee(ctx: Context): Promise<(action: Action, account: string) => Foreseen> {
  const policy = await currentPolicy(ctx.db);
  const { kind: caller, ownRules } = ctx.caller;
  return (action, account) => {
    const subject = { ...kindOf(action), account, recipients: [], what: '', caller, ownRules };
    return {
      isBlocked: isBlockedAnyhow(policy, subject),
      requiresConfirmation: judge(policy, subject).effect !== 'allow',
    };
  };
}
