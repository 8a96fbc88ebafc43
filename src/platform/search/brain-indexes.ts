// The indexes of brains: loaded on demand, and updated before each use with later writes.
import type { Pool } from 'pg';
import type { LoadProgress } from './messages.ts';
import { createIndexCache, buildBrainKey } from './index-cache.ts';
import type { Entry, IndexCache, BrainLocation } from './index-cache.ts';
import { createIndex, putDocuments, removeDocument } from './inverted-index.ts';
import type { InvertedIndex } from './inverted-index.ts';
import { findEarliestMoment, isBroken, isSameMoment, readMoment } from './moments.ts';
import { readBrain, readChanges } from './read-changes.ts';
import type { Change } from './read-changes.ts';
import type { RowGuard } from './row-guard.ts';
import type { Searchable } from './searchable.ts';
import { createSharedRun } from './shared-run.ts';
import type { VectorSet } from './vector-set.ts';
import { createVectorSets } from './vector-sets.ts';

export type BrainIndexes = {
  /**
   * Provides the index of each brain with every write that was committed before the call. The index may be used only
   * inside `use`. Brains in memory come first. `survey` receives each of several brains before any is used.
   */
  forEach(
    places: { workspaceId: string; brainIds: readonly string[] },
    use: (brainId: string, index: InvertedIndex, getVectors: VectorsOf) => void | Promise<void>,
    survey?: (index: InvertedIndex) => void,
  ): Promise<void>;
};

/** The brain's vectors of a space, with every vector that was committed before the call. */
export type VectorsOf = (space: string) => Promise<VectorSet>;

type BrainIndexDeps = { readonly pool: Pool; readonly cache: IndexCache; readonly guard: RowGuard };

type Work = (entry: Entry) => void | Promise<void>;

/** Reports the progress of a load; null when it has ended. */
export type ReportLoad = (brainId: string, progress: LoadProgress | null) => void;

type Options = {
  readonly pool: Pool;
  readonly memoryBytes: number;
  readonly guard: RowGuard;
  readonly reportLoad: ReportLoad;
  /** Loads take turns, so that loaded brains always find a connection for their updates. */
  readonly inTurn: <T>(load: () => Promise<T>) => Promise<T>;
};

/** Indexes over a pool whose role sees the rows of the transaction's workspace. */
export function createBrainIndexes({ pool, memoryBytes, guard, reportLoad, inTurn }: Options): BrainIndexes {
  const cache = createIndexCache(memoryBytes);
  const loads = new Map<string, Promise<Entry>>();
  const getVectors = createVectorSets(pool, cache);

  /** An index that is up to date, with one more use until the caller releases it. */
  async function open(place: BrainLocation): Promise<Entry> {
    const entry = cache.get(place);
    if (entry) {
      await waitUntilCaughtUp(entry);
      if (cache.get(place) === entry) return entry;
      entry.uses -= 1; // evicted meanwhile
    }
    const loading = loads.get(buildBrainKey(place));
    if (loading) {
      // Its loading may have begun before the write that this caller must see, so it is updated like any other.
      await loading;
      return open(place);
    }
    reportLoad(place.brainId, { brainId: place.brainId, loaded: 0, total: null });
    const loaded = inTurn(() => load({ pool, cache, guard }, place, reportLoad)).finally(() => {
      loads.delete(buildBrainKey(place));
      reportLoad(place.brainId, null);
    });
    loads.set(buildBrainKey(place), loaded);
    return loaded;
  }

  /** Does some work with the entry of each brain. Entries in `ready` are not updated again. */
  async function withEach(places: readonly BrainLocation[], ready: WeakSet<Entry>, work: Work): Promise<void> {
    const withEntry = async (place: BrainLocation) => {
      const kept = cache.get(place);
      const entry = kept && ready.has(kept) ? countUse(kept) : await open(place);
      try {
        await work(entry);
      } finally {
        entry.uses -= 1;
        cache.touch(entry);
        cache.makeRoom();
      }
    };
    const { present = [], missing = [] } = Object.groupBy(places, (place) =>
      cache.get(place) ? 'present' : 'missing',
    );
    await Promise.all(present.map(withEntry));
    // One at a time, so that brains which do not fit into memory together can still be searched together.
    for (const place of missing) await withEntry(place);
  }

  return {
    async forEach({ workspaceId, brainIds }, use, survey) {
      const places = [...new Set(brainIds)].map((brainId) => ({ workspaceId, brainId }));
      // Surveyed brains are up to date, and need no further update while they are in memory.
      const surveyed = new WeakSet<Entry>();
      if (survey && places.length > 1) {
        await withEach(places, surveyed, (entry) => {
          survey(entry.index);
          surveyed.add(entry);
        });
      }
      await withEach(places, surveyed, (entry) => use(entry.brainId, entry.index, (space) => getVectors(entry, space)));
    },
  };
}

