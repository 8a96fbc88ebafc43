// Who else may see a file in Drive. https://developers.google.com/workspace/drive/api/reference/rest/v3/permissions
import type { Api, Call, Listing } from './pieces.ts';
import type { Write } from './write.ts';

/** Drive's API. */
export const driveApi: Api = { baseUrl: 'https://www.googleapis.com/drive/v3' };

const permissions = '/files/{{file.id}}/permissions';
const fields = 'id,emailAddress,role';
const list: Call = {
  method: 'GET',
  path: permissions,
  queryParams: { fields: `nextPageToken,permissions(${fields})`, pageSize: 100, pageToken: '{{page}}' },
};

const permissionList: Listing = { call: list, items: 'permissions', paging: { by: 'token', at: 'nextPageToken' } };

const shareFile: Write = {
  name: 'share_file',
  example: { file_id: '1AbCdEfGhIjKlMnOpQrStUv', email: 'ana@example.com', role: 'reader' },
  summary: 'Let somebody see or change a file in Drive that was made here.',
  risk: 'destructive',
  fields: {
    file_id: {
      kind: 'line',
      label: 'File',
      about: 'Its file_id, as its page or an action has it.',
      shape: { pattern: '^[\\w-]{1,128}$', says: 'must be the id of a file, as its page has it' },
    },
    email: { kind: 'address', label: 'With' },
    role: {
      kind: 'choice',
      label: 'May',
      options: { reader: 'Read it', commenter: 'Read it and comment', writer: 'Change it' },
    },
    notify: { kind: 'flag', label: 'Told by mail', default: true },
  },
  editable: ['email', 'role', 'notify'],
  recipients: ['email'],
  target: 'file {{input.file_id}}',
  known: {
    names: ['file {{file.name}}'],
    about: '{{file.name}}',
    shown: [{ label: 'File', text: '{{file.name}} ({{file.id}})' }],
  },
  title: 'Share a file with {{input.email}}',
  handle: 'state',
  before: [
    {
      as: 'file',
      one: { call: { method: 'GET', path: '/files/{{input.file_id}}', queryParams: { fields: 'id,name' } }, at: '' },
      keep: { id: 'id', name: 'name' },
      missing: 'There is no file {{input.file_id}} that this account can see.',
    },
    {
      as: 'permissions',
      all: true,
      listing: permissionList,
      keep: { id: 'id', role: 'role' },
      missing: 'Nobody has access to the file.',
    },
  ],
  call: {
    method: 'POST',
    path: permissions,
    queryParams: { sendNotificationEmail: '{{input.notify}}', fields },
    body: { type: 'user', role: '{{input.role}}', emailAddress: '{{input.email}}' },
  },
  at: '',
  result: { file_id: '{{file.id}}', permission_id: '{{item.id}}' },
  // Drive may tell another address of the same person: what is new and unlike is no proof, and no denial.
  lookups: [
    {
      listing: permissionList,
      isNew: ['id', 'role'],
      like: [
        { at: 'emailAddress', is: '{{input.email}}' },
        { at: 'role', is: '{{input.role}}' },
      ],
    },
  ],
  undo: {
    says: 'Give this person the access to the file that they had before',
    forMinutes: 1_440,
    steps: [
      {
        where: [{ at: 'permissions.*.id', lacks: '{{result.permission_id}}' }],
        call: { method: 'DELETE', path: `${permissions}/{{result.permission_id}}` },
      },
      {
        each: { of: 'permissions', as: 'former' },
        when: { at: 'former.role', isOneOf: ['reader', 'commenter', 'writer'] },
        where: [
          { at: 'former.id', is: '{{result.permission_id}}' },
          { at: 'former.role', lacks: '{{input.role}}' },
        ],
        call: {
          method: 'PATCH',
          path: `${permissions}/{{result.permission_id}}`,
          body: { role: '{{former.role}}' },
        },
      },
    ],
  },
};

/** What is written in Drive besides files. */
export const driveWrites: readonly Write[] = [shareFile];
