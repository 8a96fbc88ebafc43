import { createNotFoundError } from '#kernel/errors';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { getTierEventScope, variableChanged } from '../events.ts';
import { scopeId } from '../ids.ts';
import { deleteVariable as removeVariable } from '../store/variables.ts';
import { checkMayChange, checkWritesAt, sharedTier, resolveTier } from '../access/tier-rules.ts';
import { variableName, varScope } from '../variable-fields.ts';

export const deleteVariable = defineOperation({
  name: 'delete_variable',
  summary: 'Delete a variable. Requests with its handle are refused from then on.',
  toolset: 'variables',
  effect: 'write',
  isDestructive: true,
  access: { scope: 'variables:delete', also: [sharedTier] },
  rest: [{ method: 'DELETE', path: '/v1/variables/{var_scope}/{var_name}' }],
  input: z.strictObject({ var_scope: varScope, scope_id: scopeId.optional(), var_name: variableName }),
  output: z.object({ deleted: z.literal(true), variable_id: z.uuid(), name: z.string() }),
  errors: ['forbidden', 'not_found', 'invalid_input'],
  examples: [{ title: 'One of your own', input: { var_scope: 'person', var_name: 'MY_TOKEN' } }],
  async run(ctx, { var_scope, scope_id, var_name }) {
    const variableTier = await resolveTier(ctx, { var_scope, scope_id });
    await checkMayChange(ctx, variableTier);
    checkWritesAt(ctx, variableTier);
    const isDeleted = await removeVariable(ctx.db, variableTier, var_name);
    if (!isDeleted) throw createNotFoundError('variable');
    await ctx.emit(
      variableChanged({ variable_id: isDeleted.id, var_scope, change: 'deleted' }, getTierEventScope(variableTier)),
    );
    return { deleted: true as const, variable_id: isDeleted.id, name: var_name };
  },
});
