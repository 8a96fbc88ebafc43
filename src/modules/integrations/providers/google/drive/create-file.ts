import { defineAction, type Outcome } from '#kernel/action';
import { z } from 'zod';
import { type Reach } from '../../../provider-client.ts';
import { ProviderFault, unlessGone } from '../../../provider-fault.ts';
import { drive, fileContent, fileName, textUpload, upload } from './upload.ts';

const payload = z.strictObject({
  name: fileName,
  content: fileContent,
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

const folderOf = z.object({ id: z.string(), name: z.string() });
const generated = z.object({ ids: z.array(z.string()).min(1) });
const stored = z.object({ id: z.string(), webViewLink: z.string().optional() });

/** A text file in Drive. Drive hands out its id beforehand, and refuses a second file of the same id. */
export const createFile = defineAction<typeof payload, Reach>({
  name: 'create_file',
  example: { name: 'notes.md', content: 'The first line.' },
  source: 'drive',
  summary: 'Create a text file.',
  risk: 'write',
  handle: 'chosen_id',
  requiresConfirmation: true,
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

  target: ({ name, folder_id }) => ({
    recipients: [],
    what: `file ${name}`,
    ...(folder_id && { otherNames: 'file in *' }),
  }),

  known: {
    isAsked: ({ folder_id }) => folder_id !== undefined,
    async ask({ client, link }, { folder_id = '' }) {
      const url = `${drive}/files/${folder_id}`;
      const folder = folderOf.parse(await client.json(link, { method: 'GET', url, query: { fields: 'id,name' } }));
      const names = [`file in ${folder.name}`, `file in ${folder.id}`];
      const shown = [{ label: 'Folder', text: `${folder.name} (${folder.id})` }];
      return { names, people: null, shown, overwrites: {} };
    },
  },

  async prepare({ client, link }) {
    const answer = await client.json(link, {
      method: 'GET',
      url: `${drive}/files/generateIds`,
      query: { count: 1, space: 'drive' },
    });
    return { file_id: generated.parse(answer).ids[0] };
  },

  async send({ client, link }, file, { file_id }) {
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
      ...textUpload(metadata, file),
    });
    return resultOf(answer);
  },

  async lookup({ client, link }, _file, { file_id }): Promise<Outcome> {
    try {
      const url = `${drive}/files/${String(file_id)}`;
      const result = resultOf(await client.json(link, { method: 'GET', url, query: { fields: 'id,webViewLink' } }));
      if (result['file_id'] !== file_id) return { state: 'ambiguous', reason: 'Drive answered with another file.' };
      return { state: 'confirmed', result };
    } catch (error) {
      if (!(error instanceof ProviderFault) || error.status !== 404) throw error;
      return { state: 'failed', error: { message: 'It was not created: Drive has no such file.' } };
    }
  },

  undo: {
    says: 'Put the file into the bin',
    forMinutes: 1_440,
    async run({ client, link }, _file, { handle }) {
      const url = `${drive}/files/${String(handle['file_id'])}`;
      await unlessGone(client.send(link, { method: 'PATCH', url, body: { trashed: true } }));
    },
  },
});

function resultOf(answer: unknown) {
  const { id, webViewLink } = stored.parse(answer);
  return { file_id: id, ...(webViewLink && { link: webViewLink }) };
}
