import type { NewPage } from '#modules/pages';
import { z } from 'zod';
import { googleScope } from './google-scope.ts';
import { parseItems } from './read-items.ts';
import { defineSource, type Batch } from './source.ts';

const filesUrl = 'https://www.googleapis.com/drive/v3/files';
const filesPerPage = 100;
const fileFields =
  'id,name,mimeType,description,size,createdTime,modifiedTime,webViewLink,owners(displayName,emailAddress)';
/** What tells Drive's own query language from words: a field with an operator, or a membership. */
const driveQuery =
  /\b(?:name|fullText|mimeType|modifiedTime|createdTime|viewedByMeTime)\s*(?:contains|[<>!]?=|[<>])\s*'|\b(?:trashed|starred|sharedWithMe)\s*(?:=|$)|'\s+in\s+(?:parents|owners|writers|readers)\b/;

const input = z.strictObject({
  query: z
    .string()
    .trim()
    .min(1)
    .max(1_000)
    .describe("Words in names and texts, or Drive's own query: modifiedTime > '2026-04-01' and name contains 'plan'"),
  limit: z.number().int().min(1).max(250).default(50),
});

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
  owners: z.array(user).default([]),
});
const fileList = z.object({ files: z.array(z.unknown()).default([]), nextPageToken: z.string().optional() });

/** Google Drive: a file becomes a page of the type `file` that has what is known about it, not what is in it. */
export const drive = defineSource({
  name: 'drive',
  label: 'Google Drive',
  description: 'Files are found by name and text and become pages; text files are created once you confirm.',
  provider: 'google',
  scopes: [
    googleScope('drive.readonly', 'Find your files and read what they are called.'),
    googleScope('drive.file', 'Create the files that you confirmed, and no others.'),
  ],
  supports: { fetch: true, act: true, adapter: false },
  input,
  hint: 'Pass input: {query, limit?}, or a request that is the words to look for in names and texts.',
  inputOf: (request) => ({ query: request }),

  async *read(reader, { query, limit }) {
    let left = limit;
    let pageToken: string | undefined;
    do {
      const page = await reader.get(fileList, filesUrl, {
        q: queryOf(query),
        pageSize: Math.min(filesPerPage, left),
        fields: `nextPageToken,files(${fileFields})`,
        supportsAllDrives: true,
        includeItemsFromAllDrives: true,
        pageToken,
      });
      const { results, errors } = parseItems(file, page.files.slice(0, left));
      yield { pages: results.map((each) => pageOfFile(each, reader.account)), errors, total: null } satisfies Batch;
      left -= results.length + errors.length;
      pageToken = page.nextPageToken;
    } while (pageToken && left > 0);
  },
});

/** Words are looked for in names (also at their beginnings) and in texts. Trash is left out unless it is asked for. */
function queryOf(query: string): string {
  const quoted = `'${query.replaceAll(/['\\]/g, String.raw`\$&`)}'`;
  const wanted = driveQuery.test(query) ? query : `name contains ${quoted} or fullText contains ${quoted}`;
  return /\btrashed\b/.test(wanted) && driveQuery.test(query) ? wanted : `(${wanted}) and trashed = false`;
}

function pageOfFile(each: z.output<typeof file>, account: string): NewPage {
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
  return {
    sourceRef: `drive:${account}:${each.id}`,
    source: `drive:${account}`,
    type: 'file',
    title: each.name || '(no name)',
    body: lines.flatMap(([label, text]) => (text ? [`${label}: ${text}`] : [])).join('\n'),
    frontmatter: {
      name: each.name,
      mime_type: each.mimeType,
      owners: each.owners.flatMap((owner) => owner.emailAddress ?? []),
      created: each.createdTime ?? null,
      modified: each.modifiedTime,
      link: each.webViewLink ?? null,
      size: each.size ?? null,
      account,
    },
    author: owners[0] ?? null,
    occurredAt: new Date(each.modifiedTime),
  };
}
