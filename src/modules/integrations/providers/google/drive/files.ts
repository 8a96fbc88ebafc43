// Files of Google Drive as pages.
import type { Attachment, NewPage } from '#modules/pages';
import { isCodedText } from '#platform/extraction';
import { z } from 'zod';
import { ProviderFault } from '../../../provider-fault.ts';
import { parseItems, readItems } from '../../../sources/read-items.ts';
import { gonePage, type ItemError, type MayLeave, type Reader } from '../../../sources/source.ts';

export const driveApi = 'https://www.googleapis.com/drive/v3';
export const fileFields =
  'id,name,mimeType,description,size,createdTime,modifiedTime,webViewLink,trashed,owners(displayName,emailAddress)';

/** Of a longer text only the metadata is stored. */
const longestText = 5_000_000;
/** The export formats of Google's own documents. */
const exports: Readonly<Record<string, string>> = {
  'application/vnd.google-apps.document': 'text/plain',
  'application/vnd.google-apps.presentation': 'text/plain',
  'application/vnd.google-apps.spreadsheet': 'text/csv',
};
const plainText = /^text\/|^application\/(?:json|xml|yaml|x-yaml|toml|javascript|x-ndjson)$|\+(?:json|xml)$/;

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
});
type DriveFile = z.output<typeof file>;

/** Files as pages, with their words. Files in the bin count as deleted. */
export async function readFiles(
  reader: Reader,
  described: readonly unknown[],
  mayLeave?: MayLeave,
): Promise<{ pages: NewPage[]; errors: ItemError[] }> {
  const parsed = parseItems(file, described);
  const read = async (each: DriveFile) =>
    each.trashed ? goneFile(reader, each.id) : pageOfFile(each, reader.account, await textOf(reader, each));
  const { results, errors } = await readItems(parsed.results, ({ name }) => `file ${name}`, read, mayLeave);
  return { pages: results, errors: [...parsed.errors, ...errors] };
}

/** The page of a file that is no longer there. */
export function goneFile({ account }: Reader, id: string): NewPage {
  return gonePage({ source: `drive:${account}`, ref: id, type: 'file' });
}

/** The words of a text, and of a Google document; null for anything else, and where the owner forbids copies. */
async function textOf(reader: Reader, { id, mimeType, size }: DriveFile): Promise<string | null> {
  const url = `${driveApi}/files/${encodeURIComponent(id)}`;
  const asText = exports[mimeType];
  if (!asText && !(plainText.test(mimeType) && (size ?? 0) <= longestText)) return null;
  try {
    const text = asText
      ? await reader.text(`${url}/export`, { mimeType: asText })
      : await reader.text(url, { alt: 'media' });
    return text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
  } catch (error) {
    if (error instanceof ProviderFault && error.status === 403 && !error.isRetryable) return null;
    throw error;
  }
}

function pageOfFile(each: DriveFile, account: string, text: string | null): NewPage {
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
      account,
    },
    attachments: attachedTo(each),
    author: owners[0] ?? null,
    occurredAt: new Date(each.modifiedTime),
  };
}

/**
 * A PDF or Office file is an attachment of its page: its words are read from its bytes. A change makes a new
 * attachment.
 */
function attachedTo({ id, name, mimeType, size = 0, modifiedTime }: DriveFile): Attachment[] {
  if (!isCodedText(new Uint8Array(), { filename: name, mimeType })) return [];
  const handle = { file_id: id };
  return [{ ref: `content/${modifiedTime}`, filename: name, mime_type: mimeType, size, message_id: id, handle }];
}
