import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { defaultRules } from '../policy/defaults.ts';
import { ruleSchema } from '../policy/rule.ts';
import { currentPolicy } from '../store/policies.ts';

export const policyOutput = z.object({
  version: z.number().int().describe('0: nobody has set one, and the defaults hold alone.'),
  rules: z.array(ruleSchema).describe('Read in order; the first that matches answers.'),
  floor: z.array(ruleSchema).describe('Read likewise; wins wherever it is stricter. Only the owner changes it.'),
  defaults: z.array(ruleSchema).describe('Answer where no rule matches. They are part of the server.'),
  changed_at: z.iso.datetime().nullable(),
});

export const getPolicy = defineOperation({
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
  async run({ db }) {
    const { version, rules, floor, changedAt } = await currentPolicy(db);
    return {
      version,
      rules: [...rules],
      floor: [...floor],
      defaults: [...defaultRules],
      changed_at: changedAt?.toISOString() ?? null,
    };
  },
});
