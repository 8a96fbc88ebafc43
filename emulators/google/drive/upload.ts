// File bodies: metadata as JSON, alone or beside the bytes in a multipart upload.
import { z } from 'zod';
import { createLegacyError } from '../errors.ts';
import { parseMime } from '../mime.ts';
import { splitNames, getTextParameter } from '../../kit/routing.ts';
import { checkBody, parseJsonBody } from '../routing.ts';
import type { ApiCall } from '../routing.ts';

const writable = {
  name: z.string().optional(),
  mimeType: z.string().optional(),
  description: z.string().optional(),
  starred: z.boolean().optional(),
  trashed: z.boolean().optional(),
  parents: z.array(z.string()).optional(),
  properties: z.record(z.string(), z.string().nullable()).optional(),
  appProperties: z.record(z.string(), z.string().nullable()).optional(),
  createdTime: z.iso.datetime({ offset: true }).optional(),
  modifiedTime: z.iso.datetime({ offset: true }).optional(),
  id: z.string().optional(),
  originalFilename: z.string().optional(),
  viewedByMeTime: z.string().optional(),
  folderColorRgb: z.string().optional(),
  contentHints: z.unknown().optional(),
  copyRequiresWriterPermission: z.boolean().optional(),
  writersCanShare: z.boolean().optional(),
  shortcutDetails: z.unknown().optional(),
  contentRestrictions: z.unknown().optional(),
  downloadRestrictions: z.unknown().optional(),
  inheritedPermissionsDisabled: z.boolean().optional(),
};

/** Read-only fields. */
const readOnly = splitNames(`
  size md5Checksum sha1Checksum sha256Checksum webViewLink webContentLink owners permissions version
  capabilities shared ownedByMe lastModifyingUser headRevisionId quotaBytesUsed iconLink permissionIds spaces
  explicitlyTrashed exportLinks fileExtension fullFileExtension driveId hasThumbnail thumbnailLink
  isAppAuthorized
`);

const fileInput = z.strictObject({
  ...writable,
  kind: z.unknown().optional(),
  ...Object.fromEntries(readOnly.map((name) => [name, z.unknown().optional()])),
});

/** What a client wants a file to be. */
export type FileMetadata = z.infer<z.ZodObject<typeof writable>>;

/** A file body: metadata, and bytes when some were uploaded. */
export type IncomingFile = { metadata: FileMetadata; media?: { mimeType: string; content: Buffer } };

function checkWritableFields(body: z.infer<typeof fileInput>): FileMetadata {
  const refused = Object.keys(body).find((name) => readOnly.includes(name));
  if (refused) {
    throw createLegacyError(403, {
      reason: 'fieldNotWritable',
      message: 'The resource body includes fields which are not directly writable.',
    });
  }
  return body;
}

function createUploadError(message: string) {
  return createLegacyError(400, { reason: 'badContent', message });
}

/** Reads the body of create or update, by path and `uploadType`. */
export function parseIncomingFile(call: ApiCall): IncomingFile {
  if (!call.url.pathname.startsWith('/upload/'))
    return { metadata: checkWritableFields(parseJsonBody(call, fileInput)) };
  const type = call.headers['content-type'] ?? '';
  const kind = getTextParameter(call, 'uploadType');
  if (kind === 'media')
    return { metadata: {}, media: { mimeType: type || 'application/octet-stream', content: call.body } };
  if (kind !== 'multipart') throw createUploadError(`Upload type ${kind ?? ''} is not modelled.`);
  if (!type.startsWith('multipart/related')) throw createUploadError('Malformed multipart body.');
  const [metadata, media, ...more] = parseMime(
    Buffer.concat([Buffer.from(`Content-Type: ${type}\r\n\r\n`), call.body]),
  ).parts;
  if (!metadata || !media || more.length > 0 || metadata.mimeType !== 'application/json')
    throw createUploadError('Malformed multipart body.');
  return {
    metadata: checkWritableFields(checkBody(call.api, fileInput, metadata.content.toString('utf8'))),
    media: { mimeType: media.mimeType, content: media.content },
  };
}
