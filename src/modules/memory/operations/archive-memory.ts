import { AppError } from '#kernel/errors';
import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { memoryId } from '../ids.ts';
import { retire } from '../storing/retirement.ts';

export const archiveMemory = defineOperation({
  name: 'archive_memory',
  summary: 'Archive a memory that is outdated, with the reason and its successor, if any. restore_memory undoes this.',
  toolset: 'memory',
  effect: 'write',
  access: { scope: 'memory:write', brain: { role: 'editor', of: ['id', 'superseded_by'] } },
  rest: [{ method: 'POST', path: '/v1/memory/archive/{id}' }],
  input: z.strictObject({
    id: memoryId,
    reason: z.string().trim().max(2_000).optional(),
    superseded_by: memoryId.optional().describe('The memory that replaces this one.'),
  }),
  output: z.object({ id: z.uuid(), archived_at: z.iso.datetime(), superseded_by: z.uuid().nullable() }),
  errors: ['not_found', 'forbidden', 'conflict'],
  examples: [
    { title: 'A decision was reversed', input: { id: createExampleId('memory'), reason: 'We switched to UCB' } },
  ],
  async run(ctx, { id, reason, superseded_by }) {
    if (superseded_by === id) throw new AppError('invalid_input', 'superseded_by: a memory cannot replace itself.');
    await retire(ctx, id, reason ?? null, superseded_by ?? null);
    return { id, archived_at: ctx.now.toISOString(), superseded_by: superseded_by ?? null };
  },
});
