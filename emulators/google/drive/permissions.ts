// permissions: access to a file, and the notification mail.
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { createLegacyError } from '../errors.ts';
import { getFlagParameter, getPathParameter, getTextParameter } from '../../kit/routing.ts';
import { parseJsonBody } from '../routing.ts';
import type { QueryRule } from '../../kit/routing.ts';
import type { Reply } from '../../kit/wire.ts';
import type { ApiCall, ApiRoute } from '../routing.ts';
import { driveQuery, getDriveFile, metadataScopes, scope, getWritableFile } from './files.ts';
import { buildPermissionResource, selectFileFields } from './resource.ts';
import { noteChange } from './store.ts';
import type { Permission } from './store.ts';

const permissionInput = z.strictObject({
  kind: z.string().optional(),
  type: z.enum(['user', 'group', 'domain', 'anyone']),
  role: z.enum(['owner', 'organizer', 'fileOrganizer', 'writer', 'commenter', 'reader']),
  emailAddress: z.string().optional(),
  domain: z.string().optional(),
  allowFileDiscovery: z.boolean().optional(),
  expirationTime: z.string().optional(),
  view: z.string().optional(),
  pendingOwner: z.boolean().optional(),
});

const standardPermission = 'kind,id,type,role';

function createPermission(call: ApiCall): Reply {
  const { file, drive } = getWritableFile(call);
  const { type, role, emailAddress, domain } = parseJsonBody(call, permissionInput);
  const needsAddress = type === 'user' || type === 'group';
  if (needsAddress && !/^[^\s@]+@[^\s@]+$/.test(emailAddress ?? '')) {
    throw createLegacyError(400, {
      reason: 'invalid',
      message: 'The specified emailAddress is invalid or not applicable for the given permission type.',
    });
  }
  if (role === 'owner' && !getFlagParameter(call, 'transferOwnership')) {
    throw createLegacyError(403, {
      reason: 'forbidden',
      message: "The transferOwnership parameter must be enabled when the permission role is 'owner'.",
      location: 'transferOwnership',
      locationType: 'parameter',
    });
  }
  const address = emailAddress?.toLowerCase();
  const permission: Permission = {
    id: type === 'anyone' ? 'anyoneWithLink' : computePermissionId(address ?? domain ?? ''),
    type,
    role,
    ...(address ? { emailAddress: address } : {}),
    ...(domain ? { domain } : {}),
  };
  file.permissions = [...file.permissions.filter((item) => !address || item.emailAddress !== address), permission];
  file.version += 1;
  noteChange(drive, file.id, call.now);
  const message = getTextParameter(call, 'emailMessage');
  if (address && needsAddress && getFlagParameter(call, 'sendNotificationEmail', true)) {
    call.effects.shares.push({
      at: call.now,
      account: call.caller.account.email,
      fileId: file.id,
      role,
      to: address,
      ...(message ? { message } : {}),
    });
  }
  return { json: selectFileFields(call, buildPermissionResource(permission), standardPermission, ['none']) };
}

/** One person has one permission id, however often access is given. */
function computePermissionId(who: string): string {
  return createHash('sha256').update(who).digest().readBigUInt64BE().toString();
}

function updatePermission(call: ApiCall): Reply {
  const { file, drive } = getWritableFile(call);
  const { role } = parseJsonBody(call, z.strictObject({ role: permissionInput.shape.role }));
  const permission = file.permissions.find(({ id }) => id === getPathParameter(call, 'permissionId'));
  if (!permission) throw createNoPermissionError(getPathParameter(call, 'permissionId'));
  if (role === 'owner')
    throw createLegacyError(403, { reason: 'forbidden', message: 'Ownership is not transferred here.' });
  permission.role = role;
  file.version += 1;
  noteChange(drive, file.id, call.now);
  return { json: selectFileFields(call, buildPermissionResource(permission), standardPermission, ['none']) };
}

function createNoPermissionError(id: string) {
  return createLegacyError(404, {
    reason: 'notFound',
    message: `Permission not found: ${id}.`,
    location: 'permissionId',
    locationType: 'parameter',
  });
}

function listPermissions(call: ApiCall): Reply {
  const { file } = getDriveFile(call);
  const json = { kind: 'drive#permissionList', permissions: file.permissions.map(buildPermissionResource) };
  return { json: selectFileFields(call, json, `kind,permissions(${standardPermission})`, ['none']) };
}

function deletePermission(call: ApiCall): Reply {
  const { file, drive } = getWritableFile(call);
  const id = getPathParameter(call, 'permissionId');
  if (!file.permissions.some((item) => item.id === id)) throw createNoPermissionError(id);
  file.permissions = file.permissions.filter((item) => item.id !== id);
  noteChange(drive, file.id, call.now);
  return { status: 204 };
}

const shareQuery: Record<string, QueryRule> = {
  ...driveQuery,
  emailMessage: { type: 'string' },
  enforceSingleParent: { type: 'boolean' },
  moveToNewOwnersRoot: { type: 'boolean' },
  sendNotificationEmail: { type: 'boolean' },
  transferOwnership: { type: 'boolean' },
  useDomainAdminAccess: { type: 'boolean' },
};
const permissionsQuery: Record<string, QueryRule> = {
  ...driveQuery,
  includePermissionsForView: { type: 'string', values: ['published'] },
  pageSize: { type: 'integer', min: 1, max: 100 },
  pageToken: { type: 'string' },
  useDomainAdminAccess: { type: 'boolean' },
};

const base = '/drive/v3/files/:fileId/permissions';
const write = [scope.all, scope.file];

/** The routes of permissions. */
export const permissionRoutes: ApiRoute[] = [
  { method: 'GET', path: base, api: 'drive', scopes: metadataScopes, query: permissionsQuery, handle: listPermissions },
  { method: 'POST', path: base, api: 'drive', scopes: write, query: shareQuery, handle: createPermission },
  {
    method: 'PATCH',
    path: `${base}/:permissionId`,
    api: 'drive',
    scopes: write,
    query: { ...driveQuery, removeExpiration: { type: 'boolean' }, transferOwnership: { type: 'boolean' } },
    handle: updatePermission,
  },
  {
    method: 'DELETE',
    path: `${base}/:permissionId`,
    api: 'drive',
    scopes: write,
    query: driveQuery,
    handle: deletePermission,
  },
];
