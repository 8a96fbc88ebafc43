import { defineOperation } from '#kernel/operation';
import { brainId, listReadableBrainIds } from '#modules/brains';
import { z } from 'zod';
import { listConstellations as findConstellations, listMembers } from '../store/constellations.ts';

export const listConstellations = defineOperation({
  name: 'list_constellations',
  summary: 'List clusters of memories by topic, largest first. They are updated soon after memories change.',
  toolset: 'curation',
  effect: 'read',
  access: { scope: 'memory:read', brain: { role: 'viewer', of: 'brain_id' } },
  rest: [{ method: 'GET', path: '/v1/memory/constellations' }],
  input: z.strictObject({
    brain_id: brainId.optional().describe('Default: every brain you may read.'),
    limit: z.number().int().min(1).max(200).default(50),
    memories: z
      .number()
      .int()
      .min(0)
      .max(100)
      .default(0)
      .describe('How many memory ids to list per cluster, newest first.'),
  }),
  output: z.object({
    constellations: z.array(
      z.object({
        id: z.uuid().describe('Stays the same while most of its memories stay the same.'),
        label: z.string(),
        topics: z.array(z.string()),
        brain_id: z.uuid(),
        memory_count: z.number().int(),
        memory_ids: z.array(z.uuid()),
      }),
    ),
  }),
  errors: ['not_found'],
  examples: [{ title: 'What a brain is about', input: { memories: 5 } }],
  async run(ctx, { brain_id, limit, memories }) {
    const found = await findConstellations(ctx.db, await listReadableBrainIds(ctx, brain_id), limit);
    const ids = found.map(({ id }) => id);
    const members = await listMembers(ctx.db, ids, memories);
    return { constellations: found.map((each) => ({ ...each, memory_ids: members.get(each.id) ?? [] })) };
  },
});
