import { createHash } from 'node:crypto';
import { defineAction, type Outcome } from '#kernel/action';
import { AppError } from '#kernel/errors';
import { z } from 'zod';
import { type Reach } from '../../../provider-client.ts';
import { ProviderFault } from '../../../provider-fault.ts';
import { drive, fileContent, fileName, textUpload, upload } from './upload.ts';

const payload = z
  .strictObject({
    file_id: z
      .string()
      .regex(/^[\w-]{1,128}$/, 'must be the id of a file, as its page has it')
      .describe('Its file_id, as its page or an action has it.'),
    name: fileName.optional(),
    content: fileContent.optional().describe('All of it: what the file has now is replaced.'),
  })
  .refine(({ name, content }) => name !== undefined || content !== undefined, 'needs one of name, content');

type Wanted = z.output<typeof payload>;

const known = z.object({
  id: z.string(),
  name: z.string(),
  mimeType: z.string(),
  version: z.string(),
  md5Checksum: z.string().optional(),
  webViewLink: z.string().optional(),
});
const fields = Object.keys(known.shape).join(',');

/** The name and the text of a file in Drive. Drive counts its versions, and tells the checksum of what it has. */
export const updateFile = defineAction<typeof payload, Reach>({
  name: 'update_file',
  example: { file_id: '1AbCdEfGhIjKlMnOpQrStUv', content: 'The second line.' },
  source: 'drive',
  summary: 'Change the name or the text of a file in Drive that was made here.',
  risk: 'write',
  handle: 'state',
  requiresConfirmation: true,
  payload,
  editable: ['name', 'content'],

  preview({ file_id, name = '', content }) {
    const shown = [
      { label: 'File', text: file_id },
      { label: 'Name', text: name },
      { label: 'Content', text: content === '' ? '(All of its text is taken away.)' : (content ?? '') },
    ];
    return { title: 'Change a file', fields: shown.filter((field) => field.text), isComplete: true };
  },

  target: ({ file_id }) => ({ recipients: [], what: `file ${file_id}`, otherNames: 'file *' }),

  known: {
    async ask(reach, wanted) {
      const { file_id } = wanted;
      const file = await changeable(reach, wanted);
      const shown = [{ label: 'File', text: `${file.name} (${file_id})` }];
      const overwrites = { name: file.name, content: file.md5Checksum };
      return { names: [`file ${file.name}`], people: null, shown, about: file.name, overwrites };
    },
  },

  async prepare(reach, wanted) {
    const { version, mimeType } = await changeable(reach, wanted);
    return { version, mime_type: mimeType };
  },

  async send({ client, link }, { file_id, name, content }, { mime_type }) {
    const metadata = { ...(name !== undefined && { name }) };
    const target = { method: 'PATCH', query: { fields } } as const;
    if (content === undefined) {
      const url = `${drive}/files/${file_id}`;
      return resultOf(known.parse(await client.json(link, { ...target, url, body: metadata })));
    }
    const answer = await client.json(link, {
      ...target,
      ...textUpload(metadata, { content, mime_type: String(mime_type) }),
      url: `${upload}/files/${file_id}`,
      query: { ...target.query, uploadType: 'multipart' },
    });
    return resultOf(known.parse(answer));
  },

  async lookup(reach, wanted, { version }): Promise<Outcome> {
    const file = await read(reach, wanted.file_id);
    if (!file) return { state: 'ambiguous', reason: 'The file is there no more.' };
    if (isAsWanted(file, wanted)) return { state: 'confirmed', result: resultOf(file) };
    if (file.version === version)
      return { state: 'failed', error: { message: 'It was not done: Drive has the file as it was before.' } };
    return { state: 'ambiguous', reason: 'The file was changed since, and is not as it was to be.' };
  },
});

async function read({ client, link }: Reach, fileId: string) {
  try {
    return known.parse(await client.json(link, { method: 'GET', url: `${drive}/files/${fileId}`, query: { fields } }));
  } catch (error) {
    if (error instanceof ProviderFault && error.status === 404) return null;
    throw error;
  }
}

/** Throws when it is not there, or is no text that could be replaced. */
async function changeable(reach: Reach, { file_id, content }: Wanted) {
  const file = await read(reach, file_id);
  if (!file) throw new AppError('not_found', `There is no file ${file_id} that this account can see.`);
  if (content === undefined || file.mimeType.startsWith('text/')) return file;
  const message = `${file.name} is no text but ${file.mimeType}: its content cannot be replaced here, its name can.`;
  throw new AppError('invalid_input', message);
}

function isAsWanted(file: z.output<typeof known>, { name, content }: Wanted): boolean {
  const isCalled = name === undefined || file.name === name;
  return isCalled && (content === undefined || file.md5Checksum === createHash('md5').update(content).digest('hex'));
}

function resultOf({ id, webViewLink }: z.output<typeof known>) {
  return { file_id: id, ...(webViewLink && { link: webViewLink }) };
}
