import { AppError } from '#kernel/errors';
import { defineOperation } from '#kernel/operation';
import { brainId, readBrainLanguage } from '#modules/brains';
import { z } from 'zod';
import { documentOutput, presentDocument } from '../document-fields.ts';
import { storeDocument, type IncomingDocument, type StoreDeps } from '../store-document.ts';
import type { Uploads } from '../uploads.ts';

const mostText = 20_000_000;
const mostBase64 = 34_000_000;

const input = z.strictObject({
  brain_id: brainId.optional().describe('Default: your home brain.'),
  title: z.string().trim().min(1).max(300).optional().describe('Default: the title inside the file, or its name.'),
  content: z.string().min(1).max(mostText).optional().describe('The text; or pass file_base64.'),
  filename: z.string().trim().min(1).max(300).optional().describe('Its extension determines the format.'),
  file_base64: z
    .base64()
    .min(4)
    .max(mostBase64)
    .optional()
    .describe('A file of at most 25 MB; larger ones as multipart/form-data.'),
  mime_type: z.string().max(200).optional(),
  replace: z
    .boolean()
    .optional()
    .describe(
      'True: replace the document with this filename (and this title, if given) in the brain; without a filename, the one with this title. The former document is no longer found. Without the scope documents:delete only your own document is replaced. Default: true with a filename, else false.',
    ),
  upload: z.uuid().optional().describe('Set only by the multipart route.'),
});

export function uploadDocument(keeping: StoreDeps, { uploads, publicUrl }: { uploads: Uploads; publicUrl: string }) {
  return defineOperation({
    name: 'upload_document',
    summary:
      'Store a file or a long text in a brain. Its words are found by search_memory and read with read_document.',
    toolset: 'documents',
    effect: 'write',
    access: { scope: 'memory:write', brain: { role: 'editor', of: 'brain_id' } },
    rest: [{ method: 'POST', path: '/v1/documents' }],
    input,
    output: documentOutput.extend({
      document_id: z.uuid(),
      constellations: z.number().int().describe('How many topics were found.'),
      is_new: z.boolean().describe('False: the brain already has the same file with this title.'),
      replaced_id: z.uuid().nullable().describe('The former document, which this one replaced.'),
    }),
    errors: ['not_found', 'forbidden', 'invalid_input', 'payload_too_large', 'plan_limit', 'unavailable'],
    examples: [
      {
        title: 'A text',
        input: {
          title: 'World-building notes',
          content: 'Chapter 1: The Seven Kingdoms\n\nMagic costs the caster sleep.',
        },
      },
      {
        title: 'A file',
        input: {
          filename: 'brand-guidelines.md',
          file_base64: Buffer.from('# Brand\n\nUse the blue logo.').toString('base64'),
        },
      },
    ],
    maxBodyBytes: 36_000_000,
    maxAtOnce: 4,
    async run(ctx, asked): Promise<IncomingDocument> {
      const brain = asked.brain_id ?? ctx.caller.homeBrainId;
      const file = getUploadedFile(asked, uploads);
      const replaces = asked.replace ?? file.filename !== null;
      return {
        brainId: brain,
        language: await readBrainLanguage(ctx.db, brain),
        title: asked.title ?? null,
        replaces,
        ...file,
      };
    },
    async afterCommit(ctx, file) {
      const { document, isNew, labels, replacedId } = await storeDocument(ctx, keeping, file);
      return {
        ...presentDocument(document, publicUrl),
        document_id: document.id,
        constellations: labels.length,
        is_new: isNew,
        replaced_id: replacedId,
      };
    },
  });
}

function getUploadedFile(
  { content, file_base64, filename, mime_type, upload }: z.output<typeof input>,
  uploads: Uploads,
) {
  if ([content, file_base64, upload].filter((each) => each !== undefined).length !== 1)
    throw new AppError('invalid_input', 'Give either content or file_base64.');
  if (upload !== undefined) {
    const receivedFile = uploads.find(upload);
    if (!receivedFile)
      throw new AppError('invalid_input', 'upload: send the file as multipart/form-data to POST /v1/documents.');
    const { path, cancelled } = receivedFile;
    return {
      filename: filename ?? receivedFile.filename,
      mimeType: mime_type ?? receivedFile.mimeType,
      source: { path },
      cancelled,
    };
  }
  const mimeType = mime_type ?? (content === undefined ? 'application/octet-stream' : 'text/plain');
  const bytes = content === undefined ? Buffer.from(file_base64 ?? '', 'base64') : Buffer.from(content);
  return { filename: filename ?? null, mimeType, source: { bytes } };
}
