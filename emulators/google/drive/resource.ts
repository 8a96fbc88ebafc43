// How Drive shows files, and which of their fields a client gets.
import { createHash } from 'node:crypto';
import type { Account } from '../accounts.ts';
import { checkFields, keepFields, parseFields } from '../partial.ts';
import { splitNames, getTextParameter } from '../../kit/routing.ts';
import type { ApiCall } from '../routing.ts';
import { googleType, isNative } from './store.ts';
import type { Permission, StoredFile } from './store.ts';

/** Every field of a file in the discovery document. */
const fileFields = splitNames(`
  kind id name mimeType description starred trashed explicitlyTrashed parents spaces version webContentLink
  webViewLink iconLink hasThumbnail thumbnailLink thumbnailVersion viewedByMe viewedByMeTime createdTime
  modifiedTime modifiedByMeTime modifiedByMe sharedWithMeTime sharingUser owners driveId teamDriveId
  lastModifyingUser shared ownedByMe capabilities viewersCanCopyContent copyRequiresWriterPermission
  writersCanShare permissions permissionIds hasAugmentedPermissions folderColorRgb originalFilename
  fullFileExtension fileExtension md5Checksum sha1Checksum sha256Checksum size quotaBytesUsed headRevisionId
  contentHints imageMediaMetadata videoMediaMetadata isAppAuthorized exportLinks shortcutDetails
  contentRestrictions labelInfo resourceKey linkShareMetadata properties appProperties trashedTime
  trashingUser downloadRestrictions inheritedPermissionsDisabled
`);

/** A whole spreadsheet; comma and tab separated values contain only its first tab. */
export const workbookType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** What Google's documents can be exported as. */
export const exportTypes: Record<string, readonly string[]> = {
  [googleType.document]: ['text/plain', 'text/html', 'text/markdown'],
  [googleType.spreadsheet]: ['text/csv', 'text/tab-separated-values', workbookType],
  [googleType.presentation]: ['text/plain'],
};

function buildUser(email: string, self: Account) {
  return {
    kind: 'drive#user',
    displayName: email === self.email ? self.name : email,
    me: email === self.email,
    emailAddress: email,
  };
}

/** A permission as Drive shows it. */
export function buildPermissionResource(permission: Permission) {
  return { kind: 'drive#permission', deleted: false, pendingOwner: false, ...permission };
}

function buildBinaryFields(file: StoredFile) {
  const bytes = Buffer.from(file.content);
  const hash = (name: string) => createHash(name).update(bytes).digest('hex');
  const extension = file.name.includes('.') ? file.name.slice(file.name.lastIndexOf('.') + 1) : '';
  return {
    originalFilename: file.name,
    fullFileExtension: extension,
    fileExtension: extension,
    md5Checksum: hash('md5'),
    sha1Checksum: hash('sha1'),
    sha256Checksum: hash('sha256'),
    size: String(bytes.length),
    headRevisionId: file.revision,
    webContentLink: `https://drive.google.com/uc?id=${file.id}&export=download`,
  };
}

function buildNativeFields(file: StoredFile, baseUrl: string) {
  const types = exportTypes[file.mimeType];
  if (!types) return {};
  const link = (type: string) => `${baseUrl}/drive/v3/files/${file.id}/export?mimeType=${encodeURIComponent(type)}`;
  return { exportLinks: Object.fromEntries(types.map((type) => [type, link(type)])) };
}

function buildShortcut(targetId: string, { drive }: Account) {
  const targetMimeType = drive.files.get(targetId)?.mimeType;
  return { targetId, ...(targetMimeType ? { targetMimeType } : {}) };
}

/** The whole resource. A client gets the fields it selects. */
export function buildDriveFileResource(file: StoredFile, self: Account, baseUrl: string) {
  const time = (value: number) => new Date(value).toISOString();
  const own = file.owner === self.email;
  const native = isNative(file.mimeType);
  const canEdit = canWrite(file, self.email);
  return {
    kind: 'drive#file',
    id: file.id,
    name: file.name,
    mimeType: file.mimeType,
    ...(file.description ? { description: file.description } : {}),
    starred: file.starred,
    trashed: file.trashed,
    explicitlyTrashed: file.trashed,
    ...(own ? { parents: file.parents } : {}),
    ...(Object.keys(file.properties).length > 0 ? { properties: file.properties } : {}),
    ...(Object.keys(file.appProperties).length > 0 ? { appProperties: file.appProperties } : {}),
    spaces: ['drive'],
    version: String(file.version),
    webViewLink: `https://drive.google.com/file/d/${file.id}/view?usp=drivesdk`,
    iconLink: `https://drive-thirdparty.googleusercontent.com/16/type/${file.mimeType}`,
    hasThumbnail: false,
    createdTime: time(file.createdTime),
    modifiedTime: time(file.modifiedTime),
    owners: [buildUser(file.owner, self)],
    lastModifyingUser: buildUser(file.owner, self),
    shared: file.permissions.length > 1,
    ownedByMe: own,
    capabilities: { canEdit, canDelete: own, canShare: own, canTrash: own, canDownload: true, canRename: canEdit },
    permissions: own ? file.permissions.map(buildPermissionResource) : undefined,
    permissionIds: own ? file.permissions.map((item) => item.id) : undefined,
    writersCanShare: true,
    viewersCanCopyContent: true,
    copyRequiresWriterPermission: false,
    quotaBytesUsed: native ? '0' : String(file.content.length),
    isAppAuthorized: true,
    ...(file.targetId ? { shortcutDetails: buildShortcut(file.targetId, self) } : {}),
    ...(native ? buildNativeFields(file, baseUrl) : buildBinaryFields(file)),
  };
}

/** Whether an address may change a file. */
export function canWrite(file: StoredFile, email: string): boolean {
  return file.permissions.some(
    (item) => item.emailAddress === email && ['owner', 'organizer', 'fileOrganizer', 'writer'].includes(item.role),
  );
}

/** Refuses unknown names in `fields`; `path` leads to where the files are (`files`, `changes/file`, or nowhere). */
function checkFileFields(source: string, path: string[]): void {
  let selection: ReturnType<typeof parseFields> | undefined = parseFields(source);
  for (const step of path) {
    if (selection === undefined || selection === 'all') return;
    selection = selection.get(step);
  }
  checkFields(selection, fileFields);
}

/** Checks the selected fields, and applies the default selection. */
export function selectFileFields(call: ApiCall, json: unknown, standard: string, path: string[] = []): unknown {
  const asked = getTextParameter(call, 'fields');
  if (asked === undefined) return keepFields(json, parseFields(standard));
  checkFileFields(asked, path);
  return json;
}
