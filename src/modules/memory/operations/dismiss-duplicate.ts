import { AppError } from '#kernel/errors';
import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { memoryId } from '../ids.ts';
import { dismiss } from '../store/duplicates.ts';

export const dismissDuplicate = defineOperation({
  name: 'dismiss_duplicate',
  summary: 'Mark two reported duplicates as different. The pair is not listed again.',
  toolset: 'curation',
  effect: 'write',
  access: { scope: 'memory:write', brain: { role: 'editor', of: ['memory_id', 'duplicate_of'] } },
  rest: [{ method: 'POST', path: '/v1/memory/duplicates/dismiss' }],
  input: z.strictObject({ memory_id: memoryId, duplicate_of: memoryId }),
  output: z.object({ memory_id: z.uuid(), duplicate_of: z.uuid(), dismissed_at: z.iso.datetime() }),
  errors: ['not_found', 'forbidden', 'conflict'],
  examples: [
    {
      title: 'Two offices with the same name',
      input: { memory_id: createExampleId('duplicate_memory'), duplicate_of: createExampleId('duplicated_memory') },
    },
  ],
  async run(ctx, { memory_id, duplicate_of }) {
    const isDismissed = await dismiss(ctx.db, memory_id, duplicate_of, { label: ctx.caller.label, at: ctx.now });
    if (!isDismissed) throw new AppError('conflict', 'These two are not reported as duplicates; see list_duplicates.');
    return { memory_id, duplicate_of, dismissed_at: ctx.now.toISOString() };
  },
});
