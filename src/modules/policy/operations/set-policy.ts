import { isDeepStrictEqual } from 'node:util';
import { checkRules, type RuleNames } from '#kernel/check-rules';
import { AppError } from '#kernel/errors';
import { defineOperation } from '#kernel/operation';
import { rulesSchema, type Rule } from '#kernel/rule';
import { z } from 'zod';
import type { DraftPolicy } from '../draft-policy.ts';
import { policyChanged } from '../events.ts';
import { readPolicy, insertPolicy } from '../store.ts';
import type { ActionRegistry } from '../registry.ts';
import { policyOutput, presentPolicy } from './get-policy.ts';

export function setPolicy(registry: ActionRegistry, names: RuleNames, { markStale }: Pick<DraftPolicy, 'markStale'>) {
  return defineOperation({
    name: 'set_policy',
    summary: 'Set the rules for outside writes. Waiting drafts become stale at once if another rule answers them now.',
    toolset: 'accounts',
    effect: 'write',
    isWidening: true,
    access: { scope: 'policy:write', isForPeople: true },
    rest: [{ method: 'PUT', path: '/v1/policy' }],
    input: z.strictObject({
      version: z
        .number()
        .int()
        .min(0)
        .describe('The version you read. If the policy changed since, this call is refused.'),
      rules: rulesSchema.optional().describe('All rules, in order. Leave it out to keep them.'),
      floor: rulesSchema.optional().describe('All floor rules, in order. Workspace owner only.'),
      dry_run: z.literal(true).optional().describe('Returns the policy as it would be, and changes nothing.'),
    }),
    output: policyOutput,
    errors: ['forbidden', 'not_found', 'conflict', 'invalid_input'],
    examples: [
      {
        title: 'Mail within the company needs no approval',
        input: {
          version: 0,
          rules: [
            { effect: 'allow', actions: ['send_email'], every_recipient: '*@example.com', note: 'Internal mail.' },
          ],
        },
      },
    ],
    async run(ctx, asked) {
      const { personId, role, workspaceId } = ctx.caller;
      const before = await readPolicy(ctx.db);
      const { rules = [...before.rules], floor = [...before.floor] } = asked;
      if (role !== 'owner' && !isDeepStrictEqual(floor, before.floor))
        throw new AppError('forbidden', 'floor: only the workspace owner may change it.');
      checkRules(rules.filter(buildNewRuleFilter(before.rules)), names);
      checkRules(floor.filter(buildNewRuleFilter(before.floor)), names);
      if (asked.dry_run) return presentPolicy({ ...before, rules, floor }, registry);
      const row = { workspace_id: workspaceId, rules, floor, changed_by: personId, changed_at: ctx.now };
      const version = before.version + 1;
      if (asked.version !== before.version || !(await insertPolicy(ctx.db, { ...row, version })))
        throw new AppError('conflict', `The policy changed since you read it. Read it again and use its version.`);
      await markStale(ctx);
      await ctx.emit(policyChanged({ version }));
      return presentPolicy({ version, rules, floor, changedAt: ctx.now }, registry);
    },
  });
}

/** Stored rules stay as they are. */
function buildNewRuleFilter(before: readonly Rule[]): (rule: Rule) => boolean {
  return (rule) => !before.some((each) => isDeepStrictEqual(each, rule));
}
