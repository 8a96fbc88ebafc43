// files: reading. Writing is in `writes.ts`.
import { createLegacyError } from '../errors.ts';
import { getIntegerParameter, getPathParameter, getTextParameter } from '../../kit/routing.ts';
import { cutPage } from '../routing.ts';
import type { QueryRule } from '../../kit/routing.ts';
import type { Reply } from '../../kit/wire.ts';
import type { ApiCall, ApiRoute } from '../routing.ts';
import { createInvalidValueError, parseQuery } from './query.ts';
import { canWrite, exportTypes, buildDriveFileResource, selectFileFields, workbookType } from './resource.ts';
import { buildWorkbook } from './workbook.ts';
import { googleType, isNative, createFileKey } from './store.ts';
import type { DriveStore, StoredFile } from './store.ts';

const prefix = 'https://www.googleapis.com/auth/drive';

/** Scopes of Drive. */
export const scope = {
  all: prefix,
  file: `${prefix}.file`,
  readonly: `${prefix}.readonly`,
  metadata: `${prefix}.metadata`,
  metadataReadonly: `${prefix}.metadata.readonly`,
  appdata: `${prefix}.appdata`,
} as const;

/** Scopes that see metadata. */
export const metadataScopes = [scope.all, scope.file, scope.readonly, scope.metadata, scope.metadataReadonly];

/** Parameters about shared drives, which every method takes. */
export const driveQuery: Record<string, QueryRule> = {
  supportsAllDrives: { type: 'boolean' },
  supportsTeamDrives: { type: 'boolean' },
};

/** Parameters of methods that answer with files. */
export const viewQuery: Record<string, QueryRule> = {
  ...driveQuery,
  includePermissionsForView: { type: 'string', values: ['published'] },
  includeLabels: { type: 'string' },
};

/** Whether the token may see only the files its client made. */
function isLimitedToOwnFiles(call: ApiCall): boolean {
  return !call.caller.scopes.some((item) => item !== scope.file && metadataScopes.some((known) => known === item));
}

/** The files an account can see: its own, and those others shared with it. */
function listVisibleFiles(call: ApiCall): StoredFile[] {
  const { account, client } = call.caller;
  const shared = [...call.world.data.accounts.values()]
    .filter((other) => other !== account)
    .flatMap((other) => [...other.drive.files.values()])
    .filter((file) => file.permissions.some((item) => item.emailAddress === account.email));
  const all = [...account.drive.files.values(), ...shared];
  return isLimitedToOwnFiles(call) ? all.filter((file) => file.createdBy === client.id) : all;
}

/** 404 of Drive. */
export function createFileNotFoundError(id: string) {
  return createLegacyError(404, {
    reason: 'notFound',
    message: `File not found: ${id}.`,
    location: 'fileId',
    locationType: 'parameter',
  });
}

/** The file of `:fileId`, with the drive it lies in. */
export function getDriveFile(call: ApiCall): { file: StoredFile; drive: DriveStore } {
  const id = getPathParameter(call, 'fileId');
  const { account } = call.caller;
  if (id === 'root' || id === account.drive.rootId) return { file: buildRootFolder(call), drive: account.drive };
  const file = listVisibleFiles(call).find((item) => item.id === id);
  if (!file) throw createFileNotFoundError(id);
  return { file, drive: call.world.data.accounts.get(file.owner)?.drive ?? account.drive };
}

/** The same for writing. `drive.file` alone allows only files that the application created. */
export function getWritableFile(call: ApiCall): { file: StoredFile; drive: DriveStore } {
  const found = getDriveFile(call);
  const { scopes, client } = call.caller;
  if (!scopes.includes(scope.all) && found.file.createdBy !== client.id) {
    throw createLegacyError(403, {
      reason: 'appNotAuthorizedToFile',
      message: `The user has not granted the app ${client.id} write access to the file ${found.file.id}.`,
    });
  }
  if (found.drive.files.has(found.file.id) && canWrite(found.file, call.caller.account.email)) return found;
  throw createLegacyError(403, {
    reason: 'insufficientFilePermissions',
    message: `The user does not have sufficient permissions for file ${found.file.id}.`,
  });
}

function buildRootFolder(call: ApiCall): StoredFile {
  const { account } = call.caller;
  return {
    id: account.drive.rootId,
    owner: account.email,
    name: 'My Drive',
    mimeType: googleType.folder,
    starred: false,
    trashed: false,
    parents: [],
    createdTime: 0,
    modifiedTime: 0,
    version: 1,
    content: new Uint8Array(),
    properties: {},
    appProperties: {},
    permissions: [],
    revision: '',
  };
}

