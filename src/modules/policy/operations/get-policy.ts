import type { Action } from '#kernel/action';
import { defineOperation } from '#kernel/operation';
import { risks, ruleSchema } from '#kernel/rule';
import { z } from 'zod';
import { defaultRules } from '../defaults.ts';
import type { Policy } from '../judge.ts';
import { readActionKind } from '../ask-policy.ts';
import { listUnaskedActions } from '../unasked.ts';
import type { ActionRegistry } from '../registry.ts';
import { readPolicy } from '../store.ts';

const named = z.object({
  source: z.string(),
  action: z.string(),
  summary: z.string(),
  risk: z.enum(risks),
  is_safe: z.boolean().describe('The action is in the safe set. One rule can allow the whole set.'),
});

export const policyOutput = z.object({
  version: z.number().int().describe('0: no rules were set, and only the defaults apply.'),
  rules: z.array(ruleSchema).describe('Rules in order. The first match answers.'),
  floor: z
    .array(ruleSchema)
    .describe('Rules in order. They win where they are stricter. Only the workspace owner changes them.'),
  defaults: z.array(ruleSchema).describe('Built-in rules, used if no other rule matches.'),
  actions: z.array(named).describe('The actions that rules can name. Rules can also name read.'),
  unasked: z
    .array(z.object({ source: z.string(), action: z.string(), when: z.enum(['always', 'sometimes']) }))
    .describe('What agents may do without approval. sometimes: only for some recipients, targets or accounts.'),
  changed_at: z.iso.datetime().nullable(),
});

export function getPolicy(registry: ActionRegistry) {
  return defineOperation({
    name: 'get_policy',
    summary: 'Show the rules that decide which outside writes are allowed, need approval, or are blocked.',
    toolset: 'accounts',
    effect: 'read',
    access: { scope: 'actions:read' },
    rest: [{ method: 'GET', path: '/v1/policy' }],
    input: z.strictObject({}),
    output: policyOutput,
    errors: [],
    examples: [{ title: 'Which rules apply now?', input: {} }],
    run: async ({ db }) => presentPolicy(await readPolicy(db), registry),
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
    unasked: listUnaskedActions({ rules, floor }, registry.all()),
    changed_at: changedAt?.toISOString() ?? null,
  };
}

function presentAction(action: Action): z.input<typeof named> {
  const { isSafe, ...kind } = readActionKind(action);
  return { ...kind, summary: action.summary, is_safe: isSafe };
}
