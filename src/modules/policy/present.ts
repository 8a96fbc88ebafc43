import { AppError } from '#kernel/errors';
import { effects, ruleSchema } from '#kernel/rule';
import { z } from 'zod';
import type { Ruling } from './ask-policy.ts';
import { formatReason, type RuleVerdict } from './judge.ts';

export const verdictOutput = z.object({
  effect: z.enum(effects),
  from: z.enum(['rules', 'floor', 'key', 'defaults']).describe('The list with the matching rule.'),
  position: z.number().int().describe('Its position in that list, from 1.'),
  rule: ruleSchema,
  reason: z.string(),
});

export function presentVerdict(verdict: RuleVerdict): z.input<typeof verdictOutput> {
  const { effect, from, position, rule } = verdict;
  return { effect, from, position, rule: { ...rule }, reason: formatReason(verdict) };
}

/** The policy's refusal, with its rule. */
export function createBlockedError(ruling: RuleVerdict): AppError {
  const whose = ruling.from === 'key' ? 'The rules of this agent block it' : 'The policy of this workspace blocks it';
  const message = `${whose}. ${formatReason(ruling)} See explain_policy.`;
  return new AppError('forbidden', message, { policy: presentVerdict(ruling) });
}

/** A ruling as the ledger stores it. */
export function presentRuling({ effect, from, position, version }: Ruling) {
  return { effect, from, position, version };
}
