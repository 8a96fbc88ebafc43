import { createNotFoundError } from '#kernel/errors';
import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { constellationOutput, documentOutput, presentConstellation, presentDocument } from '../document-fields.ts';
import { documentId } from '../ids.ts';
import { findDocument, listDocumentConstellations } from '../store.ts';

export function getDocument({ publicUrl }: { publicUrl: string }) {
  return defineOperation({
    name: 'get_document',
    summary: 'Show a document and its topics, with the lines of each topic.',
    toolset: 'documents',
    effect: 'read',
    access: { scope: 'memory:read', brain: { role: 'viewer', of: 'document_id' } },
    rest: [{ method: 'GET', path: '/v1/documents/{document_id}' }],
    input: z.strictObject({ document_id: documentId }),
    output: documentOutput.extend({ constellations: z.array(constellationOutput) }),
    errors: ['not_found'],
    examples: [{ title: 'Its topics', input: { document_id: createExampleId('document') } }],
    async run(ctx, { document_id }) {
      const found = await findDocument(ctx.db, document_id);
      if (!found) throw createNotFoundError('document');
      const { sha256: _sha256, ...document } = found;
      const constellations = await listDocumentConstellations(ctx.db, document_id);
      return { ...presentDocument(document, publicUrl), constellations: constellations.map(presentConstellation) };
    },
  });
}
