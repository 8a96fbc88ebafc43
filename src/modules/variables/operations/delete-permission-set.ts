import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { permissionSetId } from '../ids.ts';
import { deletePermissionSet as removeSet } from '../store/permission-sets.ts';
import { listVariables } from '../store/variables.ts';
import { checkMayChange } from '../access/tier-rules.ts';
import type { VariableTier } from '../tiers.ts';

export const deletePermissionSet = defineOperation({
  name: 'delete_permission_set',
  summary: 'Delete a permission set with its variables. Agents that used it then use none.',
  toolset: 'variables',
  effect: 'write',
  isDestructive: true,
  access: { scope: 'permission_sets:write', isForPeople: true },
  rest: [{ method: 'DELETE', path: '/v1/permission-sets/{permission_set_id}' }],
  input: z.strictObject({ permission_set_id: permissionSetId }),
  output: z.object({ deleted: z.literal(true), permission_set_id: z.uuid(), variables: z.number().int() }),
  errors: ['forbidden', 'not_found'],
  examples: [{ title: 'A role that is no more', input: { permission_set_id: createExampleId('permission_set') } }],
  async run(ctx, { permission_set_id }) {
    const variableTier: VariableTier = { scope: 'permission_set', scopeId: permission_set_id };
    await checkMayChange(ctx, variableTier);
    const deletedVariables = await listVariables(ctx.db, [variableTier]);
    await removeSet(ctx.db, permission_set_id);
    return { deleted: true as const, permission_set_id, variables: deletedVariables.length };
  },
});
