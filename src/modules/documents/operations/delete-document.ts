import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { documentId } from '../ids.ts';
import { deleteDocument as remove } from '../versions-store.ts';

export const deleteDocument = defineOperation({
  name: 'delete_document',
  summary:
    'Delete a document permanently, with its topics, its original and the versions it replaced. Memories that were learned from it stay.',
  toolset: 'documents',
  effect: 'write',
  isDestructive: true,
  access: { scope: 'documents:delete', brain: { role: 'editor', of: 'id' } },
  rest: [{ method: 'DELETE', path: '/v1/documents/{id}' }],
  input: z.strictObject({ id: documentId }),
  aliases: { document_id: 'id' },
  output: z.object({ id: z.uuid(), deleted: z.literal(true) }),
  errors: ['not_found', 'forbidden'],
  examples: [{ title: 'An outdated one', input: { id: createExampleId('document') } }],
  async run(ctx, { id }) {
    await remove(ctx.db, id, ctx.now);
    return { id, deleted: true as const };
  },
});
