import { callerKindNames, getCallerKind } from '#kernel/caller-kinds';
import type { Effect, Risk, Rule } from './policy-requests.ts';

/** An effect as a person reads it. */
export const effectWords: Record<Effect, { label: string; tone: 'go' | 'wait' | 'stop'; about: string }> = {
  allow: { label: 'Allowed', tone: 'go', about: 'runs without approval' },
  require_approval: { label: 'Needs approval', tone: 'wait', about: 'anyone who may approve, scripts included' },
  require_human: {
    label: 'Needs a person',
    tone: 'wait',
    about: 'a signed-in person approves, here or on their phone',
  },
  block: { label: 'Blocked', tone: 'stop', about: 'not drafted' },
};

export const riskWords: Record<Risk, string> = {
  read: 'reading',
  write: 'writing',
  destructive: 'deleting and sharing',
};

/** The words for safe actions: private and easily undone. */
export const safeWords = 'what is safe';

/** The callers that a rule may name. */
export const callerWords: Record<string, string> = {
  agents: 'agents and scripts',
  ...listWords('inRules'),
};

/** The callers that may draft, for trying the rules. */
export const triedCallers: Record<string, string> = listWords('asDrafter');

/** The words of every kind of caller that the console offers, agents first. */
function listWords(place: 'inRules' | 'asDrafter'): Record<string, string> {
  const offered = callerKindNames.flatMap((name) => {
    const { is, words } = getCallerKind(name);
    return words ? [{ name, isAgent: is === 'agent', text: words[place] }] : [];
  });
  const inOrder = [...offered.filter(({ isAgent }) => isAgent), ...offered.filter(({ isAgent }) => !isAgent)];
  return Object.fromEntries(inOrder.map(({ name, text }) => [name, text]));
}

/** The conditions of a rule, in one sentence. */
export function describeRule(rule: Rule): string {
  const what = rule.actions
    ? joinWithOr(rule.actions.map(getActionNoun))
    : (rule.risks?.map((risk) => riskWords[risk]).join(' or ') ?? (rule.is_safe ? safeWords : 'everything'));
  const parts = [
    rule.sources && `at ${joinWithOr(rule.sources)}`,
    rule.account && `through ${rule.account}`,
    rule.target && `of ${rule.target}`,
    rule.every_recipient && `when all recipients match ${rule.every_recipient}`,
    rule.any_recipient && `when any recipient matches ${rule.any_recipient}`,
    rule.more_recipients_than !== undefined && `with more than ${rule.more_recipients_than} recipients`,
    rule.callers && `requested by ${joinWithOr(rule.callers.map((kind) => describeCaller(rule, kind)))}`,
  ];
  const text = [what, ...parts.filter(Boolean)].join(' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The first caller that a rule names, in words. A rule that names keys and does not allow applies to every agent. */
export function readCaller({ effect, callers: [kind] = [] }: Partial<Rule>): string {
  return kind === 'key' && effect !== 'allow' ? 'agents' : (kind ?? '');
}

function describeCaller({ effect }: Rule, kind: NonNullable<Rule['callers']>[number]): string {
  const read = readCaller({ effect, callers: [kind] });
  return callerWords[read] ?? read;
}

function getActionNoun(action: string): string {
  return action === 'read' ? 'reading' : action.replaceAll('_', ' ');
}

function joinWithOr(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}
