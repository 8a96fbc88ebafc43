// Files of Google Drive as pages.
import type { Attachment, NewPage } from '#kernel/page';
import { isCodedText } from '#platform/extraction';
import { z } from 'zod';
import { ProviderError } from '#providers/http';
import {
  createGonePage,
  type ItemError,
  type LeftOut,
  type IsSkippable,
  parseItems,
  type Reader,
  readItems,
} from '#providers/reading';
import { driveApi, createMissingWords, readWords, type FileWords } from './words.ts';

export const fileFields =
  'id,name,mimeType,description,size,createdTime,modifiedTime,webViewLink,trashed,owners(displayName,emailAddress),shortcutDetails(targetId,targetMimeType)';

const user = z.object({ displayName: z.string().optional(), emailAddress: z.string().optional() });
const file = z.object({
  id: z.string(),
  name: z.string().default(''),
  mimeType: z.string().default(''),
  description: z.string().optional(),
  size: z.coerce.number().optional(),
  createdTime: z.string().optional(),
  modifiedTime: z.string(),
  webViewLink: z.string().optional(),
  trashed: z.boolean().default(false),
  owners: z.array(user).default([]),
  shortcutDetails: z.object({ targetId: z.string() }).optional(),
});
type DriveFile = z.output<typeof file>;

/** The pages of a list of files. `shortcuts`: the shortcuts among the files, each with its target. */
export type FilesRead = {
  pages: NewPage[];
  errors: ItemError[];
  leftOut: LeftOut[];
  shortcuts: Map<string, string>;
};

/** Files as pages, with their words. Trashed files count as deleted. */
export async function readFiles(
  reader: Reader,
  described: readonly unknown[],
  isSkippable?: IsSkippable,
): Promise<FilesRead> {
  const parsed = parseItems(file, described);
  const read = async (each: DriveFile) => {
    if (each.trashed) return { page: createGoneFile(reader, each.id), why: null };
    const found = await readFileWords(reader, each);
    return { page: buildFilePage(each, reader.account, found), why: found.missing };
  };
  const { results, errors } = await readItems(parsed.results, ({ name }) => `file ${name}`, read, isSkippable);
  return {
    pages: results.map(({ page }) => page),
    errors: [...parsed.errors, ...errors],
    leftOut: results.flatMap(({ page, why }) => (why ? [{ ref: page.sourceRef, why }] : [])),
    shortcuts: new Map(
      parsed.results.flatMap(({ id, trashed, shortcutDetails }) =>
        shortcutDetails && !trashed ? [[id, shortcutDetails.targetId]] : [],
      ),
    ),
  };
}

/** The page of a file that is no longer there. */
export function createGoneFile({ account }: Reader, id: string): NewPage {
  return createGonePage({ source: `drive:${account}`, ref: id, type: 'file' });
}

/** A shortcut has the words of its target. The target may be deleted or not shared. */
async function readFileWords(reader: Reader, each: DriveFile): Promise<FileWords & { target?: DriveFile }> {
  const { shortcutDetails: shortcut } = each;
  if (!shortcut) return readWords(reader, each);
  try {
    const url = `${driveApi}/files/${encodeURIComponent(shortcut.targetId)}`;
    const target = await reader.get(file, url, { fields: fileFields, supportsAllDrives: true });
    if (target.trashed) return createMissingWords('The file that this shortcut points to is in the trash.');
    return { ...(await readWords(reader, target)), target };
  } catch (error) {
    if (!(error instanceof ProviderError) || !['not_found', 'permission'].includes(error.category)) throw error;
    return createMissingWords('The file that this shortcut points to was deleted, or is not shared with this account.');
  }
}

function buildFilePage(each: DriveFile, account: string, found: FileWords & { target?: DriveFile }): NewPage {
  const { text, missing: why, target } = found;
  const owners = each.owners.map(({ displayName, emailAddress }) =>
    displayName && emailAddress ? `${displayName} <${emailAddress}>` : (emailAddress ?? displayName ?? ''),
  );
  const lines: [string, string | undefined][] = [
    ['File', each.name],
    ['Kind', each.mimeType],
    ['Owner', owners.join(', ')],
    ['Modified', each.modifiedTime],
    ['Link', each.webViewLink],
    ['Description', each.description],
    ['Shortcut to', target && `${target.name} (${target.mimeType})`],
    ['Text', why && !found.isUsual ? `not read. ${why}` : undefined],
  ];
  const head = lines.flatMap(([label, value]) => (value ? [`${label}: ${value}`] : [])).join('\n');
  return {
    sourceRef: `drive:${account}:${each.id}`,
    source: `drive:${account}`,
    type: 'file',
    title: each.name || '(no name)',
    body: text ? `${head}\n\n${text}` : head,
    frontmatter: {
      file_id: each.id,
      name: each.name,
      mime_type: each.mimeType,
      owners: each.owners.flatMap((owner) => owner.emailAddress ?? []),
      created: each.createdTime ?? null,
      modified: each.modifiedTime,
      link: each.webViewLink ?? null,
      size: each.size ?? null,
      ...(each.shortcutDetails && { target_id: each.shortcutDetails.targetId }),
      account,
    },
    attachments: buildAttachments(target ?? each),
    author: owners[0] ?? null,
    occurredAt: new Date(each.modifiedTime),
  };
}

/**
 * A PDF or Office file becomes an attachment of its page, and its words are read from its bytes. A change makes a new
 * attachment.
 */
function buildAttachments({ id, name, mimeType, size = 0, modifiedTime }: DriveFile): Attachment[] {
  if (!isCodedText(new Uint8Array(), { filename: name, mimeType })) return [];
  const handle = { file_id: id };
  return [{ ref: `content/${modifiedTime}`, filename: name, mime_type: mimeType, size, message_id: id, handle }];
}
