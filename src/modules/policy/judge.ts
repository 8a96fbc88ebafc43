import { isDeepStrictEqual } from 'node:util';
import type { Caller } from '#kernel/caller';
import { isAbout, isAsStrict, type Effect, type Risk, type Rule } from '#kernel/rule';
import { defaultRules } from './defaults.ts';
import { canBothMatch, compilePattern, compileAddressPattern } from './pattern.ts';

/** The rules of a workspace, and the floor, which is the minimum. */
export type Policy = { version: number; rules: readonly Rule[]; floor: readonly Rule[] };

/** The subject of a policy decision. */
export type Subject = {
  source: string;
  action: string;
  risk: Risk;
  /** It is in the safe set. */
  isSafe: boolean;
  /** The sending account; null while none is chosen. */
  account: string | null;
  caller: Caller['kind'];
  /** The kind of caller that started the run which drafts. */
  starter?: Caller['kind'] | null | undefined;
  /** The own rules of the key or client that drafts. */
  ownRules: readonly Rule[];
  recipients: readonly string[];
  /** It also reaches people who are unknown here. */
  reachesOthers?: boolean;
  /** The target, such as `mail` or `event in primary`. */
  what: string;
  /** Every form in which the provider may read the target; absent: there is one form. */
  readings?: readonly string[];
  /** Other names of the target at the provider. */
  names?: readonly string[];
  /** Possible further names while they could not be looked up; `*` matches any characters. */
  otherNames?: string;
};

/** The answer of a policy, and the list that it comes from; `position` counts from one. */
export type RuleVerdict = {
  effect: Effect;
  from: 'rules' | 'floor' | 'key' | 'defaults';
  position: number;
  rule: Rule;
};

/**
 * The first matching rule decides; a stricter match of the floor, or of the key's own rules, takes precedence. Unknown
 * facts count as the strictest case: of all rules of a workspace that could match, the strictest applies; the defaults
 * use known facts only. A run also counts for its starter: a rule about the starter's kind of caller applies when it is
 * stricter.
 */
export function judge(policy: Pick<Policy, 'rules' | 'floor'>, subject: Subject): RuleVerdict {
  const own = judgeCaller(policy, subject);
  const [asStarter] = listStarterSubjects(subject).map((each) => judgeCaller(policy, each));
  return asStarter?.rule.callers && !isAsStrict(own.effect, asStarter.effect) ? asStarter : own;
}

/** The subject as if the starter of its run drafted it; none for other subjects. */
function listStarterSubjects(subject: Subject): Subject[] {
  const { starter } = subject;
  return starter ? [{ ...subject, caller: starter, starter: null }] : [];
}

function judgeCaller(policy: Pick<Policy, 'rules' | 'floor'>, subject: Subject): RuleVerdict {
  const rules = mayAnswer('rules', policy.rules, subject);
  const byDefault = rules.isSure ? [] : mayAnswer('defaults', defaultRules, subject).all.slice(-1);
  const answer = findStrictest([...rules.all, ...byDefault]);
  if (!answer) throw new Error('the last default matches everything');
  const floor = mayAnswer('floor', policy.floor, subject).all;
  const narrower = findStrictest([...floor, ...mayAnswer('key', subject.ownRules, subject).all]);
  return narrower && !isAsStrict(answer.effect, narrower.effect) ? narrower : answer;
}

/** Whether it is refused for all recipients and targets, including unknown ones. */
export function isBlockedAnyhow({ rules, floor }: Pick<Policy, 'rules' | 'floor'>, subject: Subject): boolean {
  const anything = { ...subject, recipients: [], reachesOthers: true, names: [], otherNames: '*' };
  const blocks = (list: readonly Rule[], each: Subject) => {
    const { all, isSure } = mayAnswer('rules', list, each);
    return isSure && all.every(({ effect }) => effect === 'block');
  };
  return [anything, ...listStarterSubjects(anything)].some((each) =>
    [rules, floor, subject.ownRules].some((list) => blocks(list, each)),
  );
}

/** The answer of a key's own rules only; undefined where none matches. */
export function judgeByOwnRules(ownRules: readonly Rule[], subject: Subject): RuleVerdict | undefined {
  return findStrictest(
    [subject, ...listStarterSubjects(subject)].flatMap((each) => mayAnswer('key', ownRules, each).all),
  );
}

