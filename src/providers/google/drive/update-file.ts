// Changes a file in Drive. Drive counts the versions of a file, and returns the checksum of its content.
// https://developers.google.com/workspace/drive/api/reference/rest/v3/files/update
import { createHash } from 'node:crypto';
import { AppError } from '#kernel/errors';
import { z } from 'zod';
import { createProviderApi, writePath, type ProviderApi } from '#providers/http';
import { judgeChange, defineWrite, assertFound, createSchemaField } from '#providers/writing';
import { driveApi, driveUploadApi } from '../account.ts';
import { fileContent, fileName, buildUpload } from './upload.ts';

const fileOf = z.object({
  id: z.string(),
  name: z.string(),
  mimeType: z.string(),
  version: z.string(),
  md5Checksum: z.string().optional(),
  webViewLink: z.string().optional(),
});
type File = z.output<typeof fileOf>;
const fields = Object.keys(fileOf.shape).join(',');

const getFile = (api: ProviderApi, id: string) =>
  api.find(fileOf, { path: writePath`/files/${id}`, query: { fields } });
const buildResult = ({ id, webViewLink }: File) => ({ file_id: id, link: webViewLink });

/** The name and the text of a file. */
export const updateFile = defineWrite(
  { source: 'drive', api: driveApi },
  {
    name: 'update_file',
    example: { file_id: '1AbCdEfGhIjKlMnOpQrStUv', content: 'The second line.' },
    summary: 'Change the name or text of a Drive file that Thalamus created.',
    risk: 'write',
    fields: {
      file_id: createSchemaField(
        'File',
        z
          .string()
          .regex(/^[\w-]{1,128}$/, 'must be the id of a file, as its page has it')
          .describe("The file_id, from the file's page or from an action."),
      ),
      name: createSchemaField('Name', fileName.optional()),
      content: createSchemaField(
        'Content',
        fileContent.optional().describe('The whole text. It replaces the present content.'),
        (content) => (content === '' ? '(All text is removed.)' : (content ?? '')),
      ),
    },
    oneOf: ['name', 'content'],
    editable: ['name', 'content'],
    title: () => 'Change a file',
    target: (input) => `file ${input.file_id}`,
    otherNames: 'file *',
    handle: 'state',

    /** Only a text accepts new content; every file accepts a new name. */
    async resolve(api, { file_id: id, content }) {
      const file = assertFound(await getFile(api, id), `There is no file ${id} that this account can see.`);
      if (content !== undefined && !file.mimeType.startsWith('text/'))
        throw new AppError(
          'invalid_input',
          `${file.name} is not a text file but ${file.mimeType}: you can change its name, not its content.`,
        );
      return { version: file.version, mime_type: file.mimeType, name: file.name, checksum: file.md5Checksum };
    },
    snapshot: (_api, { name, checksum }, { file_id: id }) => ({
      names: [`file ${name}`],
      shown: [{ label: 'File', text: `${name} (${id})` }],
      about: name,
      overwrites: { name, content: checksum },
    }),
    async send(api, { file_id: id, name, content }, { mime_type }) {
      const request = { method: 'PATCH', path: writePath`/files/${id}` } as const;
      if (content === undefined)
        return buildResult(await api.write(fileOf, { ...request, query: { fields }, body: { name } }));
      const upload = { ...buildUpload({ name }, { content, mime_type }), query: { fields, uploadType: 'multipart' } };
      return buildResult(await createProviderApi(driveUploadApi, api.reach).write(fileOf, { ...request, ...upload }));
    },
    async lookup(api, { file_id: id, name, content }, { version }) {
      const checksum = content !== undefined && createHash('md5').update(content).digest('hex');
      return judgeChange(await getFile(api, id), {
        isDone: (file) =>
          (name === undefined || file.name === name) && (content === undefined || file.md5Checksum === checksum),
        isSame: (file) => file.version === version,
        result: buildResult,
      });
    },
  },
);
