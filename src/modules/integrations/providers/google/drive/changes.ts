// Syncs Google Drive: first the window, then the list of changes
// (https://developers.google.com/workspace/drive/api/guides/manage-changes).
import { z } from 'zod';
import { googlePages } from '../pages.ts';
import { fromOrAnew } from '../../../sources/begin-anew.ts';
import { driveApi, fileFields, goneFile, readFiles } from './files.ts';
import type { Changes, Reader, Since } from '../../../sources/source.ts';

/** Texts are held in memory, so fewer are read at a time than Drive would list. */
const filesPerPage = 50;
const allDrives = { supportsAllDrives: true, includeItemsFromAllDrives: true };

/** While the window is listed, `changes` is from before the listing began. */
const cursor = z.discriminatedUnion('phase', [
  z.object({
    phase: z.literal('listing'),
    changes: z.string(),
    page: z.string().nullable(),
    from: z.string().nullable(),
  }),
  z.object({ phase: z.literal('changes'), changes: z.string() }),
]);
type Listing = Extract<z.output<typeof cursor>, { phase: 'listing' }>;

const startToken = z.object({ startPageToken: z.string() });
const fileList = z.object({ files: z.array(z.unknown()).default([]), nextPageToken: z.string().optional() });
const changeList = z.object({
  changes: z
    .array(
      z.object({ fileId: z.string().optional(), removed: z.boolean().default(false), file: z.unknown().optional() }),
    )
    .default([]),
  nextPageToken: z.string().optional(),
  newStartPageToken: z.string().optional(),
});

/** Reads the files of the window at first, and then those that were changed, binned or removed. */
export async function* driveChanges(reader: Reader, since: Since): AsyncGenerator<Changes> {
  yield* fromOrAnew<z.output<typeof cursor>>(
    cursor.safeParse(since.cursor).data,
    () => fromTheStart(reader, since),
    async function* readFrom(start) {
      if (start.phase === 'listing') yield* list(reader, start, since);
      yield* follow(reader, start.changes, since);
    },
  );
}

async function fromTheStart(reader: Reader, { from }: Since): Promise<Listing> {
  const { startPageToken } = await reader.get(startToken, `${driveApi}/changes/startPageToken`, {
    supportsAllDrives: true,
  });
  return { phase: 'listing', changes: startPageToken, page: null, from: from?.toISOString() ?? null };
}

async function* list(reader: Reader, start: Listing, { mayLeave }: Since): AsyncGenerator<Changes> {
  const window = start.from ? ` and modifiedTime > '${start.from.slice(0, 19)}'` : '';
  const ask = (pageToken: string | undefined) =>
    reader.get(fileList, `${driveApi}/files`, {
      ...allDrives,
      q: `trashed = false${window}`,
      pageSize: filesPerPage,
      fields: `nextPageToken,files(${fileFields})`,
      pageToken,
    });
  for await (const { files, page, next } of googlePages(ask, start.page)) {
    const cursor = next === null ? { phase: 'changes', changes: start.changes } : { ...start, page: next };
    const whole = {
      part: '',
      from: start.from ? new Date(start.from) : null,
      until: null,
      isFirst: page === null,
      isLast: next === null,
    };
    yield { ...(await readFiles(reader, files, mayLeave)), total: null, cursor, whole };
  }
}

async function* follow(reader: Reader, from: string, { mayLeave }: Since): AsyncGenerator<Changes> {
  let token: string | undefined = from;
  while (token) {
    const answer: z.output<typeof changeList> = await reader.get(changeList, `${driveApi}/changes`, {
      ...allDrives,
      pageToken: token,
      pageSize: filesPerPage,
      fields: `nextPageToken,newStartPageToken,changes(fileId,removed,file(${fileFields}))`,
    });
    const removed = answer.changes.flatMap(({ fileId, removed: isGone }) => (isGone && fileId ? [fileId] : []));
    const { pages, errors } = await readFiles(
      reader,
      answer.changes.flatMap(({ removed: isGone, file }) => (!isGone && file ? [file] : [])),
      mayLeave,
    );
    token = answer.nextPageToken;
    const changes = token ?? answer.newStartPageToken ?? from;
    const gone = removed.map((id) => goneFile(reader, id));
    yield { pages: [...pages, ...gone], errors, total: null, cursor: { phase: 'changes', changes } };
  }
}
