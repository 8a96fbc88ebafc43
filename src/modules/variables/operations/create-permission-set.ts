import { AppError } from '#kernel/errors';
import { defineOperation } from '#kernel/operation';
import type { Vault } from '#platform/vault';
import { z } from 'zod';
import { getTierEventScope, variableChanged } from '../events.ts';
import { insertPermissionSet } from '../store/permission-sets.ts';
import { checkMayChange, checkWritesAt } from '../access/tier-rules.ts';
import type { VariableTier } from '../tiers.ts';
import {
  hosts,
  placements,
  savedNotice,
  variableDescription,
  variableName,
  variableValue,
} from '../variable-fields.ts';
import { saveVariable, getStoreOptions } from '../variables.ts';

const variable = z.strictObject({
  name: variableName,
  value: variableValue,
  description: variableDescription.optional(),
  placements: placements.optional(),
  hosts: hosts.optional(),
});

export function createPermissionSet(vault: Vault) {
  return defineOperation({
    name: 'create_permission_set',
    summary: 'Create a named set of variables that several agents use, such as the tokens of a role.',
    toolset: 'variables',
    effect: 'write',
    isWidening: true,
    access: { scope: 'permission_sets:write', isForPeople: true },
    rest: [{ method: 'POST', path: '/v1/permission-sets' }],
    input: z.strictObject({
      name: z.string().trim().min(1).max(120),
      variables: z.array(variable).max(50).default([]).describe('Initial values; `set_variable` adds others.'),
    }),
    output: z.object({
      permission_set_id: z.uuid(),
      name: z.string(),
      variables: z.array(z.string()),
      notice: savedNotice,
    }),
    errors: ['forbidden', 'conflict', 'invalid_input'],
    examples: [{ title: 'A role that reads', input: { name: 'Sales, reading' } }],
    async run(ctx, { name, variables }) {
      const permission_set_id = ctx.newId();
      const variableTier: VariableTier = { scope: 'permission_set', scopeId: permission_set_id };
      await checkMayChange(ctx, variableTier);
      if (variables.length) checkWritesAt(ctx, variableTier);
      const { workspaceId, personId } = ctx.caller;
      const set = { id: permission_set_id, workspace_id: workspaceId, name, created_by: personId, created_at: ctx.now };
      if (!(await insertPermissionSet(ctx.db, set)))
        throw new AppError('conflict', `There is a permission set called «${name}» already. Choose another name.`);
      const notices: string[] = [];
      for (const given of variables) {
        const { id, notice } = await saveVariable(vault, ctx.db, variableTier, given, getStoreOptions(ctx));
        if (notice) notices.push(`${given.name}: ${notice}`);
        const event = { variable_id: id, var_scope: variableTier.scope, change: 'set' as const };
        await ctx.emit(variableChanged(event, getTierEventScope(variableTier)));
      }
      return {
        permission_set_id,
        name,
        variables: [...new Set(variables.map((each) => each.name))],
        ...(notices.length && { notice: notices.join(' ') }),
      };
    },
  });
}
