import { brainRoles } from '#kernel/caller';
import type { Db } from '#kernel/database';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { countMembers, findBrains } from '../store/brains.ts';

/** The answer counts memories, which belong to another module. */
export function listBrains(
  countMemories: (db: Db, brainIds: readonly string[]) => Promise<ReadonlyMap<string, number>>,
) {
  return defineOperation({
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
          language: z.string(),
          parent_brain_id: z.uuid().nullable(),
          is_personal: z.boolean(),
          access_level: z.enum(brainRoles),
          memory_count: z.number().int(),
          member_count: z.number().int(),
        }),
      ),
      count: z.number().int(),
    }),
    errors: [],
    examples: [{ title: 'Everything you may read', input: {} }],
    async run(ctx) {
      const { roles } = await ctx.brains();
      const ids = [...roles.keys()];
      const brains = await findBrains(ctx.db, ids);
      const memberCounts = await countMembers(ctx.db, ids);
      const memoryCounts = await countMemories(ctx.db, ids);
      return {
        brains: brains.map(({ personal_to, ...brain }) => ({
          ...brain,
          is_personal: personal_to !== null,
          access_level: roles.get(brain.id) ?? 'viewer',
          memory_count: memoryCounts.get(brain.id) ?? 0,
          member_count: memberCounts.get(brain.id) ?? 0,
        })),
        count: brains.length,
      };
    },
  });
}