type CompareFiles = (one: StoredFile, other: StoredFile) => number;

const orders: Record<string, CompareFiles> = {
  createdTime: (one, other) => one.createdTime - other.createdTime,
  modifiedTime: (one, other) => one.modifiedTime - other.modifiedTime,
  modifiedByMeTime: (one, other) => one.modifiedTime - other.modifiedTime,
  viewedByMeTime: (one, other) => one.modifiedTime - other.modifiedTime,
  sharedWithMeTime: (one, other) => one.createdTime - other.createdTime,
  recency: (one, other) => one.modifiedTime - other.modifiedTime,
  name: (one, other) => one.name.localeCompare(other.name),
  name_natural: (one, other) => one.name.localeCompare(other.name, 'en', { numeric: true }),
  quotaBytesUsed: (one, other) => one.content.length - other.content.length,
  starred: (one, other) => Number(other.starred) - Number(one.starred),
  folder: (one, other) => Number(other.mimeType === googleType.folder) - Number(one.mimeType === googleType.folder),
};

function parseOrder(source: string): CompareFiles {
  const keys = source.split(',').map((item): CompareFiles => {
    const [name = '', direction] = item.trim().split(/\s+/);
    const order = orders[name];
    if (!order || (direction !== undefined && direction !== 'desc')) throw createInvalidValueError('orderBy');
    return direction === 'desc' ? (one, other) => order(other, one) : order;
  });
  return (one, other) => keys.reduce((found, order) => found || order(one, other), 0);
}

function listFiles(call: ApiCall): Reply {
  const { account } = call.caller;
  const query = parseQuery(getTextParameter(call, 'q') ?? '', { self: account.email, rootId: account.drive.rootId });
  const orderBy = getTextParameter(call, 'orderBy');
  if (query.ranked && orderBy) {
    const message =
      'Sorting is not supported for queries with fullText terms. Results are always in descending relevance order.';
    throw createLegacyError(400, { reason: 'badRequest', message, location: 'orderBy', locationType: 'parameter' });
  }
  const found = listVisibleFiles(call)
    .filter((file) => query.matches(file))
    .sort(parseOrder(orderBy ?? 'modifiedTime desc'));
  const { items, nextPageToken } = cutPage(call, found, getIntegerParameter(call, 'pageSize', 100));
  const json = {
    kind: 'drive#fileList',
    ...(nextPageToken ? { nextPageToken } : {}),
    incompleteSearch: false,
    files: items.map((file) => buildDriveFileResource(file, account, call.world.url)),
  };
  return {
    json: selectFileFields(call, json, 'kind,incompleteSearch,nextPageToken,files(kind,id,name,mimeType)', ['files']),
  };
}

function getFile(call: ApiCall): Reply {
  const { file } = getDriveFile(call);
  if (getTextParameter(call, 'alt') === 'media') return download(call, file);
  return {
    json: selectFileFields(
      call,
      buildDriveFileResource(file, call.caller.account, call.world.url),
      'kind,id,name,mimeType',
    ),
  };
}

function download(call: ApiCall, file: StoredFile): Reply {
  const mayRead = call.caller.scopes.some((item) =>
    [scope.all, scope.file, scope.readonly].some((known) => known === item),
  );
  if (!mayRead) {
    throw createLegacyError(403, {
      reason: 'insufficientFilePermissions',
      message: 'The granted scopes do not allow use of the alt parameter with value media.',
    });
  }
  if (isNative(file.mimeType)) {
    throw createLegacyError(403, {
      reason: 'fileNotDownloadable',
      message: 'Only files with binary content can be downloaded. Use Export with Docs Editors files.',
      location: 'alt',
      locationType: 'parameter',
    });
  }
  return { bytes: { contentType: file.mimeType, content: file.content } };
}

function exportFile(call: ApiCall): Reply {
  const { file } = getDriveFile(call);
  const types = exportTypes[file.mimeType];
  const wanted = getTextParameter(call, 'mimeType') ?? '';
  if (!types)
    throw createLegacyError(403, { reason: 'fileNotExportable', message: 'Export only supports Docs Editors files.' });
  if (!types.includes(wanted)) {
    throw createLegacyError(400, {
      reason: 'badRequest',
      message: 'The requested conversion is not supported.',
      location: 'convertTo',
      locationType: 'parameter',
    });
  }
  const content = convertContent(file, wanted);
  if (content.length > largestExport) {
    const message = 'This file is too large to be exported.';
    throw createLegacyError(403, { reason: 'exportSizeLimitExceeded', message });
  }
  return { bytes: { contentType: wanted, content } };
}

