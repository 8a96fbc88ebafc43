// One account's files, and the log of their changes.
import { randomBytes } from 'node:crypto';
import type { Tabs } from './workbook.ts';

/** Who may do what with a file. */
export type Permission = {
  id: string;
  type: 'user' | 'group' | 'domain' | 'anyone';
  role: 'owner' | 'organizer' | 'fileOrganizer' | 'writer' | 'commenter' | 'reader';
  emailAddress?: string;
  domain?: string;
  displayName?: string;
  allowFileDiscovery?: boolean;
};

/** A file or folder. Google's own documents keep their text here too; it is only given out by export. */
export type StoredFile = {
  id: string;
  owner: string;
  name: string;
  mimeType: string;
  description?: string;
  starred: boolean;
  trashed: boolean;
  parents: string[];
  createdTime: number;
  modifiedTime: number;
  version: number;
  content: Uint8Array;
  properties: Record<string, string>;
  appProperties: Record<string, string>;
  permissions: Permission[];
  revision: string;
  /** The tabs of a spreadsheet; without them its content is the only one. */
  tabs?: Tabs;
  /** What a shortcut points to. */
  targetId?: string;
  /** The client that made it; `drive.file` sees only its own. */
  createdBy?: string;
};

/** One change, numbered in order. */
export type FileChange = { number: number; fileId: string; at: number; removed: boolean };

/** A drive. */
export type DriveStore = {
  rootId: string;
  files: Map<string, StoredFile>;
  changes: FileChange[];
  lastChange: number;
  /** Ids given out by generateIds; only these may be chosen by a client. */
  reserved: Set<string>;
};

/** Mime types of Google's own. */
export const googleType = {
  folder: 'application/vnd.google-apps.folder',
  document: 'application/vnd.google-apps.document',
  spreadsheet: 'application/vnd.google-apps.spreadsheet',
  presentation: 'application/vnd.google-apps.presentation',
  shortcut: 'application/vnd.google-apps.shortcut',
} as const;

/** Whether the content is Google's own and has to be exported. */
export function isNative(mimeType: string): boolean {
  return mimeType.startsWith('application/vnd.google-apps.');
}

/** A new file id. */
export function createFileKey(): string {
  return `1${randomBytes(24).toString('base64url')}`;
}

/** An empty drive. */
export function createDriveStore(): DriveStore {
  return {
    rootId: `0A${randomBytes(12).toString('base64url')}`,
    files: new Map(),
    changes: [],
    lastChange: 1000,
    reserved: new Set(),
  };
}

/** Notes that a file changed or went away. */
export function noteChange(drive: DriveStore, fileId: string, at: Date, removed = false): void {
  drive.lastChange += 1;
  drive.changes.push({ number: drive.lastChange, fileId, at: at.getTime(), removed });
}

/** A file to put in. */
export type FileInput = {
  id?: string;
  owner: string;
  ownerName: string;
  name: string;
  mimeType: string;
  content?: Uint8Array;
  parents?: string[];
  description?: string;
  starred?: boolean;
  trashed?: boolean;
  properties?: Record<string, string>;
  appProperties?: Record<string, string>;
  createdTime?: Date;
  modifiedTime?: Date;
  createdBy?: string;
  tabs?: Tabs;
  targetId?: string;
};

/** Puts a file in. */
export function putFile(drive: DriveStore, input: FileInput, at: Date): StoredFile {
  const file: StoredFile = {
    id: input.id ?? createFileKey(),
    owner: input.owner,
    name: input.name,
    mimeType: input.mimeType,
    ...(input.description ? { description: input.description } : {}),
    starred: input.starred ?? false,
    trashed: input.trashed ?? false,
    parents: input.parents ?? [drive.rootId],
    createdTime: (input.createdTime ?? at).getTime(),
    modifiedTime: (input.modifiedTime ?? at).getTime(),
    version: 1,
    content: input.content ?? new Uint8Array(),
    properties: input.properties ?? {},
    appProperties: input.appProperties ?? {},
    permissions: [
      {
        id: randomBytes(8).readBigUInt64BE().toString(),
        type: 'user',
        role: 'owner',
        emailAddress: input.owner,
        displayName: input.ownerName,
      },
    ],
    revision: randomBytes(36).toString('base64url'),
    ...(input.createdBy ? { createdBy: input.createdBy } : {}),
    ...(input.tabs ? { tabs: input.tabs } : {}),
    ...(input.targetId ? { targetId: input.targetId } : {}),
  };
  drive.files.set(file.id, file);
  noteChange(drive, file.id, at);
  return file;
}
