// Creates a text file in Drive. Drive issues the id in advance, and refuses a second file with the same id.
// https://developers.google.com/workspace/drive/api/reference/rest/v3/files/generateIds
import { z } from 'zod';
import { createProviderApi, writePath } from '#providers/http';
import { defineWrite, judgeCreation, createSchemaField } from '#providers/writing';
import { driveApi, driveUploadApi } from '../account.ts';
import { fileContent, fileName, buildUpload } from './upload.ts';

const folderOf = z.object({ id: z.string(), name: z.string() });
const fileOf = z.object({ id: z.string(), webViewLink: z.string().optional() });
const fields = 'id,webViewLink';
const buildResult = ({ id, webViewLink }: z.output<typeof fileOf>) => ({ file_id: id, link: webViewLink });

/** A new text file. */
export const createFile = defineWrite(
  { source: 'drive', api: driveApi },
  {
    name: 'create_file',
    example: { name: 'notes.md', content: 'The first line.' },
    summary: 'Create a text file.',
    risk: 'write',
    fields: {
      name: createSchemaField('Name', fileName),
      mime_type: createSchemaField(
        'Type',
        z
          .string()
          .regex(/^text\/[\w.+-]+$/, 'must be a text type, such as text/plain or text/markdown')
          .default('text/plain'),
      ),
      folder_id: createSchemaField(
        'Folder',
        z
          .string()
          .regex(/^[\w-]{1,128}$/)
          .optional()
          .describe('Default: My Drive.'),
      ),
      content: createSchemaField('Content', fileContent),
    },
    editable: ['name', 'content'],
    title: (input) => `File ${input.name}`,
    target: (input) => `file ${input.name}`,
    otherNames: ({ folder_id: id }) => (id === undefined ? undefined : 'file in *'),
    handle: 'chosen_id',

    needsSnapshot: ({ folder_id: id }) => id !== undefined,
    async snapshot(api, _found, { folder_id: of = '' }) {
      const { id, name } = await api.read(folderOf, { path: writePath`/files/${of}`, query: { fields: 'id,name' } });
      return {
        names: [`file in ${name}`, `file in ${id}`],
        shown: [{ label: 'Folder', text: `${name} (${id})` }],
      };
    },
    async prepare(api) {
      const answer = z.object({ ids: z.tuple([z.string()], z.string()) });
      const query = { count: 1, space: 'drive' };
      return { file_id: (await api.read(answer, { path: '/files/generateIds', query })).ids[0] };
    },
    async send({ reach }, { name, content, mime_type, folder_id: folder }, made) {
      const metadata = { id: made.file_id, name, mimeType: mime_type, ...(folder && { parents: [folder] }) };
      const file = await createProviderApi(driveUploadApi, reach).write(fileOf, {
        method: 'POST',
        path: '/files',
        query: { uploadType: 'multipart', fields },
        ...buildUpload(metadata, { content, mime_type }),
      });
      return buildResult(file);
    },
    async lookup(api, _input, made) {
      const file = await api.find(fileOf, { path: writePath`/files/${made.file_id}`, query: { fields } });
      if (file && file.id !== made.file_id) return { state: 'ambiguous', reason: 'Drive returned a different file.' };
      return judgeCreation(file && buildResult(file));
    },
    undo: {
      says: 'Move the file to the trash',
      forMinutes: 1_440,
      steps: (_input, made) => [{ method: 'PATCH', path: writePath`/files/${made.file_id}`, body: { trashed: true } }],
    },
  },
);
