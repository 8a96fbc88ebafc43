// Which actions the current policy allows without approval. All texts about approval use it.
import { useQuery } from '@tanstack/react-query';
import { policyQuery, type NamedAction, type Policy, type Rule, type UnaskedAction } from './policy-requests.ts';

/** How many actions of agents need no approval. */
export type AllowedShare = 'none' | 'some' | 'all';

/** The share of all actions, or of those of one source; null until the policy is known. */
export function useUnasked(source?: string): AllowedShare | null {
  const { data: policy } = useQuery(policyQuery);
  return policy ? computeUnaskedShare(policy, source) : null;
}

/** How many actions of agents need no approval under a policy. */
export function computeUnaskedShare({ actions, unasked }: Policy, source?: string): AllowedShare {
  const isMeant = (each: { source: string }) => source === undefined || each.source === source;
  const open = unasked.filter(isMeant);
  if (!open.length) return 'none';
  const isAll = open.length === actions.filter(isMeant).length && open.every(({ when }) => when === 'always');
  return isAll ? 'all' : 'some';
}

/** The actions that a new policy would newly allow without approval, or in more cases. */
export function listNewlyUnasked(before: Policy, after: Policy): (NamedAction & Pick<UnaskedAction, 'when'>)[] {
  const isSame = (one: UnaskedAction, other: NamedAction) => one.source === other.source && one.action === other.action;
  return after.actions.flatMap((action) => {
    const now = after.unasked.find((each) => isSame(each, action));
    const then = before.unasked.find((each) => isSame(each, action));
    return now && then?.when !== now.when && then?.when !== 'always' ? [{ ...action, when: now.when }] : [];
  });
}

/** New allowing rules, except those about reading. */
export function listNewAllowances(before: Policy, after: Policy): Rule[] {
  const known = new Set(before.rules.map((rule) => JSON.stringify(rule)));
  const isOfReading = ({ risks, actions }: Rule) =>
    (risks ?? actions ?? []).length > 0 && (risks ?? actions ?? []).every((each) => each === 'read');
  return after.rules.filter(
    (rule) => rule.effect === 'allow' && !isOfReading(rule) && !known.has(JSON.stringify(rule)),
  );
}

/** Whether a person is to be asked before a policy is saved: agents may do more without asking then. */
export function isMorePermissive(before: Policy, after: Policy): boolean {
  if (listNewlyUnasked(before, after).length) return true;
  return after.unasked.length > 0 && listNewAllowances(before, after).length > 0;
}
