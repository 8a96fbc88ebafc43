// The passages of each brain's documents, loaded on demand and updated before each use, as `brain-indexes.ts` does for
// memories.
import { formatBinding } from '#platform/binding';
import type { Pool, PoolClient } from 'pg';
import {
  addPassage,
  measurePostings,
  createPostings,
  isWorn,
  removeDocument,
  type PassagePostings,
  type PassageRow,
} from './passage-postings.ts';
import { rankPassages, type PassageHit } from './rank-passages.ts';
import { isBroken, isSameMoment, momentColumns, readMoment, type SnapshotMoment } from './moments.ts';
import type { RowGuard } from './row-guard.ts';
import { createAnalyser, type AnalyseText } from './tokens.ts';
import { readStatements } from './read-statements.ts';

export type PassageQuery = {
  readonly workspaceId: string;
  readonly brainIds: readonly string[];
  readonly text: string;
  /** The embedding of the query. With it, constellations of similar meaning are found, too. */
  readonly meaning?: { readonly space: string; readonly vector: Float32Array };
};
export type FoundPassage = PassageHit & {
  readonly brainId: string;
  /** Whether it has words of the query, or of its best passages. */
  readonly isByWords: boolean;
  /** The cosine between the embeddings of its constellation and of the query; null when one of them is unknown. */
  readonly similarity: number | null;
  /** How much it stands out by similarity, 0 to 1; 0 for a hit by words only. */
  readonly standsOut: number;
};
export type PassageAnswer = { readonly hits: FoundPassage[] };

export type PassageIndexes = ReturnType<typeof createPassageIndexes>;

type Entry = {
  workspaceId: string;
  index: PassagePostings;
  analyse: AnalyseText;
  language: string;
  since: SnapshotMoment;
  usedAt: number;
};

const rowsPerBatch = 500;
/** Rows of deleted documents are kept for a week, so that processes that have them in memory learn of the deletion. */
const longestUnusedMs = 24 * 60 * 60 * 1000;

type Options = {
  pool: Pool;
  memoryBytes: number;
  guard: RowGuard;
  inTurn?: <T>(load: () => Promise<T>) => Promise<T>;
};
type PassageIndexDeps = Pick<Options, 'pool' | 'guard'>;

/** `memoryBytes`: the limit of all indexes together; beyond it the least recently used are evicted. */
export function createPassageIndexes({ pool, memoryBytes, guard, inTurn = (load) => load() }: Options) {
  const entries = new Map<string, Promise<Entry>>();

  async function upToDate(workspaceId: string, brainId: string): Promise<Entry> {
    const key = `${workspaceId} ${brainId}`;
    const before = entries.get(key);
    const next = (before ?? Promise.resolve(null))
      .catch(() => null)
      .then(async (entry) => {
        const isUsable = entry && !isWorn(entry.index) && performance.now() - entry.usedAt < longestUnusedMs;
        const current = isUsable
          ? await catchUpEntry({ pool, guard }, entry, brainId)
          : await inTurn(() => read({ pool, guard }, { workspaceId, brainId, entry: null }));
        return { ...current, usedAt: performance.now() };
      });
    entries.delete(key);
    entries.set(key, next);
    return next;
  }

  async function makeRoom(): Promise<void> {
    let bytes = 0;
    for (const [key, entry] of [...entries].toReversed()) {
      const size = await entry.then(
        ({ index }) => measurePostings(index),
        () => 0,
      );
      bytes += size;
      if (bytes > memoryBytes && size < bytes) entries.delete(key);
    }
  }

  return {
    /**
     * Ranks the passages of several brains by words; each brain's scores use its own counts. `also` receives each
     * index, too.
     */
    async find(
      { workspaceId, brainIds, text }: PassageQuery,
      also?: (brainId: string, index: PassagePostings) => Promise<void>,
    ): Promise<PassageAnswer> {
      const hits: FoundPassage[] = [];
      for (const brainId of new Set(brainIds)) {
        const { index, analyse } = await upToDate(workspaceId, brainId);
        for (const hit of rankPassages(index, analyse, text))
          hits.push({ ...hit, brainId, isByWords: true, similarity: null, standsOut: 0 });
        await also?.(brainId, index);
      }
      await makeRoom();
      hits.sort((one, other) => other.rank - one.rank);
      return { hits };
    },
  };
}

