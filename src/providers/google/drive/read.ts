import { z } from 'zod';
import { readGooglePages } from '../pages.ts';
import { readDriveChanges } from './changes.ts';
import { fetchDriveFile } from './file.ts';
import { fileFields, readFiles } from './files.ts';
import { driveApi } from './words.ts';
import { createScope } from '../scope.ts';
import { type Batch, defineSource } from '#providers/reading';

const filesPerPage = 100;
/** Recognises Drive's own query language: a field with an operator, or a membership test. */
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

const fileList = z.object({ files: z.array(z.unknown()).default([]), nextPageToken: z.string().optional() });

/** Google Drive: a file becomes a page of the type `file`: its metadata, and its words if it is a text. */
export const drive = defineSource({
  name: 'drive',
  label: 'Google Drive',
  icon: 'HardDrive',
  description:
    'Files are found by name and text and become pages. Text files are created, changed and shared with your approval.',
  coverage: {
    goesBack: 'Files that changed in the chosen days; then every change.',
    notRead: [
      'The text of images, audio, video, drawings, forms and sites.',
      'Google documents whose export exceeds 10 MB, texts above 5 MB, and other files above 25 MB.',
      'Files whose owner forbids copies. Only their names are read.',
      'Comments, and earlier versions.',
    ],
  },
  provider: 'google',
  scopes: [
    createScope('drive.readonly', 'Find your files and read them.'),
    createScope('drive.file', 'Create the files that you approved; change and share only those.', 'act'),
  ],
  supports: { fetch: true, act: true, adapter: false },
  input,
  hint: 'Pass input: {query, limit?}, or a request that is the words to look for in names and texts.',
  parseRequest: (request) => ({ query: request }),

  async *read(reader, { query, limit }) {
    let left = limit;
    const ask = (pageToken: string | undefined) =>
      reader.get(fileList, `${driveApi}/files`, {
        q: buildQuery(query),
        pageSize: Math.min(filesPerPage, left),
        fields: `nextPageToken,files(${fileFields})`,
        supportsAllDrives: true,
        includeItemsFromAllDrives: true,
        pageToken,
      });
    for await (const { files } of readGooglePages(ask)) {
      const { pages, errors, leftOut } = await readFiles(reader, files.slice(0, left));
      yield { pages, errors, leftOut, total: null } satisfies Batch;
      left -= pages.length + errors.length;
      if (left <= 0) return;
    }
  },

  changes: readDriveChanges,
  file: fetchDriveFile,
});

/** Words are searched in names (as prefixes, too) and in texts. Trashed files are excluded by default. */
function buildQuery(query: string): string {
  const quoted = `'${query.replaceAll(/['\\]/g, String.raw`\$&`)}'`;
  const wanted = driveQuery.test(query) ? query : `name contains ${quoted} or fullText contains ${quoted}`;
  return /\btrashed\b/.test(wanted) && driveQuery.test(query) ? wanted : `(${wanted}) and trashed = false`;
}
