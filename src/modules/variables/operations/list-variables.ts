import { isAgent, type Caller } from '#kernel/caller';
import type { Context } from '#kernel/context';
import type { Db } from '#kernel/database';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { findHolderSetId, findPermissionSets } from '../store/permission-sets.ts';
import { listAgentsWithVariables, listVariables as findAll } from '../store/variables.ts';
import { scopeId } from '../ids.ts';
import { locateAgents, resolveTier } from '../access/tier-rules.ts';
import type { VariableTier } from '../tiers.ts';
import { present, variableOutput, varScope } from '../variable-fields.ts';

export const listVariables = defineOperation({
  name: 'list_variables',
  summary: 'List variables with their handles and where they may be sent, never their values.',
  toolset: 'variables',
  effect: 'read',
  access: { scope: 'variables:read' },
  rest: [{ method: 'GET', path: '/v1/variables' }],
  input: z.strictObject({
    var_scope: varScope.optional().describe('Default: every tier.'),
    scope_id: scopeId.optional(),
  }),
  output: z.object({ variables: z.array(variableOutput) }),
  errors: ['not_found', 'invalid_input'],
  examples: [
    { title: 'What can I use?', input: {} },
    { title: 'Those of the workspace', input: { var_scope: 'org' } },
  ],
  async run(ctx, { var_scope, scope_id }) {
    const standings =
      var_scope && (scope_id || var_scope === 'org')
        ? [await resolveTier(ctx, { var_scope, scope_id })]
        : (await listVisibleTiers(ctx)).filter(({ scope }) => (var_scope ?? scope) === scope);
    const shown = scope_id && !var_scope ? standings.filter(({ scopeId: id }) => id === scope_id) : standings;
    return { variables: (await findAll(ctx.db, shown)).map(present) };
  },
});

/** Every owner whose variables the caller may know of. */
async function listVisibleTiers(ctx: Context): Promise<VariableTier[]> {
  const { caller, db } = ctx;
  const { roles } = await ctx.brains();
  const all: VariableTier[] = [{ scope: 'org', scopeId: caller.workspaceId }];
  for (const brain of roles.keys()) all.push({ scope: 'brain', scopeId: brain });
  if (caller.reach === 'owner') all.push({ scope: 'person', scopeId: caller.personId });
  else if (isAgent(caller)) all.push({ scope: 'agent', scopeId: caller.id });
  for (const scopeId of await listVisibleSetIds(ctx)) all.push({ scope: 'permission_set', scopeId });
  if (caller.reach === 'owner') all.push(...(await listVisibleAgentTiers(db, caller)));
  return all;
}

/** The agents that have variables and that the caller may know of: their own, or everybody's. */
async function listVisibleAgentTiers(db: Db, caller: Caller): Promise<VariableTier[]> {
  const ids = await listAgentsWithVariables(db);
  const visible = ids.length ? await locateAgents(db, ids, caller) : [];
  return visible.map((scopeId) => ({ scope: 'agent', scopeId }));
}

/** Administrators of the workspace see every set; an agent sees the one it uses. */
async function listVisibleSetIds({ db, caller }: Context): Promise<string[]> {
  if (caller.role !== 'member' && caller.reach === 'owner') return (await findPermissionSets(db)).map(({ id }) => id);
  const own = isAgent(caller) ? await findHolderSetId(db, { kind: 'key', id: caller.id }) : undefined;
  return own ? [own] : [];
}
