import { defineOperation } from '#kernel/operation';
import type { Vault } from '#platform/vault';
import { z } from 'zod';
import { getTierEventScope, variableChanged } from '../events.ts';
import { ofOthers, getSecretOwnerTier, ownerUserId, secretName } from '../access/secret-owner.ts';
import { hosts, placements, savedNotice, variableValue } from '../variable-fields.ts';
import { makeAgentLink, refuseWithLink, type AgentLink } from '../links/links.ts';
import { checkWritesAt, mayWriteAt } from '../access/tier-rules.ts';
import { saveVariable, getStoreOptions } from '../variables.ts';

const output = z.object({
  id: z.uuid(),
  owner_user_id: z.uuid(),
  name: z.string(),
  hosts: z.array(z.string()),
  notice: savedNotice,
});
type Answer = z.input<typeof output>;

/** A person stores it. An agent gets the page for its person, and nothing is stored (decision 35). */
export function createAutomationSecretSet({ vault, publicUrl }: { vault: Vault; publicUrl: string }) {
  return defineOperation({
    name: 'automation_secret_set',
    summary: 'Store your own secret for automations. It replaces one with the same name.',
    toolset: 'variables',
    effect: 'write',
    access: { scope: 'variables:write', isForPeople: true, also: [ofOthers] },
    rest: [{ method: 'POST', path: '/v1/automation-secrets' }],
    input: z.strictObject({
      name: secretName,
      value: variableValue,
      description: z.string().trim().max(500).optional(),
      owner_user_id: ownerUserId.optional(),
      placements: placements.optional(),
      hosts: hosts.optional(),
    }),
    output,
    errors: ['forbidden', 'not_found', 'invalid_input'],
    examples: [{ title: 'A key of Stripe', input: { name: 'stripe_api_key', value: 'sk_live_EXAMPLE' } }],
    async run(ctx, { owner_user_id, ...given }): Promise<Answer | AgentLink> {
      const variableTier = getSecretOwnerTier(ctx, owner_user_id);
      if (variableTier.scopeId !== ctx.caller.personId) checkWritesAt(ctx, variableTier);
      if (!mayWriteAt(ctx.caller, variableTier)) return makeAgentLink(ctx, variableTier, given);
      const row = await saveVariable(vault, ctx.db, variableTier, given, getStoreOptions(ctx));
      const { id, name, notice } = row;
      await ctx.emit(
        variableChanged({ variable_id: id, var_scope: 'person', change: 'set' }, getTierEventScope(variableTier)),
      );
      return { id, owner_user_id: variableTier.scopeId, name, hosts: row.hosts, ...(notice && { notice }) };
    },
    async afterCommit(_ctx, done) {
      return 'kind' in done ? refuseWithLink(publicUrl, done) : done;
    },
  });
}