async function catchUpEntry(doors: PassageIndexDeps, entry: Entry, brainId: string): Promise<Entry> {
  if (isSameMoment(entry.since, await readMoment(doors.pool))) return entry;
  return read(doors, { workspaceId: entry.workspaceId, brainId, entry });
}

/** Reads the content of a brain's documents: all of it, or only documents that changed since the entry was read. */
async function read(
  doors: PassageIndexDeps,
  { workspaceId, brainId, entry }: { workspaceId: string; brainId: string; entry: Entry | null },
): Promise<Entry> {
  const known = await readEntry(await doors.pool.connect(), doors.guard, { workspaceId, brainId, entry });
  return known ?? read(doors, { workspaceId, brainId, entry: null });
}

/** Null when the brain's language changed, or the entry was read in another history of the database. */
async function readEntry(
  client: PoolClient,
  guard: RowGuard,
  { workspaceId, brainId, entry }: { workspaceId: string; brainId: string; entry: Entry | null },
): Promise<Entry | null> {
  try {
    const quote = (value: string) => client.escapeLiteral(value);
    const changed = entry
      ? `changed_xact >= pg_snapshot_xmin(${quote(entry.since.snapshot)}::pg_snapshot)
         and not pg_visible_in_snapshot(changed_xact, ${quote(entry.since.snapshot)}::pg_snapshot)`
      : 'is_live';
    const results = await readStatements(
      client,
      `begin isolation level repeatable read read only;
      ${formatBinding(workspaceId, quote)};
      select ${momentColumns};
      select language from brain_directory where id = ${quote(brainId)};
      select id from searchable_documents where workspace_id = ${quote(workspaceId)} and brain_id = ${quote(brainId)} and ${changed}`,
    );
    const [since] = results[2]!.rows as [SnapshotMoment]; // the type of the requested columns, like the two below
    const [brain] = results[3]!.rows as { language: string }[];
    const language = brain?.language ?? 'en';
    const documents = (results[4]!.rows as { id: string }[]).map(({ id }) => id);
    if (entry && (entry.language !== language || isBroken(entry.since, since))) {
      await client.query('commit');
      client.release();
      return null;
    }
    const { index, analyse } = entry ?? { index: createPostings(), analyse: createAnalyser(language) };
    for (const id of documents) removeDocument(index, id);
    const add = (row: PassageRow) => {
      const key = `${row.documentId} ${row.position}`;
      if (guard.isSkipped(key)) return;
      guard.begin(key);
      addPassage(index, analyse, row);
      guard.end();
    };
    if (documents.length) await readPassages(client, documents, add);
    await client.query('commit');
    client.release();
    return { workspaceId, index, analyse, language, since, usedAt: 0 };
  } catch (error) {
    client.release(true);
    throw error;
  }
}

async function readPassages(
  client: PoolClient,
  documents: readonly string[],
  take: (row: PassageRow) => void,
): Promise<void> {
  await client.query(`declare passages no scroll cursor for
    select document_id as "documentId", constellation_id as "constellationId", title, text, position,
      line_start as "lineStart", line_end as "lineEnd"
    from searchable_passages where document_id = any(${client.escapeLiteral(`{${documents.join(',')}}`)}::uuid[])`);
  for (;;) {
    const { rows } = await client.query<PassageRow>(`fetch forward ${rowsPerBatch} from passages`);
    for (const row of rows) take(row);
    if (rows.length < rowsPerBatch) return;
  }
}