/** Reads a whole brain; the returned entry counts as in use. */
async function load(
  { pool, cache, guard }: BrainIndexDeps,
  place: BrainLocation,
  reportLoad: ReportLoad,
): Promise<Entry> {
  let index = createIndex();
  let [loaded, total]: [number, number | null] = [0, null];
  const { brainId } = place;
  const begin = (languages: ReadonlyMap<string, string>) => {
    index = createIndex(languages.get(place.brainId));
    return (changes: Change[]) => {
      applyChanges([{ ...place, index }], changes, guard);
      cache.makeRoom(index.bytes);
      loaded += changes.length;
      if (total !== null) reportLoad(brainId, { brainId, loaded, total });
    };
  };
  const since = await readBrain(pool, place, begin, (rows) => (total = rows));
  const catchUp = getCatchUp({ pool, cache, guard }, place.workspaceId);
  const entry: Entry = { ...place, index, vectors: null, since, uses: 1, catchUp };
  cache.add(entry);
  return entry;
}

function countUse(entry: Entry): Entry {
  entry.uses += 1;
  return entry;
}

/** Adds one use to an entry that is up to date. */
async function waitUntilCaughtUp(entry: Entry): Promise<void> {
  entry.uses += 1;
  try {
    await entry.catchUp();
  } catch (error) {
    entry.uses -= 1;
    throw error;
  }
}

/** The entries of a workspace are updated together, by the function that the first of them received. */
function getCatchUp(doors: BrainIndexDeps, workspaceId: string): () => Promise<void> {
  const [other] = doors.cache.ofWorkspace(workspaceId);
  return other?.catchUp ?? createSharedRun(() => catchUpEntries(doors, workspaceId));
}

/**
 * Drops deleted brains, brains whose language changed, and entries from another history of the database; the other
 * entries get their changes.
 */
async function catchUpEntries({ pool, cache, guard }: BrainIndexDeps, workspaceId: string): Promise<void> {
  const all = cache.ofWorkspace(workspaceId);
  if (!all.length) return;
  const asked = await readMoment(pool);
  const entries = all.filter((entry) => !isBroken(entry.since, asked));
  for (const entry of all) if (!entries.includes(entry)) cache.forget(entry);
  const since = findEarliestMoment(entries.map((entry) => entry.since));
  if (since === undefined || isSameMoment(since, asked)) return;
  const brainIds = entries.map((entry) => entry.brainId);
  const moment = await readChanges(pool, { workspaceId, brainIds, since }, (languages, now) => {
    const isStale = (entry: Entry) =>
      isBroken(entry.since, now) || languages.get(entry.brainId) !== entry.index.language;
    for (const entry of entries) if (isStale(entry)) cache.forget(entry);
    return (changes) => applyChanges(entries, changes, guard);
  });
  for (const entry of entries) entry.since = moment;
}

/** A document that is no longer in a brain, or in any brain, is removed from the index it was in. */
function applyChanges(
  entries: readonly Pick<Entry, 'brainId' | 'index'>[],
  changes: readonly Change[],
  guard: RowGuard,
): void {
  for (const { brainId, index } of entries) {
    const rows: Searchable[] = [];
    for (const { id, brainId: place, row } of changes) {
      if (row && place === brainId) rows.push(row);
      else removeDocument(index, id);
    }
    putDocuments(index, rows, guard);
  }
}
