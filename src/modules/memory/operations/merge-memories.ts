import { AppError } from '#kernel/errors';
import { exampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { memoryId } from '../ids.ts';
import { merge } from '../retirement.ts';

export const mergeMemories = defineOperation({
  name: 'merge_memories',
  summary: 'Keep one of several memories that say the same; the others retire for it. undo_merge takes it back.',
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
      .describe('Memories of the same brain; their topics, triggers and links go to the one that is kept.'),
    reason: z.string().trim().min(1).max(2_000).optional(),
  }),
  output: z.object({
    merge_id: z.uuid().describe('What undo_merge takes.'),
    kept: z.uuid(),
    retired: z.array(z.uuid()),
    links_carried: z.number().int().describe('Links of the retired that the kept memory has now.'),
  }),
  errors: ['not_found', 'forbidden', 'conflict', 'invalid_input'],
  examples: [
    {
      title: 'Two memories say the same',
      input: { keep_id: exampleId('memory'), retire_ids: [exampleId('other_memory')] },
    },
  ],
  async run(ctx, { keep_id, retire_ids, reason }) {
    const retired = [...new Set(retire_ids)];
    if (retired.includes(keep_id)) {
      throw new AppError('invalid_input', 'retire_ids: the memory that is kept cannot be retired too.');
    }
    const { mergeId, linksCarried } = await merge(ctx, keep_id, retired, reason ?? null);
    return { merge_id: mergeId, kept: keep_id, retired, links_carried: linksCarried };
  },
});
