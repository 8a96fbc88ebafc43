// Syncs Google Drive: first the window, then the list of changes
// (https://developers.google.com/workspace/drive/api/guides/manage-changes).
import { z } from 'zod';
import { isNotFound } from '#providers/http';
import { readGooglePages } from '../pages.ts';
import { type Changes, continueOrRestart, type Reader, type ChangesSince } from '#providers/reading';
import { fileFields, createGoneFile, readFiles } from './files.ts';
import { driveApi } from './words.ts';

/** Texts are held in memory, so fewer files are read at a time than Drive would list. */
const filesPerPage = 50;
const allDrives = { supportsAllDrives: true, includeItemsFromAllDrives: true };

/** Increased when files are read in more detail than before: each sync then reads everything once more. */
const revision = 2;
const present = z.literal(revision);
/** The list of known shortcuts, each with its id and its target. A shortcut changes when its target changes. */
const shortcutList = 'shortcuts';

/** While the window is listed, `changes` is the position from before the listing began. */
const cursor = z.discriminatedUnion('phase', [
  z.object({
    phase: z.literal('listing'),
    revision: present,
    changes: z.string(),
    page: z.string().nullable(),
    from: z.string().nullable(),
  }),
  z.object({ phase: z.literal('changes'), revision: present, changes: z.string() }),
]);
type DriveListingCursor = Extract<z.output<typeof cursor>, { phase: 'listing' }>;

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

/** Reads the files of the window first, then those that were changed, trashed or removed. */
export async function* readDriveChanges(reader: Reader, since: ChangesSince): AsyncGenerator<Changes> {
  yield* continueOrRestart<z.output<typeof cursor>>(
    cursor.safeParse(since.cursor).data,
    () => startListing(reader, since),
    async function* readFrom(start) {
      if (start.phase === 'listing') yield* list(reader, start, since);
      yield* follow(reader, start.changes, since);
    },
  );
}

async function startListing(reader: Reader, { from }: ChangesSince): Promise<DriveListingCursor> {
  const { startPageToken } = await reader.get(startToken, `${driveApi}/changes/startPageToken`, {
    supportsAllDrives: true,
  });
  return { phase: 'listing', revision, changes: startPageToken, page: null, from: from?.toISOString() ?? null };
}

async function* list(reader: Reader, start: DriveListingCursor, since: ChangesSince): AsyncGenerator<Changes> {
  const known = start.page === null ? new Map<string, string>() : await readKnownShortcuts(since);
  const window = start.from ? ` and modifiedTime > '${start.from.slice(0, 19)}'` : '';
  const ask = (pageToken: string | undefined) =>
    reader.get(fileList, `${driveApi}/files`, {
      ...allDrives,
      q: `trashed = false${window}`,
      pageSize: filesPerPage,
      fields: `nextPageToken,files(${fileFields})`,
      pageToken,
    });
  for await (const { files, page, next } of readGooglePages(ask, start.page)) {
    const cursor = next === null ? { phase: 'changes', revision, changes: start.changes } : { ...start, page: next };
    const whole = {
      part: '',
      from: start.from ? new Date(start.from) : null,
      until: null,
      isFirst: page === null,
      isLast: next === null,
    };
    const { shortcuts, ...read } = await readFiles(reader, files, since.isSkippable);
    const listed = noteShortcuts(known, shortcuts, []);
    yield { ...read, total: null, cursor, whole, ...(listed && { listed }) };
  }
}

async function* follow(reader: Reader, from: string, since: ChangesSince): AsyncGenerator<Changes> {
  const known = await readKnownShortcuts(since);
  let token: string | undefined = from;
  while (token) {
    const answer: z.output<typeof changeList> = await reader.get(changeList, `${driveApi}/changes`, {
      ...allDrives,
      pageToken: token,
      pageSize: filesPerPage,
      fields: `nextPageToken,newStartPageToken,changes(fileId,removed,file(${fileFields}))`,
    });
    const removed = answer.changes.flatMap(({ fileId, removed: isGone }) => (isGone && fileId ? [fileId] : []));
    const changed = answer.changes.flatMap(({ removed: isGone, file }) => (!isGone && file ? [file] : []));
    const ids = answer.changes.flatMap(({ fileId }) => fileId ?? []);
    const pointing = await listShortcuts(reader, ids, known);
    const { shortcuts, pages, ...read } = await readFiles(reader, [...changed, ...pointing], since.isSkippable);
    const listed = noteShortcuts(known, shortcuts, removed);
    token = answer.nextPageToken;
    const changes = token ?? answer.newStartPageToken ?? from;
    const deletedFiles = removed.map((id) => createGoneFile(reader, id));
    const cursor = { phase: 'changes', revision, changes };
    yield { ...read, pages: [...pages, ...deletedFiles], total: null, cursor, ...(listed && { listed }) };
  }
}

/** Known shortcuts, each with the id of its target. */
async function readKnownShortcuts({ listed }: ChangesSince): Promise<Map<string, string>> {
  return new Map((await listed(shortcutList)).map(([ref]) => ref.split(' ') as [string, string])); // written by `noteShortcuts`
}

/** Adds shortcuts that were read, and drops removed ones. Returns the list if it changed. */
function noteShortcuts(
  known: Map<string, string>,
  read: ReadonlyMap<string, string>,
  removed: readonly string[],
): Changes['listed'] | undefined {
  const isOther = [...read].some(([id, target]) => known.get(id) !== target) || removed.some((id) => known.has(id));
  if (!isOther) return undefined;
  for (const [id, target] of read) known.set(id, target);
  for (const id of removed) known.delete(id);
  return { list: shortcutList, items: [...known].map(([id, target]) => [`${id} ${target}`, ''] as const) };
}

/** Shortcuts to changed files. A deleted shortcut is itself reported as removed. */
async function listShortcuts(
  reader: Reader,
  ids: readonly string[],
  known: ReadonlyMap<string, string>,
): Promise<unknown[]> {
  const changed = new Set(ids);
  const affected = [...known].filter(([id, target]) => changed.has(target) && !changed.has(id)).map(([id]) => id);
  const found = await Promise.all(
    affected.map(async (id) => {
      try {
        const url = `${driveApi}/files/${encodeURIComponent(id)}`;
        return [await reader.get(z.unknown(), url, { fields: fileFields, supportsAllDrives: true })];
      } catch (error) {
        if (isNotFound(error)) return [];
        throw error;
      }
    }),
  );
  return found.flat();
}
