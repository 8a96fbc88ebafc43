// changes: how files changed since a page token.
import { getFlagParameter, getIntegerParameter, getTextParameter } from '../../kit/routing.ts';
import type { QueryRule } from '../../kit/routing.ts';
import type { Reply } from '../../kit/wire.ts';
import type { ApiCall, ApiRoute } from '../routing.ts';
import { driveQuery, metadataScopes, viewQuery } from './files.ts';
import { createInvalidValueError } from './query.ts';
import { buildDriveFileResource, selectFileFields } from './resource.ts';

function startPageToken(call: ApiCall): Reply {
  return { json: { kind: 'drive#startPageToken', startPageToken: String(call.caller.account.drive.lastChange + 1) } };
}

function listChanges(call: ApiCall): Reply {
  const { account } = call.caller;
  const token = getTextParameter(call, 'pageToken') ?? '';
  const { drive } = account;
  if (!/^\d+$/.test(token) || Number(token) > drive.lastChange + 1) throw createInvalidValueError('pageToken');
  const size = getIntegerParameter(call, 'pageSize', 100);
  const pending = drive.changes.filter(
    (item) => item.number >= Number(token) && (!item.removed || getFlagParameter(call, 'includeRemoved', true)),
  );
  // A file shows once, at its latest change.
  const latest = pending.filter(
    (item, index) => !pending.slice(index + 1).some((later) => later.fileId === item.fileId),
  );
  const next = latest[size];
  const changes = latest.slice(0, size).map((item) => {
    const file = drive.files.get(item.fileId);
    return {
      kind: 'drive#change',
      changeType: 'file',
      type: 'file',
      time: new Date(item.at).toISOString(),
      removed: file === undefined,
      fileId: item.fileId,
      ...(file ? { file: buildDriveFileResource(file, account, call.world.url) } : {}),
    };
  });
  const json = {
    kind: 'drive#changeList',
    ...(next ? { nextPageToken: String(next.number) } : { newStartPageToken: String(drive.lastChange + 1) }),
    changes,
  };
  const standard =
    'kind,nextPageToken,newStartPageToken,changes(kind,changeType,type,time,removed,fileId,file(kind,id,name,mimeType))';
  return { json: selectFileFields(call, json, standard, ['changes', 'file']) };
}

const changesQuery: Record<string, QueryRule> = {
  ...viewQuery,
  driveId: { type: 'string' },
  includeCorpusRemovals: { type: 'boolean' },
  includeItemsFromAllDrives: { type: 'boolean' },
  includeRemoved: { type: 'boolean' },
  includeTeamDriveItems: { type: 'boolean' },
  pageSize: { type: 'integer', min: 1, max: 1000 },
  pageToken: { type: 'string', required: true },
  restrictToMyDrive: { type: 'boolean' },
  spaces: { type: 'string' },
  teamDriveId: { type: 'string' },
};
const startQuery: Record<string, QueryRule> = {
  ...driveQuery,
  driveId: { type: 'string' },
  teamDriveId: { type: 'string' },
};

/** The routes of changes. */
export const changeRoutes: ApiRoute[] = [
  {
    method: 'GET',
    path: '/drive/v3/changes/startPageToken',
    api: 'drive',
    scopes: metadataScopes,
    query: startQuery,
    handle: startPageToken,
  },
  {
    method: 'GET',
    path: '/drive/v3/changes',
    api: 'drive',
    scopes: metadataScopes,
    query: changesQuery,
    handle: listChanges,
  },
];
