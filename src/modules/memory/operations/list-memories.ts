import { defineOperation } from '#kernel/operation';
import { brainId } from '#modules/brains';
import { z } from 'zod';
import { memoryOutput, memoryTypes, sourceFilter } from '../memory-fields.ts';
import { presentMemory } from '../recalling/present.ts';
import { countMemories, listMemories as findPage } from '../store/memories.ts';

export const listMemories = defineOperation({
  name: 'list_memories',
  summary:
    'List the memories of one brain, newest first. For browsing and export; use search_memory to find something.',
  toolset: 'memory',
  effect: 'read',
  access: { scope: 'memory:read', brain: { role: 'viewer', of: 'brain_id' } },
  rest: [{ method: 'GET', path: '/v1/memory/list' }],
  input: z.strictObject({
    brain_id: brainId.optional().describe('Default: your home brain.'),
    limit: z.number().int().min(1).max(100).default(50),
    offset: z.number().int().min(0).max(1_000_000).default(0),
    type: z.enum(memoryTypes).optional(),
    source: sourceFilter.optional().describe('As in `search_memory`.'),
  }),
  output: z.object({ memories: z.array(memoryOutput), total: z.number().int() }),
  errors: ['not_found'],
  examples: [{ title: 'The newest decisions', input: { type: 'decision', limit: 10 } }],
  async run(ctx, { brain_id, limit, offset, type, source }) {
    const brainIds = [brain_id ?? (await ctx.brains()).homeBrainId];
    const filter = { brainIds, ...(type && { type }), ...(source && { source }) };
    const memories = await findPage(ctx.db, filter, { limit, offset });
    return { memories: memories.map(presentMemory), total: (await countMemories(ctx.db, filter)).total };
  },
});
