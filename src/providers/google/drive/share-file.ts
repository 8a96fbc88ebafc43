// Shares files in Drive. https://developers.google.com/workspace/drive/api/reference/rest/v3/permissions
import { z } from 'zod';
import { writePath, type ProviderApi } from '#providers/http';
import {
  address,
  filterAll,
  choice,
  normalizeValue,
  defineWrite,
  flag,
  line,
  judgeCreation,
  assertFound,
} from '#providers/writing';
import { driveApi } from '../account.ts';

const fields = 'id,emailAddress,role';
const permissionOf = z.object({ id: z.string(), emailAddress: z.string().nullish(), role: z.string().nullish() });
const fileOf = z.object({ id: z.string(), name: z.string() });

const writePermissionsPath = (fileId: string) => writePath`/files/${fileId}/permissions`;

function listPermissions(api: ProviderApi, fileId: string) {
  const listed = api.list({
    answer: z.object({ permissions: z.array(permissionOf), nextPageToken: z.string().nullish() }),
    request: (pageToken) => ({
      path: writePermissionsPath(fileId),
      query: { fields: `nextPageToken,permissions(${fields})`, pageSize: 100, pageToken },
    }),
    items: ({ permissions }) => permissions,
    next: ({ nextPageToken }) => nextPageToken,
  });
  return filterAll(listed);
}

const shareFile = defineWrite(
  { source: 'drive', api: driveApi },
  {
    name: 'share_file',
    example: { file_id: '1AbCdEfGhIjKlMnOpQrStUv', email: 'ana@example.com', role: 'reader' },
    summary: 'Let somebody see or change a Drive file that Thalamus created.',
    risk: 'destructive',
    fields: {
      file_id: line('File', {
        about: "The file_id, from the file's page or from an action.",
        shape: { pattern: '^[\\w-]{1,128}$', says: 'must be the id of a file, as its page has it' },
      }),
      email: address('With'),
      role: choice('May', {
        options: { reader: 'Read it', commenter: 'Read it and comment', writer: 'Change it' },
      }),
      notify: flag('Notified by mail', { default: true }),
    },
    editable: ['email', 'role', 'notify'],
    recipients: ['email'],
    title: (input) => `Share a file with ${input.email}`,
    target: (input) => `file ${input.file_id}`,
    otherNames: 'file *',
    handle: 'state',

    async resolve(api, { file_id: id }) {
      const file = await api.find(fileOf, { path: writePath`/files/${id}`, query: { fields: 'id,name' } });
      const found = assertFound(file, `There is no file ${id} that this account can see.`);
      const permissions = await listPermissions(api, found.id);
      return { file: found, permissions: permissions.map((each) => ({ id: each.id, role: each.role })) };
    },
    snapshot: (_api, { file: { id, name } }) => ({
      names: [`file ${name}`],
      about: name,
      shown: [{ label: 'File', text: `${name} (${id})` }],
    }),
    async send(api, { email, role, notify }, { file }) {
      const made = await api.write(permissionOf, {
        method: 'POST',
        path: writePermissionsPath(file.id),
        query: { sendNotificationEmail: notify, fields },
        body: { type: 'user', role, emailAddress: email },
      });
      return { file_id: file.id, permission_id: made.id };
    },
    /** Drive may return another address of the same person, so a different address proves nothing. */
    async lookup(api, { email, role }, { file, permissions }) {
      const all = await listPermissions(api, file.id);
      const wanted = all.find((each) => normalizeValue(each.emailAddress) === email && each.role === role);
      if (wanted) return judgeCreation({ file_id: file.id, permission_id: wanted.id });
      const isKnown = (each: { id: string; role?: string | null | undefined }) =>
        permissions.some((former) => former.id === each.id && former.role === each.role);
      if (all.every(isKnown)) return judgeCreation(undefined);
      return { state: 'ambiguous', reason: 'This account has new access to the file, but not the requested access.' };
    },
    undo: {
      says: 'Give this person their former access to the file',
      forMinutes: 1_440,
      steps({ role }, { file, permissions, result }) {
        const path = `${writePermissionsPath(file.id)}${writePath`/${result['permission_id'] ?? ''}`}`;
        const former = permissions.find(({ id }) => id === result['permission_id']);
        if (!former) return [{ method: 'DELETE', path }];
        const mayReturn = ['reader', 'commenter', 'writer'].includes(former.role ?? '') && former.role !== role;
        return mayReturn ? [{ method: 'PATCH', path, body: { role: former.role } }] : [];
      },
    },
  },
);

/** The writes in Drive that share files. */
export const driveWrites = [shareFile];
