import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { brainId } from '#modules/brains';
import { conflict, listPresentedConflicts, countByBrain, countRecalls } from '#modules/memory';
import { z } from 'zod';
import { listBrainFamily } from '../brain-selection.ts';
import { contributor, presentContributors, readDailyActivity, day } from '../figures.ts';

const mostConflicts = 50;

const output = z.object({
  brain_id: z.uuid(),
  child_brains: z.number().int(),
  total_memories: z.number().int(),
  total_recalls: z.number().int(),
  unique_contributors: z.number().int(),
  top_contributors: z.array(contributor),
  brains: z.array(
    z.object({
      id: z.uuid(),
      name: z.string(),
      parent_brain_id: z.uuid().nullable(),
      memories: z.number().int(),
      by_type: z.record(z.string(), z.number().int()),
      recalls: z.number().int(),
      contributors: z.number().int(),
    }),
  ),
  conflicts: z.array(conflict).describe('Between active memories of different brains.'),
  daily_activity: z.array(day).describe('The last 30 days in UTC, today last.'),
});

export const orgAnalytics = defineOperation({
  name: 'org_analytics',
  summary:
    'Show statistics of a brain and all brains below it that you administer: totals, per brain, and conflicts between them.',
  toolset: 'brains',
  effect: 'read',
  access: { scope: 'memory:read', brain: { role: 'admin', of: 'id' }, isForPeople: true },
  rest: [{ method: 'GET', path: '/v1/brains/{id}/analytics/org' }],
  input: z.strictObject({ id: brainId }),
  output,
  errors: ['not_found', 'forbidden'],
  examples: [{ title: 'A division as a whole', input: { id: createExampleId('brain') } }],
  async run(ctx, { id }) {
    const family = await listBrainFamily(ctx, id, 'admin');
    const ids = family.map((brain) => brain.id);
    const counted = Map.groupBy(await countByBrain(ctx.db, ids), (row) => row.brain_id);
    const recalled = Map.groupBy(await countRecalls(ctx.db, ids, null), (row) => row.brain_id);
    const contributors = await presentContributors(ctx, ids);
    const brains = family.map(({ id: own, name, parent_brain_id }) => ({
      id: own,
      name,
      parent_brain_id,
      memories: sumCounts(counted.get(own)?.map((row) => row.memories)),
      by_type: Object.fromEntries(counted.get(own)?.map((row) => [row.type, row.memories]) ?? []),
      recalls: sumCounts(recalled.get(own)?.map((row) => row.recalls)),
      contributors: contributors.countIn(own),
    }));
    return {
      brain_id: id,
      child_brains: brains.length - 1,
      total_memories: sumCounts(brains.map((brain) => brain.memories)),
      total_recalls: sumCounts(brains.map((brain) => brain.recalls)),
      unique_contributors: contributors.count,
      top_contributors: contributors.top,
      brains,
      conflicts: await listPresentedConflicts(ctx.db, ids, { limit: mostConflicts, between: true }),
      daily_activity: await readDailyActivity(ctx, ids),
    };
  },
});

function sumCounts(counts: readonly number[] = []): number {
  return counts.reduce((sum, count) => sum + count, 0);
}
