import { effects, ruleSchema } from '#kernel/rule';
import { z } from 'zod';
import { reasonOf, type Verdict } from './judge.ts';

export const verdictOutput = z.object({
  effect: z.enum(effects),
  from: z.enum(['rules', 'floor', 'key', 'defaults']).describe('Which list the rule is in that answered.'),
  position: z.number().int().describe('Its place there, from 1.'),
  rule: ruleSchema,
  reason: z.string(),
});

export function presentVerdict(verdict: Verdict): z.input<typeof verdictOutput> {
  const { effect, from, position, rule } = verdict;
  return { effect, from, position, rule: { ...rule }, reason: reasonOf(verdict) };
}