/** Whether two answers are equal, wherever their rules are. */
export function isSameRule(one: RuleVerdict, other: RuleVerdict): boolean {
  return one.effect === other.effect && isDeepStrictEqual(one.rule, other.rule);
}

/** In a sentence: which rule answered, and why. */
export function formatReason({ effect, from, position, rule }: RuleVerdict): string {
  const where = {
    rules: "the workspace's rules",
    floor: "the workspace's floor",
    key: 'the rules of this agent',
    defaults: 'the defaults',
  }[from];
  return `${meanings[effect]} Rule ${position} of ${where}${rule.note ? `: ${rule.note}` : '.'}`;
}

const meanings: Record<Effect, string> = {
  allow: 'Allowed without approval.',
  require_approval: 'Needs approval by a caller that may confirm.',
  require_human: 'Needs approval by a person, on the console or a linked phone.',
  block: 'Blocked.',
};

/** Whether a condition is true; null: it depends on unknown facts. */
type Answer = boolean | null;

/** The rules of a list that may be the first to match: up to one that certainly does. */
export function mayAnswer(
  from: RuleVerdict['from'],
  rules: readonly Rule[],
  subject: Subject,
): { all: RuleVerdict[]; isSure: boolean } {
  const all: RuleVerdict[] = [];
  for (const [index, rule] of rules.entries()) {
    const isMatched = matchRule(rule, subject);
    if (isMatched !== false) all.push({ effect: rule.effect, from, position: index + 1, rule });
    if (isMatched) return { all, isSure: true };
  }
  return { all, isSure: false };
}

/** Of equally strict rules the first. */
function findStrictest(all: readonly RuleVerdict[]): RuleVerdict | undefined {
  return all.find(({ effect }) => all.every((other) => isAsStrict(effect, other.effect)));
}

function matchRule(rule: Rule, subject: Subject): Answer {
  const isForIt =
    (!rule.sources || rule.sources.includes(subject.source)) &&
    (!rule.actions || rule.actions.includes(subject.action)) &&
    (!rule.risks || rule.risks.includes(subject.risk)) &&
    (!rule.is_safe || subject.isSafe) &&
    (!rule.account || (subject.account !== null && compileAddressPattern(rule.account)(subject.account))) &&
    isAbout(rule, subject.caller);
  if (!isForIt) return false;
  const answers = [
    rule.more_recipients_than === undefined || areMore(subject, rule.more_recipients_than),
    rule.every_recipient === undefined || matchEveryRecipient(subject, rule.every_recipient),
    rule.any_recipient === undefined || matchAnyRecipient(subject, rule.any_recipient),
    rule.target === undefined || isCalled(subject, rule.target),
  ];
  if (answers.includes(false)) return false;
  return answers.includes(null) ? null : true;
}

function areMore({ recipients, reachesOthers }: Subject, than: number): Answer {
  return recipients.length > than || (reachesOthers ? null : false);
}

function matchEveryRecipient({ recipients, reachesOthers }: Subject, pattern: string): Answer {
  if (!recipients.every(compileAddressPattern(pattern))) return false;
  return reachesOthers ? null : recipients.length > 0;
}

function matchAnyRecipient({ recipients, reachesOthers }: Subject, pattern: string): Answer {
  return recipients.some(compileAddressPattern(pattern)) || (reachesOthers ? null : false);
}

/**
 * A target with several readings certainly matches when each reading does. When only some do, it depends on the server,
 * and the stricter result applies: block and ask match by any reading, allow by all of them. A reading that ends in `*`
 * stands for every text that begins that way.
 */
function isCalled({ what, readings = [what], names = [], otherNames }: Subject, pattern: string): Answer {
  const isFitting = compilePattern(pattern);
  if (names.some(isFitting) || readings.every(isFitting)) return true;
  if (readings.some((reading) => isFitting(reading) || (reading.endsWith('*') && canBothMatch(pattern, reading))))
    return null;
  return otherNames !== undefined && canBothMatch(pattern, otherNames) ? null : false;
}
