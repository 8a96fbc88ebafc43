import type { Action } from '#kernel/action';
import { defineOperation } from '#kernel/operation';
import { risks, ruleSchema } from '#kernel/rule';
import { z } from 'zod';
import { defaultRules } from '../policy/defaults.ts';
import type { Policy } from '../policy/judge.ts';
import { kindOf } from '../policy/ask-policy.ts';
import { unaskedBy } from '../policy/unasked.ts';
import type { ActionRegistry } from '../registry.ts';
import { currentPolicy } from '../store/policies.ts';

const named = z.object({
  source: z.string(),
  action: z.string(),
  summary: z.string(),
  risk: z.enum(risks),
  is_safe: z.boolean().describe('It is in the safe set, which a rule can let go as a whole.'),
});

export const policyOutput = z.object({
  version: z.number().int().describe('0: nobody has set one, and the defaults hold alone.'),
  rules: z.array(ruleSchema).describe('Read in order; the first that matches answers.'),
  floor: z.array(ruleSchema).describe('Read likewise; wins wherever it is stricter. Only the owner changes it.'),
  defaults: z.array(ruleSchema).describe('Answer where no rule matches. They are part of the server.'),
  actions: z.array(named).describe('What rules can name, beside read for reading any source.'),
  unasked: z
    .array(z.object({ source: z.string(), action: z.string(), when: z.enum(['always', 'sometimes']) }))
    .describe('What agents do outside without asking anybody; sometimes: for some recipients, targets or accounts.'),
  changed_at: z.iso.datetime().nullable(),
});

export function getPolicy(registry: ActionRegistry) {
  return defineOperation({
    name: 'get_policy',
    summary: 'Show the rules by which writes outside are allowed, wait for a yes, or are refused.',
    toolset: 'accounts',
    effect: 'read',
    access: { scope: 'actions:read' },
    rest: [{ method: 'GET', path: '/v1/policy' }],
    input: z.strictObject({}),
    output: policyOutput,
    errors: [],
    examples: [{ title: 'What holds now?', input: {} }],
    run: async ({ db }) => presentPolicy(await currentPolicy(db), registry),
  });
}

export function presentPolicy(
  { version, rules, floor, changedAt }: Policy & { changedAt: Date | null },
  registry: ActionRegistry,
): z.input<typeof policyOutput> {
  return {
    version,
    rules: [...rules],
    floor: [...floor],
    defaults: [...defaultRules],
    actions: registry.all().map(presentAction),
    unasked: unaskedBy({ rules, floor }, registry.all()),
    changed_at: changedAt?.toISOString() ?? null,
  };
}

function presentAction(action: Action): z.input<typeof named> {
  const { isSafe, ...kind } = kindOf(action);
  return { ...kind, summary: action.summary, is_safe: isSafe };
}
