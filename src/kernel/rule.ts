import { z } from 'zod';
import { callerKindNames, getCallerKind, type CallerKindName } from './caller-kinds.ts';

/** The possible effects of a policy, from the least to the most strict. */
export const effects = ['allow', 'require_approval', 'require_human', 'block'] as const;
export type Effect = (typeof effects)[number];

/** The risk of an action: `destructive` deletes, or changes who has access. */
export const risks = ['read', 'write', 'destructive'] as const;
export type Risk = (typeof risks)[number];

/** The callers that a rule may name: `agents` is every kind that is an agent. */
const ruleCallers = ['agents', ...callerKindNames] as const;

const names = z.array(z.string().min(1).max(100)).min(1).max(50).optional();
/** `*` matches any characters. Case does not matter. */
const pattern = z.string().trim().min(1).max(320).optional();

/** One rule. It matches when all its fields match; a rule without fields matches everything. */
export const ruleSchema = z.strictObject({
  effect: z.enum(effects),
  note: z.string().trim().max(300).optional().describe('The reason, shown when the rule applies.'),
  sources: names.describe('The source, such as gmail.'),
  actions: names.describe('The action, such as send_email; read for reads.'),
  risks: z.array(z.enum(risks)).min(1).max(3).optional(),
  is_safe: z
    .literal(true)
    .optional()
    .describe('Only actions of the safe set (get_policy), such as marking a mail as read.'),
  account: pattern.describe('Pattern for the account that is used: ada@example.com.'),
  callers: z
    .array(z.enum(ruleCallers))
    .min(1)
    .max(ruleCallers.length)
    .optional()
    .describe(
      'Who drafts. agents: every agent and script, by key, connected client or automation run. key: the same, except in a rule that allows: there it means only keys.',
    ),
  every_recipient: pattern.describe('Pattern that every recipient matches: *@example.com. There must be at least one.'),
  any_recipient: pattern.describe('Pattern that at least one recipient matches.'),
  more_recipients_than: z.number().int().min(0).max(10_000).optional(),
  target: pattern.describe('Pattern for the target, as the preview names it.'),
});
export type Rule = z.output<typeof ruleSchema>;

/**
 * Whether a rule is about a kind of caller. A rule that blocks or asks `key` applies to every agent, because agents can
 * change credentials freely.
 */
export function isAbout({ callers, effect }: Pick<Rule, 'callers' | 'effect'>, kind: CallerKindName): boolean {
  if (!callers || callers.includes(kind)) return true;
  const isForAgents = callers.includes('agents') || (effect !== 'allow' && callers.includes('key'));
  return isForAgents && getCallerKind(kind).is === 'agent';
}

/** Rules in order. */
export const rulesSchema = z.array(ruleSchema).max(200);

/** Whether one effect is at least as strict as another. */
export function isAsStrict(effect: Effect, as: Effect): boolean {
  return effects.indexOf(effect) >= effects.indexOf(as);
}
