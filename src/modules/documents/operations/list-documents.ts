import { defineOperation } from '#kernel/operation';
import { brainId, listReadableBrainIds } from '#modules/brains';
import { z } from 'zod';
import { documentOutput, presentDocument } from '../document-fields.ts';
import { listDocuments as findDocuments } from '../store.ts';

export function listDocuments({ publicUrl }: { publicUrl: string }) {
  return defineOperation({
    name: 'list_documents',
    summary: 'List the documents of a brain, or of every brain you may read, newest first.',
    toolset: 'documents',
    effect: 'read',
    access: { scope: 'memory:read', brain: { role: 'viewer', of: 'brain_id' } },
    rest: [{ method: 'GET', path: '/v1/documents' }],
    input: z.strictObject({
      brain_id: brainId.optional(),
      limit: z.number().int().min(1).max(200).default(50),
      offset: z.number().int().min(0).max(100_000).default(0),
    }),
    output: z.object({ documents: z.array(documentOutput), total: z.number().int() }),
    errors: ['not_found'],
    examples: [{ title: 'The newest', input: { limit: 10 } }],
    async run(ctx, { brain_id, limit, offset }) {
      const { documents, total } = await findDocuments(ctx.db, await listReadableBrainIds(ctx, brain_id), {
        limit,
        offset,
      });
      return { documents: documents.map((each) => presentDocument(each, publicUrl)), total };
    },
  });
}
