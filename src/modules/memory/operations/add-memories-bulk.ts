import { defineOperation } from '#kernel/operation';
import { brainId } from '#modules/brains';
import { z } from 'zod';
import { memoryStored } from '../events.ts';
import { memoryFields, memoryTypes, saliences } from '../memory-fields.ts';
import { newMemories } from '../new-memory.ts';
import { insertMemories } from '../store.ts';

export const addMemoriesBulk = defineOperation({
  name: 'add_memories_bulk',
  summary: 'Store up to 100 memories in one brain at once; the answer keeps their order.',
  toolset: 'memory',
  effect: 'write',
  access: { scope: 'memory:write', brain: { role: 'editor', of: 'target_brain_id' } },
  rest: [{ method: 'POST', path: '/v1/memory/add/bulk' }],
  maxBodyBytes: 4_000_000,
  maxAtOnce: 1,
  input: z.strictObject({
    target_brain_id: brainId.optional().describe('Default: your home brain.'),
    memories: z.array(z.strictObject(memoryFields)).min(1).max(100),
  }),
  output: z.object({
    stored: z.number().int(),
    memories: z.array(z.object({ id: z.uuid(), type: z.enum(memoryTypes), salience: z.enum(saliences) })),
  }),
  errors: ['not_found', 'forbidden', 'payload_too_large'],
  examples: [
    {
      title: 'Two facts',
      input: {
        memories: [
          { content: 'Email templates use Handlebars syntax', type: 'fact' },
          { content: "Never fabricate claims about a prospect's organization", salience: 'critical' },
        ],
      },
    },
  ],
  async run(ctx, input) {
    const target = input.target_brain_id ?? (await ctx.brains()).homeBrainId;
    const memories = await newMemories(ctx, target, input.memories);
    await insertMemories(ctx.db, memories);
    const ids = memories.map((memory) => memory.id);
    await ctx.emit(memoryStored({ ids, brain_id: target }, { brainId: target }));
    return { stored: memories.length, memories: memories.map(({ id, type, salience }) => ({ id, type, salience })) };
  },
});
