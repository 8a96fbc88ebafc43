import { defineOperation } from '#kernel/operation';
import { brainId } from '#modules/brains';
import type { Jobs } from '#platform/jobs';
import { z } from 'zod';
import { memoryStored } from '../events.ts';
import { enqueueLinking } from '../link-later.ts';
import { memoryFields, memoryTypes, saliences } from '../memory-fields.ts';
import { newMemories, storeMemories } from '../new-memory.ts';

export function addMemoriesBulk(jobs: Jobs) {
  return defineOperation({
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
      memories: z.array(
        z.object({
          id: z.uuid(),
          type: z.enum(memoryTypes),
          salience: z.enum(saliences),
          duplicate_of: z.uuid().nullable().describe('The memory that says the same, if there is one.'),
        }),
      ),
      duplicates: z.number().int().describe('How many say the same as another memory; all are stored.'),
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
      const exact = await storeMemories(ctx, target, memories);
      const ids = memories.map((memory) => memory.id);
      await enqueueLinking(jobs, ctx.db, ctx.caller.workspaceId, ids, ctx.now);
      await ctx.emit(memoryStored({ ids, brain_id: target }, { brainId: target }));
      return {
        stored: memories.length,
        memories: memories.map(({ id, type, salience }) => ({
          id,
          type,
          salience,
          duplicate_of: exact.get(id) ?? null,
        })),
        duplicates: exact.size,
      };
    },
  });
}
