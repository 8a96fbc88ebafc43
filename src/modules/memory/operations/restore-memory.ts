import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { memoryId } from '../ids.ts';
import { restore } from '../storing/undo.ts';

export const restoreMemory = defineOperation({
  name: 'restore_memory',
  summary: 'Restore an archived memory. The supersedes link that archiving made is removed.',
  toolset: 'curation',
  effect: 'write',
  access: { scope: 'memory:write', brain: { role: 'editor', of: 'id' } },
  rest: [{ method: 'POST', path: '/v1/memory/restore/{id}' }],
  input: z.strictObject({ id: memoryId }),
  output: z.object({ id: z.uuid(), restored_at: z.iso.datetime() }),
  errors: ['not_found', 'forbidden', 'conflict'],
  examples: [{ title: 'It is still true', input: { id: createExampleId('archived_memory') } }],
  async run(ctx, { id }) {
    await restore(ctx, id);
    return { id, restored_at: ctx.now.toISOString() };
  },
});
