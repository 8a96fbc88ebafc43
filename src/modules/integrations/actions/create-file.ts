import { randomUUID } from 'node:crypto';
import { defineAction, type Outcome } from '#kernel/action';
import { z } from 'zod';
import { type Reach } from '../provider-client.ts';
import { ProviderFault } from '../provider-fault.ts';

const drive = 'https://www.googleapis.com/drive/v3';
const upload = 'https://www.googleapis.com/upload/drive/v3';

const payload = z.strictObject({
  name: z.string().trim().min(1).max(500),
  content: z.string().max(5_000_000),
  mime_type: z
    .string()
    .regex(/^text\/[\w.+-]+$/, 'must be a text type, such as text/plain or text/markdown')
    .default('text/plain'),
  folder_id: z
    .string()
    .regex(/^[\w-]{1,128}$/)
    .optional()
    .describe('Default: My Drive.'),
});

const generated = z.object({ ids: z.array(z.string()).min(1) });
const stored = z.object({ id: z.string(), webViewLink: z.string().optional() });

/** A text file in Drive. Drive hands out its id beforehand, and refuses a second file of the same id. */
export const createFile = defineAction<typeof payload, Reach>({
  name: 'create_file',
  source: 'drive',
  summary: 'Create a text file.',
  risk: 'write',
  payload,
  editable: ['name', 'content'],

  preview({ name, content, mime_type, folder_id }) {
    const fields = [
      { label: 'Name', text: name },
      { label: 'Type', text: mime_type },
      { label: 'Folder', text: folder_id ?? '' },
      { label: 'Content', text: content },
    ];
    return { title: `File ${name}`, fields: fields.filter((field) => field.text), isComplete: true };
  },

  target: ({ name }) => ({ recipients: [], what: `file ${name}` }),

  async prepare({ client, link }) {
    const answer = await client.json(link, {
      method: 'GET',
      url: `${drive}/files/generateIds`,
      query: { count: 1, space: 'drive' },
    });
    return { file_id: generated.parse(answer).ids[0] };
  },

  async send({ client, link }, file, { file_id }) {
    const boundary = `part-${randomUUID()}`;
    const metadata = {
      id: file_id,
      name: file.name,
      mimeType: file.mime_type,
      ...(file.folder_id && { parents: [file.folder_id] }),
    };
    const answer = await client.json(link, {
      method: 'POST',
      url: `${upload}/files`,
      query: { uploadType: 'multipart', fields: 'id,webViewLink' },
      headers: { 'content-type': `multipart/related; boundary=${boundary}` },
      body: multipart(boundary, metadata, file),
    });
    return resultOf(answer);
  },

  async lookup({ client, link }, _file, { file_id }): Promise<Outcome> {
    try {
      const url = `${drive}/files/${String(file_id)}`;
      return {
        state: 'confirmed',
        result: resultOf(await client.json(link, { method: 'GET', url, query: { fields: 'id,webViewLink' } })),
      };
    } catch (error) {
      if (!(error instanceof ProviderFault) || error.status !== 404) throw error;
      return { state: 'failed', error: { message: 'It was not created: Drive has no such file.' } };
    }
  },
});

function resultOf(answer: unknown) {
  const { id, webViewLink } = stored.parse(answer);
  return { file_id: id, ...(webViewLink && { link: webViewLink }) };
}

function multipart(boundary: string, metadata: unknown, file: { content: string; mime_type: string }): string {
  return [
    `--${boundary}`,
    'Content-Type: application/json; charset=UTF-8',
    '',
    JSON.stringify(metadata),
    `--${boundary}`,
    `Content-Type: ${file.mime_type}; charset=UTF-8`,
    '',
    file.content,
    `--${boundary}--`,
    '',
  ].join('\r\n');
}
