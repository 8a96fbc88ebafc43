import { defineOperation } from '#kernel/operation';
import { brainId, listReadableBrainIds } from '#modules/brains';
import { z } from 'zod';
import { memoryOutput } from '../memory-fields.ts';
import { presentMemory } from '../recalling/present.ts';
import { listDuplicates as findPairs } from '../store/duplicates.ts';
import { findMemories } from '../store/memories.ts';

export const listDuplicates = defineOperation({
  name: 'list_duplicates',
  summary: 'List pairs of duplicates and near-duplicates, until each is merged or dismissed.',
  toolset: 'curation',
  effect: 'read',
  access: { scope: 'memory:read', brain: { role: 'viewer', of: 'brain_id' } },
  rest: [{ method: 'GET', path: '/v1/memory/duplicates' }],
  input: z.strictObject({
    brain_id: brainId.optional().describe('Default: every brain you may read.'),
    limit: z.number().int().min(1).max(100).default(20),
    offset: z.number().int().min(0).max(1_000_000).default(0),
  }),
  output: z.object({
    duplicates: z.array(
      z.object({
        kind: z.enum(['exact', 'near']).describe('exact: equal except for letter case, spaces and punctuation.'),
        similarity: z.number().describe('0 to 1; 1 for exact duplicates.'),
        found_at: z.iso.datetime(),
        memory: memoryOutput,
        duplicate_of: memoryOutput.describe('The older memory.'),
      }),
    ),
    has_more: z.boolean(),
  }),
  errors: ['not_found'],
  examples: [{ title: 'What was stored twice', input: {} }],
  async run(ctx, { brain_id, limit, offset }) {
    const brainIds = await listReadableBrainIds(ctx, brain_id);
    const pairs = await findPairs(ctx.db, brainIds, { limit: limit + 1, offset });
    const shown = pairs.slice(0, limit);
    const ids = new Set(shown.flatMap((pair) => [pair.memory_id, pair.duplicate_of]));
    const memories = new Map(
      (await findMemories(ctx.db, [...ids])).map((memory) => [memory.id, presentMemory(memory)]),
    );
    return {
      duplicates: shown.flatMap(({ kind, similarity, found_at, ...pair }) => {
        const memory = memories.get(pair.memory_id);
        const duplicate_of = memories.get(pair.duplicate_of);
        return memory && duplicate_of
          ? [{ kind, similarity, found_at: found_at.toISOString(), memory, duplicate_of }]
          : [];
      }),
      has_more: pairs.length > limit,
    };
  },
});
