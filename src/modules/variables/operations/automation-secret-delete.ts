import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { getTierEventScope, variableChanged } from '../events.ts';
import { ofOthers, getSecretOwnerTier, ownerUserId, secretName } from '../access/secret-owner.ts';
import { deleteVariable } from '../store/variables.ts';
import { checkWritesAt } from '../access/tier-rules.ts';

export const automationSecretDelete = defineOperation({
  name: 'automation_secret_delete',
  summary: 'Delete one of your own secrets. Returns how many were removed.',
  toolset: 'variables',
  effect: 'write',
  isDestructive: true,
  access: { scope: 'variables:delete', isForPeople: true, also: [ofOthers] },
  rest: [{ method: 'DELETE', path: '/v1/automation-secrets/{name}' }],
  input: z.strictObject({ name: secretName, owner_user_id: ownerUserId.optional() }),
  output: z.object({ deleted: z.number().int() }),
  errors: ['forbidden', 'not_found'],
  examples: [{ title: 'One that leaked', input: { name: 'stripe_api_key' } }],
  async run(ctx, { name, owner_user_id }) {
    const variableTier = getSecretOwnerTier(ctx, owner_user_id);
    checkWritesAt(ctx, variableTier);
    const isDeleted = await deleteVariable(ctx.db, variableTier, name);
    if (isDeleted) {
      const event = { variable_id: isDeleted.id, var_scope: 'person', change: 'deleted' as const };
      await ctx.emit(variableChanged(event, getTierEventScope(variableTier)));
    }
    return { deleted: isDeleted ? 1 : 0 };
  },
});
