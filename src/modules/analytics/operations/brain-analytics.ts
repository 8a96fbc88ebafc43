import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { brainId } from '#modules/brains';
import { countArchived, countByBrain, countRecalls, memoryTypes } from '#modules/memory';
import { z } from 'zod';
import { contributor, presentContributors, readDailyActivity, day, listHighImpact, impact } from '../figures.ts';

export const brainAnalytics = defineOperation({
  name: 'brain_analytics',
  summary: 'Show statistics of one brain to its admins: contents, recalls and contributors, by day.',
  toolset: 'brains',
  effect: 'read',
  access: { scope: 'memory:read', brain: { role: 'admin', of: 'id' }, isForPeople: true },
  rest: [{ method: 'GET', path: '/v1/brains/{id}/analytics' }],
  input: z.strictObject({ id: brainId }),
  output: z.object({
    brain_id: z.uuid(),
    total_memories: z.number().int(),
    archived_memories: z.number().int(),
    by_type: z.record(z.enum(memoryTypes), z.number().int()),
    total_recalls: z.number().int(),
    high_impact_memories: z.array(impact).describe('The most recalled memories.'),
    top_contributors: z.array(contributor),
    daily_activity: z.array(day).describe('The last 30 days in UTC, today last.'),
  }),
  errors: ['not_found', 'forbidden'],
  examples: [{ title: 'How a brain is used', input: { id: createExampleId('brain') } }],
  async run(ctx, { id }) {
    const types = new Map((await countByBrain(ctx.db, [id])).map((row) => [row.type, row.memories]));
    const recalled = await countRecalls(ctx.db, [id], null);
    return {
      brain_id: id,
      total_memories: [...types.values()].reduce((sum, count) => sum + count, 0),
      archived_memories: await countArchived(ctx.db, [id]),
      by_type: Object.fromEntries(memoryTypes.map((type) => [type, types.get(type) ?? 0])) as Record<
        (typeof memoryTypes)[number], // the keys are exactly these
        number
      >,
      total_recalls: recalled.reduce((sum, each) => sum + each.recalls, 0),
      high_impact_memories: await listHighImpact(ctx, [id]),
      top_contributors: (await presentContributors(ctx, [id])).top,
      daily_activity: await readDailyActivity(ctx, [id]),
    };
  },
});
