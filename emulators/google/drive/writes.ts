// files: create, update, copy, delete.
import { randomBytes } from 'node:crypto';
import { createLegacyError } from '../errors.ts';
import { getTextParameter } from '../../kit/routing.ts';
import type { QueryRule } from '../../kit/routing.ts';
import type { Reply } from '../../kit/wire.ts';
import type { ApiCall, ApiRoute } from '../routing.ts';
import { driveQuery, createFileNotFoundError, getDriveFile, scope, viewQuery, getWritableFile } from './files.ts';
import { buildDriveFileResource, selectFileFields } from './resource.ts';
import { googleType, isNative, noteChange, putFile } from './store.ts';
import type { DriveStore, StoredFile } from './store.ts';
import { parseIncomingFile } from './upload.ts';
import type { FileMetadata } from './upload.ts';

function buildFileReply(call: ApiCall, file: StoredFile): Reply {
  return {
    json: selectFileFields(
      call,
      buildDriveFileResource(file, call.caller.account, call.world.url),
      'kind,id,name,mimeType',
    ),
  };
}

/** A client may choose only an id that generateIds gave to the same account, and only once. */
function checkId(drive: DriveStore, id: string | undefined): void {
  if (id === undefined) return;
  if (drive.files.has(id)) {
    throw createLegacyError(409, {
      reason: 'fileIdInUse',
      message: 'A file already exists with the provided ID.',
      location: 'file.id',
      locationType: 'parameter',
    });
  }
  if (!drive.reserved.has(id)) throw createUnusableIdError();
}

function checkParents(drive: DriveStore, parents: string[] | undefined): string[] | undefined {
  if (parents && parents.length > 1) {
    throw createLegacyError(403, {
      reason: 'multipleParentsNotAllowed',
      message: 'A file cannot have more than one parent.',
    });
  }
  return parents?.map((id) => {
    if (id === 'root' || id === drive.rootId) return drive.rootId;
    if (drive.files.get(id)?.mimeType === googleType.folder) return id;
    throw createFileNotFoundError(id);
  });
}

function present(values: Record<string, string | null> | undefined): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values ?? {}).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
  );
}

function createStoredFile(
  call: ApiCall,
  metadata: FileMetadata,
  content: Uint8Array | undefined,
  mimeType: string,
): StoredFile {
  const { account, client } = call.caller;
  const { id, description, starred, createdTime, modifiedTime } = metadata;
  checkId(account.drive, id);
  const parents = checkParents(account.drive, metadata.parents);
  return putFile(
    account.drive,
    {
      owner: account.email,
      ownerName: account.name,
      name: metadata.name ?? 'Untitled',
      mimeType,
      createdBy: client.id,
      properties: present(metadata.properties),
      appProperties: present(metadata.appProperties),
      ...(id ? { id } : {}),
      ...(parents ? { parents } : {}),
      ...(description ? { description } : {}),
      ...(starred === undefined ? {} : { starred }),
      ...(content ? { content } : {}),
      ...(createdTime ? { createdTime: new Date(createdTime) } : {}),
      ...(modifiedTime ? { modifiedTime: new Date(modifiedTime) } : {}),
    },
    call.now,
  );
}

/** Of Google's own types only folders take a chosen id; documents and shortcuts are refused in different words. */
function checkIdForType({ id, mimeType = '' }: FileMetadata): void {
  if (id === undefined || !isNative(mimeType) || mimeType === googleType.folder) return;
  if (mimeType === 'application/vnd.google-apps.shortcut') throw createUnusableIdError();
  throw createLegacyError(403, {
    reason: 'insufficientFilePermissions',
    message: 'Generated IDs are not supported for Docs Editors formats.',
  });
}

function createUnusableIdError() {
  return createLegacyError(400, {
    reason: 'invalid',
    message: 'The provided file ID is not usable.',
    location: 'file.id',
    locationType: 'parameter',
  });
}

function createFile(call: ApiCall): Reply {
  const { metadata, media } = parseIncomingFile(call);
  checkIdForType(metadata);
  const mimeType = metadata.mimeType ?? media?.mimeType ?? 'application/octet-stream';
  return buildFileReply(call, createStoredFile(call, metadata, media?.content, mimeType));
}

function copyFile(call: ApiCall): Reply {
  const { file } = getDriveFile(call);
  const { metadata } = parseIncomingFile(call);
  return buildFileReply(
    call,
    createStoredFile(
      call,
      { ...metadata, name: metadata.name ?? `Copy of ${file.name}` },
      file.content,
      metadata.mimeType ?? file.mimeType,
    ),
  );
}

function computeParents(call: ApiCall, file: StoredFile, drive: DriveStore): string[] {
  const ids = (name: string) => (getTextParameter(call, name) ?? '').split(',').filter(Boolean);
  const removed = ids('removeParents').map((id) => (id === 'root' ? drive.rootId : id));
  const added = checkParents(drive, ids('addParents')) ?? [];
  const parents = [...file.parents.filter((id) => !removed.includes(id)), ...added];
  checkParents(drive, parents);
  return [...new Set(parents)];
}

