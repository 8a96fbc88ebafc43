import { AppError } from '#kernel/errors';
import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { memoryId } from '../ids.ts';
import { merge } from '../storing/retirement.ts';

export const mergeMemories = defineOperation({
  name: 'merge_memories',
  summary: 'Keep one of several duplicates and archive the others. undo_merge undoes this.',
  toolset: 'curation',
  effect: 'write',
  access: { scope: 'memory:write', brain: { role: 'editor', of: ['keep_id', 'retire_ids'] } },
  rest: [{ method: 'POST', path: '/v1/memory/merge' }],
  input: z.strictObject({
    keep_id: memoryId,
    retire_ids: z
      .array(memoryId)
      .min(1)
      .max(20)
      .describe('Memories of the same brain. Their topics, triggers and links move to the kept memory.'),
    reason: z.string().trim().min(1).max(2_000).optional(),
  }),
  output: z.object({
    merge_id: z.uuid().describe('The id for undo_merge.'),
    kept: z.uuid(),
    retired: z.array(z.uuid()),
    links_carried: z.number().int().describe('Links that moved to the kept memory.'),
  }),
  errors: ['not_found', 'forbidden', 'conflict', 'invalid_input'],
  examples: [
    {
      title: 'Two memories are duplicates',
      input: { keep_id: createExampleId('memory'), retire_ids: [createExampleId('other_memory')] },
    },
  ],
  async run(ctx, { keep_id, retire_ids, reason }) {
    const retired = [...new Set(retire_ids)];
    if (retired.includes(keep_id)) {
      throw new AppError('invalid_input', 'retire_ids: the memory to keep cannot be retired too.');
    }
    const { mergeId, linksCarried } = await merge(ctx, keep_id, retired, reason ?? null);
    return { merge_id: mergeId, kept: keep_id, retired, links_carried: linksCarried };
  },
});
