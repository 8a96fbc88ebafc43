// The actions that a policy lets agents do without approval, for some or all recipients and targets.
import { callerKindNames, getCallerKind, type CallerKindName } from '#kernel/caller-kinds';
import type { Rule } from '#kernel/rule';
import { readActionKind, type ActionKind } from './ask-policy.ts';
import { defaultRules } from './defaults.ts';
import { mayAnswer, type Policy, type Subject } from './judge.ts';

/** An action without approval: always, or only for some recipients, targets, accounts or callers. */
export type UnaskedAction = { source: string; action: string; when: 'always' | 'sometimes' };

/** Callers that draft without a person at a screen. A person at the console has already seen their own draft. */
const agents = callerKindNames.filter((kind) => !getCallerKind(kind).isInBrowser);

/** The actions that a policy lets go without approval. */
export function listUnaskedActions(
  policy: Pick<Policy, 'rules' | 'floor'>,
  actions: readonly ActionKind[],
): UnaskedAction[] {
  return actions.flatMap((action) => {
    const answers = agents.map((caller) => judgeUnasked(policy, createUnknownSubject(action, caller)));
    if (answers.every((answer) => answer === 'never')) return [];
    const when = answers.every((answer) => answer === 'always') ? ('always' as const) : ('sometimes' as const);
    return [{ source: action.source, action: action.name, when }];
  });
}

/** A subject of which only the action is known. */
function createUnknownSubject(action: ActionKind, caller: CallerKindName): Subject {
  const anything = { account: null, recipients: [], reachesOthers: true, what: '', names: [], otherNames: '*' };
  return { ...readActionKind(action), ...anything, caller, ownRules: [] };
}

function judgeUnasked(
  { rules, floor }: Pick<Policy, 'rules' | 'floor'>,
  subject: Subject,
): UnaskedAction['when'] | 'never' {
  const answers = listPossibleRules(rules, subject);
  if (!answers.isSure) answers.rules.push(...listPossibleRules(defaultRules, subject).rules);
  const least = listPossibleRules(floor, subject);
  const isRaised = least.rules.some(({ effect }) => effect !== 'allow');
  const isAllowed = answers.rules.filter(({ effect }) => effect === 'allow').length;
  if (!isAllowed || (least.isSure && least.rules.every(({ effect }) => effect !== 'allow'))) return 'never';
  return isAllowed === answers.rules.length && !isRaised ? 'always' : 'sometimes';
}

/** The rules that may be the first to match, for any account. */
function listPossibleRules(list: readonly Rule[], subject: Subject): { rules: Rule[]; isSure: boolean } {
  const rules: Rule[] = [];
  for (const rule of list) {
    const { account, ...others } = rule;
    const { all, isSure } = mayAnswer('rules', [others], subject);
    if (all.length) rules.push(rule);
    if (isSure && account === undefined) return { rules, isSure: true };
  }
  return { rules, isSure: false };
}
