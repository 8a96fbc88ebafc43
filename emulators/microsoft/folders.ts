// me/mailFolders: those that every mailbox has, and the tree of a person's own.
import { randomBytes } from 'node:crypto';
import { getPathParameter } from '../kit/routing.ts';
import type { Reply } from '../kit/wire.ts';
import { listQuery, listReply, createItemNotFoundError, selectFields } from './routing.ts';
import type { Call, Route } from './routing.ts';
import { dropMessage, folderNames } from './state.ts';
import type { Account, Folder, MicrosoftWorld } from './state.ts';

/** The folder of an id, which is `folder-` and its key; well-known names may be used as well, whatever the folder is called. */
export function getMailFolder({ folders }: Account, which: string): Folder {
  const key = which.replace(/^folder-/, '');
  const known = Object.hasOwn(folderNames, key.toLowerCase()) ? key.toLowerCase() : key;
  const folder = folders.find((each) => each.key === known);
  if (!folder) throw createItemNotFoundError();
  return folder;
}

/** The folder that a request names. */
export function getRequestedFolder(call: Call): Folder {
  return getMailFolder(call.account, getPathParameter(call, 'folder'));
}

function listChildFolders({ folders }: Account, parent: string | null): Folder[] {
  return folders
    .filter((folder) => folder.parent === parent)
    .toSorted((one, other) => one.name.localeCompare(other.name));
}

function buildFolderResource(account: Account, { key, name, parent }: Folder): Record<string, unknown> {
  const own = account.messages.filter(({ folder }) => folder === key);
  return {
    id: `folder-${key}`,
    displayName: name,
    parentFolderId: `folder-${parent ?? 'msgfolderroot'}`,
    childFolderCount: listChildFolders(account, key).length,
    unreadItemCount: own.filter(({ isRead }) => !isRead).length,
    totalItemCount: own.length,
    isHidden: false,
  };
}

/** Direct children only. Their folders need a request each. */
function listBelow(call: Call, parent: string | null): Reply {
  return listReply(
    call,
    listChildFolders(call.account, parent).map((folder) => buildFolderResource(call.account, folder)),
  );
}

/** Makes a folder, at the top or in another. Answers its id. */
export function addFolder(account: Account, { name, in: parent }: { name: string; in?: string }): string {
  const key = randomBytes(30).toString('base64url');
  account.folders.push({ key, name, parent: parent === undefined ? null : getMailFolder(account, parent).key });
  return `folder-${key}`;
}

/** Renames or moves a folder. `in: null` deletes it permanently with its contents. */
export function touchFolder(
  world: MicrosoftWorld,
  account: Account,
  id: string,
  { name, in: parent }: { name?: string; in?: string | null },
): void {
  const folder = getMailFolder(account, id);
  if (name !== undefined) folder.name = name;
  if (parent === null) dropFolder(world, account, folder);
  else if (parent !== undefined) folder.parent = getMailFolder(account, parent).key;
}

function dropFolder(world: MicrosoftWorld, account: Account, folder: Folder): void {
  for (const child of listChildFolders(account, folder.key)) dropFolder(world, account, child);
  for (const message of account.messages.filter((each) => each.folder === folder.key))
    dropMessage(world, account, message);
  account.folders = account.folders.filter((each) => each !== folder);
}

const read = ['Mail.Read', 'Mail.ReadWrite'];
const base = '/v1.0/me/mailFolders';

/** The routes of folders. */
export const folderRoutes: Route[] = [
  { method: 'GET', path: base, scopes: read, query: listQuery, handle: (call) => listBelow(call, null) },
  {
    method: 'GET',
    path: `${base}/:folder`,
    scopes: read,
    handle: (call) => ({ json: selectFields(call, buildFolderResource(call.account, getRequestedFolder(call))) }),
  },
  {
    method: 'GET',
    path: `${base}/:folder/childFolders`,
    scopes: read,
    query: listQuery,
    handle: (call) => listBelow(call, getRequestedFolder(call).key),
  },
];