/** https://developers.google.com/workspace/drive/api/reference/rest/v3/files/export */
const largestExport = 10_000_000;

function convertContent(file: StoredFile, wanted: string): Buffer {
  const source = Buffer.from(file.content).toString('utf8');
  const tabs = file.tabs ?? { Sheet1: source };
  if (wanted === workbookType) return buildWorkbook(tabs);
  return Buffer.from(encodeExport(file.tabs ? (Object.values(tabs)[0] ?? '') : source, wanted));
}

/** Plain text leaves Google with a byte order mark and CRLF. */
function encodeExport(source: string, type: string): string {
  if (type === 'text/plain') return `\uFEFF${source.replaceAll(/\r?\n/g, '\r\n')}`;
  if (type !== 'text/html') return source;
  const escaped = source.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<html><body>${escaped
    .split('\n')
    .map((line) => `<p>${line}</p>`)
    .join('')}</body></html>`;
}

function generateIds(call: ApiCall): Reply {
  const ids = Array.from({ length: getIntegerParameter(call, 'count', 10) }, createFileKey);
  for (const id of ids) call.caller.account.drive.reserved.add(id);
  return { json: { kind: 'drive#generatedIds', space: getTextParameter(call, 'space') ?? 'drive', ids } };
}

function showAbout(call: ApiCall): Reply {
  const { account } = call.caller;
  if (getTextParameter(call, 'fields') === undefined) {
    throw createLegacyError(400, {
      reason: 'required',
      message: "The 'fields' parameter is required for this method.",
      location: 'fields',
      locationType: 'parameter',
    });
  }
  const usage = [...account.drive.files.values()].reduce((sum, file) => sum + file.content.length, 0);
  return {
    json: {
      kind: 'drive#about',
      user: {
        kind: 'drive#user',
        displayName: account.name,
        photoLink: account.picture,
        me: true,
        permissionId: account.id,
        emailAddress: account.email,
      },
      storageQuota: { limit: '16106127360', usage: String(usage), usageInDrive: String(usage), usageInDriveTrash: '0' },
      maxUploadSize: '5242880000000',
      appInstalled: false,
      canCreateDrives: false,
      exportFormats: exportTypes,
    },
  };
}

const listQuery: Record<string, QueryRule> = {
  ...viewQuery,
  corpora: { type: 'string' },
  corpus: { type: 'string', values: ['domain', 'user'] },
  driveId: { type: 'string' },
  includeItemsFromAllDrives: { type: 'boolean' },
  includeTeamDriveItems: { type: 'boolean' },
  orderBy: { type: 'string' },
  pageSize: { type: 'integer', min: 1, max: 1000 },
  pageToken: { type: 'string' },
  q: { type: 'string' },
  spaces: { type: 'string' },
  teamDriveId: { type: 'string' },
};
const idsQuery: Record<string, QueryRule> = {
  count: { type: 'integer', min: 1, max: 1000 },
  space: { type: 'string', values: ['drive', 'appDataFolder'] },
  type: { type: 'string', values: ['files', 'shortcuts'] },
};
const getQuery: Record<string, QueryRule> = { ...viewQuery, acknowledgeAbuse: { type: 'boolean' } };
const exportQuery: Record<string, QueryRule> = { mimeType: { type: 'string', required: true } };

/** The routes that read. */
export const fileRoutes: ApiRoute[] = [
  { method: 'GET', path: '/drive/v3/about', api: 'drive', scopes: metadataScopes, handle: showAbout },
  { method: 'GET', path: '/drive/v3/files', api: 'drive', scopes: metadataScopes, query: listQuery, handle: listFiles },
  {
    method: 'GET',
    path: '/drive/v3/files/generateIds',
    api: 'drive',
    scopes: [scope.all, scope.file, scope.appdata],
    query: idsQuery,
    handle: generateIds,
  },
  {
    method: 'GET',
    path: '/drive/v3/files/:fileId',
    api: 'drive',
    scopes: metadataScopes,
    query: getQuery,
    handle: getFile,
  },
  {
    method: 'GET',
    path: '/drive/v3/files/:fileId/export',
    api: 'drive',
    scopes: [scope.all, scope.file, scope.readonly],
    query: exportQuery,
    handle: exportFile,
  },
];
