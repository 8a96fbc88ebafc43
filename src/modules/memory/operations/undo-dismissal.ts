import { AppError } from '#kernel/errors';
import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { memoryId } from '../ids.ts';
import { restoreDuplicate } from '../store/duplicates.ts';

export const undoDismissal = defineOperation({
  name: 'undo_dismissal',
  summary: 'Undo dismiss_duplicate: the pair is listed again.',
  toolset: 'curation',
  effect: 'write',
  access: { scope: 'memory:write', brain: { role: 'editor', of: ['memory_id', 'duplicate_of'] } },
  rest: [{ method: 'POST', path: '/v1/memory/duplicates/undo-dismissal' }],
  input: z.strictObject({ memory_id: memoryId, duplicate_of: memoryId }),
  output: z.object({ memory_id: z.uuid(), duplicate_of: z.uuid() }),
  errors: ['not_found', 'forbidden', 'conflict'],
  examples: [
    {
      title: 'They are duplicates',
      input: { memory_id: createExampleId('duplicate_memory'), duplicate_of: createExampleId('duplicated_memory') },
    },
  ],
  async run(ctx, pair) {
    const isThere = await restoreDuplicate(ctx.db, pair.memory_id, pair.duplicate_of);
    if (!isThere) throw new AppError('conflict', 'These two were never reported as duplicates; see list_duplicates.');
    return pair;
  },
});
