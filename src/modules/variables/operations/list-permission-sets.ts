import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { findPermissionSets, listSetHolders } from '../store/permission-sets.ts';
import { listVariables } from '../store/variables.ts';
import type { VariableTier } from '../tiers.ts';

export const listPermissionSets = defineOperation({
  name: 'list_permission_sets',
  summary: 'List permission sets, the names of their variables and the agents that use them.',
  toolset: 'variables',
  effect: 'read',
  access: { scope: 'variables:read', isForPeople: true },
  rest: [{ method: 'GET', path: '/v1/permission-sets' }],
  input: z.strictObject({}),
  output: z.object({
    permission_sets: z.array(
      z.object({
        permission_set_id: z.uuid(),
        name: z.string(),
        variables: z.array(z.string()),
        holders: z.array(z.object({ kind: z.string(), id: z.uuid() })),
        created_at: z.iso.datetime(),
      }),
    ),
  }),
  errors: ['forbidden'],
  examples: [{ title: 'Which roles are there?', input: {} }],
  async run(ctx) {
    const sets = await findPermissionSets(ctx.db);
    const holders = await listSetHolders(ctx.db);
    const variables = await listVariables(
      ctx.db,
      sets.map(({ id }): VariableTier => ({ scope: 'permission_set', scopeId: id })),
    );
    return {
      permission_sets: sets.map(({ id, name, created_at }) => ({
        permission_set_id: id,
        name,
        variables: variables.filter(({ scope_id }) => scope_id === id).map((each) => each.name),
        holders: holders
          .filter(({ permission_set_id }) => permission_set_id === id)
          .map(({ holder_kind, holder_id }) => ({ kind: holder_kind, id: holder_id })),
        created_at: created_at.toISOString(),
      })),
    };
  },
});
