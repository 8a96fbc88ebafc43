import { brainRoles } from '#kernel/caller';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { countMembers, findBrains } from '../store.ts';

export const listBrains = defineOperation({
  name: 'list_brains',
  summary: 'List the brains you may read, with their descriptions and routing rules.',
  toolset: 'memory',
  effect: 'read',
  access: { scope: 'brains:read' },
  rest: [{ method: 'GET', path: '/v1/brains' }],
  input: z.strictObject({}),
  output: z.object({
    brains: z.array(
      z.object({
        id: z.uuid(),
        name: z.string(),
        description: z.string(),
        routing_rules: z.string(),
        parent_brain_id: z.uuid().nullable(),
        is_personal: z.boolean(),
        access_level: z.enum(brainRoles),
        member_count: z.number().int(),
      }),
    ),
    count: z.number().int(),
  }),
  errors: [],
  examples: [{ title: 'Everything you may read', input: {} }],
  async run(ctx) {
    const { roles } = await ctx.brains();
    const brains = await findBrains(ctx.db, [...roles.keys()]);
    const members = await countMembers(
      ctx.db,
      brains.map((brain) => brain.id),
    );
    return {
      brains: brains.map(({ personal_to, ...brain }) => ({
        ...brain,
        is_personal: personal_to !== null,
        access_level: roles.get(brain.id) ?? 'viewer',
        member_count: members.get(brain.id) ?? 0,
      })),
      count: brains.length,
    };
  },
});
