import type { Caller } from '#kernel/caller';
import { defaultRules } from './defaults.ts';
import { isAsStrict, type Effect, type Policy, type Risk, type Rule } from './rule.ts';

/** What a policy is asked about. */
export type Subject = {
  source: string;
  action: string;
  risk: Risk;
  /** The account it goes through; null while none is chosen. */
  account: string | null;
  caller: Caller['kind'];
  recipients: readonly string[];
  /** What it touches, such as `mail` or `event in primary`. */
  what: string;
};

/** What a policy answers, and which of its lists decided; `position` counts from one. */
export type Verdict = { effect: Effect; from: 'rules' | 'floor' | 'defaults'; position: number; rule: Rule };

/** The first rule that matches answers, and the floor's first when that is stricter. */
export function judge(policy: Pick<Policy, 'rules' | 'floor'>, subject: Subject): Verdict {
  const answer = firstOf('rules', policy.rules, subject) ?? firstOf('defaults', defaultRules, subject);
  if (!answer) throw new Error('the last default matches everything');
  const floor = firstOf('floor', policy.floor, subject);
  return floor && !isAsStrict(answer.effect, floor.effect) ? floor : answer;
}

/** In a sentence: which rule answered, and why. */
export function reasonOf({ effect, from, position, rule }: Verdict): string {
  const where = { rules: "the workspace's rules", floor: "the workspace's floor", defaults: 'the defaults' }[from];
  return `${meanings[effect]} Rule ${position} of ${where}${rule.note ? `: ${rule.note}` : '.'}`;
}

const meanings: Record<Effect, string> = {
  allow: 'It is done without asking.',
  require_approval: 'Somebody who may confirm has to say yes.',
  require_human: 'A person has to say yes, on the console or another surface of theirs.',
  block: 'It is not done.',
};

function firstOf(from: Verdict['from'], rules: readonly Rule[], subject: Subject): Verdict | null {
  const index = rules.findIndex((rule) => matches(rule, subject));
  const rule = rules[index];
  return rule ? { effect: rule.effect, from, position: index + 1, rule } : null;
}

function matches(rule: Rule, subject: Subject): boolean {
  const { recipients } = subject;
  return (
    (!rule.sources || rule.sources.includes(subject.source)) &&
    (!rule.actions || rule.actions.includes(subject.action)) &&
    (!rule.risks || rule.risks.includes(subject.risk)) &&
    (!rule.account || (subject.account !== null && fits(rule.account)(subject.account))) &&
    (!rule.callers || rule.callers.includes(subject.caller)) &&
    (rule.more_recipients_than === undefined || recipients.length > rule.more_recipients_than) &&
    (!rule.every_recipient || (recipients.length > 0 && recipients.every(fits(rule.every_recipient)))) &&
    (!rule.any_recipient || recipients.some(fits(rule.any_recipient))) &&
    (!rule.target || fits(rule.target)(subject.what))
  );
}

/** Whether a text fits a pattern; of `Ana <ana@example.com>` the address does, too. */
function fits(pattern: string): (text: string) => boolean {
  const [first = '', ...rest] = pattern.toLowerCase().split('*');
  const last = rest.pop();
  return (text) => {
    const whole = addressIn(text).toLowerCase();
    if (last === undefined) return whole === first;
    if (!whole.startsWith(first)) return false;
    let from = first.length;
    for (const part of rest) {
      const at = whole.indexOf(part, from);
      if (at < 0) return false;
      from = at + part.length;
    }
    return whole.length - last.length >= from && whole.endsWith(last);
  };
}

function addressIn(text: string): string {
  return /<([^<>]+)>\s*$/.exec(text)?.[1] ?? text.trim();
}