function mergeProperties(
  own: Record<string, string>,
  changes: Record<string, string | null> | undefined,
): Record<string, string> {
  const removed = Object.entries(changes ?? {}).flatMap(([name, value]) => (value === null ? [name] : []));
  const kept = Object.entries({ ...own, ...present(changes) }).filter(([name]) => !removed.includes(name));
  return Object.fromEntries(kept);
}

function checkUpdate(metadata: FileMetadata): void {
  const refuse = (message: string) => createLegacyError(403, { reason: 'fieldNotWritable', message });
  if (metadata.parents) {
    throw refuse(
      'The parents field is not directly writable in update requests. Use the addParents and removeParents parameters instead.',
    );
  }
  if (metadata.id !== undefined) throw refuse('The resource body includes fields which are not directly writable.');
}

function updateFile(call: ApiCall): Reply {
  const { file, drive } = getWritableFile(call);
  const { metadata, media } = parseIncomingFile(call);
  checkUpdate(metadata);
  file.parents = computeParents(call, file, drive);
  file.name = metadata.name ?? file.name;
  file.mimeType = metadata.mimeType ?? (media && !isNative(file.mimeType) ? media.mimeType : file.mimeType);
  if (metadata.description !== undefined) file.description = metadata.description;
  file.starred = metadata.starred ?? file.starred;
  file.trashed = metadata.trashed ?? file.trashed;
  file.properties = mergeProperties(file.properties, metadata.properties);
  file.appProperties = mergeProperties(file.appProperties, metadata.appProperties);
  if (media) {
    file.content = media.content;
    file.revision = randomBytes(36).toString('base64url');
  }
  file.modifiedTime = metadata.modifiedTime ? Date.parse(metadata.modifiedTime) : call.now.getTime();
  file.version += 1;
  noteChange(drive, file.id, call.now);
  return buildFileReply(call, file);
}

function removeWithChildren(drive: DriveStore, id: string, at: Date): void {
  for (const child of drive.files.values()) if (child.parents.includes(id)) removeWithChildren(drive, child.id, at);
  drive.files.delete(id);
  noteChange(drive, id, at, true);
}

function deleteFile(call: ApiCall): Reply {
  const { file, drive } = getWritableFile(call);
  if (file.owner !== call.caller.account.email) {
    throw createLegacyError(403, {
      reason: 'insufficientFilePermissions',
      message: `The user does not have sufficient permissions for file ${file.id}.`,
    });
  }
  removeWithChildren(drive, file.id, call.now);
  return { status: 204 };
}

const createQuery: Record<string, QueryRule> = {
  ...viewQuery,
  enforceSingleParent: { type: 'boolean' },
  ignoreDefaultVisibility: { type: 'boolean' },
  keepRevisionForever: { type: 'boolean' },
  ocrLanguage: { type: 'string' },
  useContentAsIndexableText: { type: 'boolean' },
};
const updateQuery: Record<string, QueryRule> = {
  ...viewQuery,
  addParents: { type: 'string' },
  removeParents: { type: 'string' },
  enforceSingleParent: { type: 'boolean' },
  keepRevisionForever: { type: 'boolean' },
  ocrLanguage: { type: 'string' },
  useContentAsIndexableText: { type: 'boolean' },
};
const upload: Record<string, QueryRule> = {
  uploadType: { type: 'string', required: true, values: ['media', 'multipart', 'resumable'] },
};
const write = [scope.all, scope.file];
const files = '/drive/v3/files';

/** The routes that write. */
export const fileWriteRoutes: ApiRoute[] = [
  { method: 'POST', path: files, api: 'drive', scopes: write, query: createQuery, handle: createFile },
  {
    method: 'POST',
    path: `/upload${files}`,
    api: 'drive',
    scopes: write,
    query: { ...createQuery, ...upload },
    handle: createFile,
  },
  { method: 'POST', path: `${files}/:fileId/copy`, api: 'drive', scopes: write, query: createQuery, handle: copyFile },
  {
    method: 'PATCH',
    path: `${files}/:fileId`,
    api: 'drive',
    scopes: [...write, scope.metadata],
    query: updateQuery,
    handle: updateFile,
  },
  {
    method: 'PATCH',
    path: `/upload${files}/:fileId`,
    api: 'drive',
    scopes: write,
    query: { ...updateQuery, ...upload },
    handle: updateFile,
  },
  {
    method: 'DELETE',
    path: `${files}/:fileId`,
    api: 'drive',
    scopes: write,
    query: { ...driveQuery, enforceSingleParent: { type: 'boolean' } },
    handle: deleteFile,
  },
];
