import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import type { Vault } from '#platform/vault';
import { z } from 'zod';
import { getTierEventScope, variableChanged } from '../events.ts';
import { scopeId } from '../ids.ts';
import { makeAgentLink, refuseWithLink, type AgentLink } from '../links/links.ts';
import { checkMayChange, mayWriteAt, sharedTier, resolveTier } from '../access/tier-rules.ts';
import { tiers } from '../tiers.ts';
import {
  hosts,
  placements,
  savedNotice,
  variableDescription,
  variableName,
  variableValue,
  varScope,
} from '../variable-fields.ts';
import { saveVariable, getStoreOptions } from '../variables.ts';

const output = z.object({
  variable_id: z.uuid(),
  name: z.string(),
  scope: z.enum(tiers),
  handle: z.string(),
  placements: z.array(z.string()),
  hosts: z.array(z.string()),
  notice: savedNotice,
});
type Answer = z.input<typeof output>;

type Deps = { vault: Vault; publicUrl: string };

/**
 * An agent stores only at its own tier. For other tiers nothing is stored, and it gets a page for its person (decision
 * 35).
 */
export function setVariable({ vault, publicUrl }: Deps) {
  return defineOperation({
    name: 'set_variable',
    summary:
      'Store a value that agents can use without seeing it. It replaces one with the same name, and keeps the handle. If you do not have the value, use create_variable_link.',
    toolset: 'variables',
    effect: 'write',
    isWidening: true,
    access: { scope: 'variables:write', also: [sharedTier] },
    rest: [{ method: 'POST', path: '/v1/variables' }],
    input: z.strictObject({
      var_scope: varScope,
      scope_id: scopeId.optional(),
      var_name: variableName,
      value: variableValue,
      description: variableDescription.optional(),
      placements: placements.optional(),
      hosts: hosts.optional(),
    }),
    output,
    errors: ['forbidden', 'not_found', 'invalid_input'],
    examples: [
      {
        title: 'For the whole workspace',
        input: { var_scope: 'org', var_name: 'STRIPE_SECRET_KEY', value: 'sk_test_EXAMPLE', hosts: ['api.stripe.com'] },
      },
      {
        title: 'For everybody with a permission set',
        input: {
          var_scope: 'permission_set',
          scope_id: createExampleId('variable_scope'),
          var_name: 'HUBSPOT_TOKEN',
          value: 'pat-EXAMPLE',
          description: 'Reads only contacts.',
          hosts: ['api.hubapi.com'],
        },
      },
    ],
    async run(ctx, { var_scope, scope_id, var_name, ...given }): Promise<Answer | AgentLink> {
      const variableTier = await resolveTier(ctx, { var_scope, scope_id });
      await checkMayChange(ctx, variableTier);
      if (!mayWriteAt(ctx.caller, variableTier)) return makeAgentLink(ctx, variableTier, { name: var_name, ...given });
      const row = await saveVariable(vault, ctx.db, variableTier, { name: var_name, ...given }, getStoreOptions(ctx));
      await ctx.emit(
        variableChanged({ variable_id: row.id, var_scope, change: 'set' }, getTierEventScope(variableTier)),
      );
      const { id: variable_id, name, scope, handle, notice } = row;
      const answer = { variable_id, name, scope, handle, placements: row.placements, hosts: row.hosts };
      return { ...answer, ...(notice && { notice }) };
    },
    async afterCommit(_ctx, done) {
      return 'kind' in done ? refuseWithLink(publicUrl, done) : done;
    },
  });
}
