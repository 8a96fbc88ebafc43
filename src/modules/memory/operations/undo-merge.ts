import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { mergeId } from '../ids.ts';
import { undo } from '../storing/undo.ts';

export const undoMerge = defineOperation({
  name: 'undo_merge',
  summary: 'Undo a merge: every memory and link is restored.',
  toolset: 'curation',
  effect: 'write',
  access: { scope: 'memory:write', brain: { role: 'editor', of: 'merge_id' } },
  rest: [{ method: 'POST', path: '/v1/memory/merge/{merge_id}/undo' }],
  input: z.strictObject({ merge_id: mergeId }),
  output: z.object({ merge_id: z.uuid(), restored: z.array(z.uuid()) }),
  errors: ['not_found', 'forbidden', 'conflict'],
  examples: [{ title: 'They were not the same', input: { merge_id: createExampleId('memory_merge') } }],
  async run(ctx, { merge_id }) {
    return { merge_id, restored: await undo(ctx, merge_id) };
  },
});
