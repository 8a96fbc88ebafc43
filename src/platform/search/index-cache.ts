import type { InvertedIndex } from './inverted-index.ts';
import type { SnapshotMoment } from './moments.ts';
import type { Vectors } from './vector-sets.ts';

export type BrainLocation = { readonly workspaceId: string; readonly brainId: string };

export type Entry = BrainLocation & {
  readonly index: InvertedIndex;
  /** Loaded when a query with an embedding comes; null before. */
  vectors: Vectors | null;
  /** The database moment of its last update. */
  since: SnapshotMoment;
  /** How many running answers use it. It is not evicted while they do. */
  uses: number;
  /** Updates all entries of its workspace together. */
  readonly catchUp: () => Promise<void>;
};

export type IndexCache = ReturnType<typeof createIndexCache>;

/** Keeps indexes in memory up to a size; beyond it the least recently used are evicted. */
export function createIndexCache(memoryBytes: number) {
  /** Least recently used first. */
  const entries = new Map<string, Entry>();
  return {
    get: (place: BrainLocation): Entry | undefined => entries.get(buildBrainKey(place)),

    add(entry: Entry): void {
      entries.set(buildBrainKey(entry), entry);
    },

    /** Marks an entry as the most recently used, if it is still there. */
    touch(entry: Entry): void {
      if (entries.get(buildBrainKey(entry)) !== entry) return;
      entries.delete(buildBrainKey(entry));
      entries.set(buildBrainKey(entry), entry);
    },

    /** Removes an entry; answers that are using it may finish. */
    forget(entry: Entry): void {
      if (entries.get(buildBrainKey(entry)) === entry) entries.delete(buildBrainKey(entry));
    },

    ofWorkspace: (workspaceId: string): Entry[] =>
      [...entries.values()].filter((entry) => entry.workspaceId === workspaceId),

    /**
     * Evicts entries beyond the limit, but not the one that was used last: an entry larger than the limit would
     * otherwise be loaded for each search. `loadingBytes` counts, too, although that entry is not in the cache yet.
     */
    makeRoom(loadingBytes = 0): void {
      let bytes = loadingBytes;
      for (const entry of entries.values()) bytes += measureEntry(entry);
      const last = loadingBytes ? undefined : [...entries.keys()].at(-1);
      for (const [key, entry] of entries) {
        if (bytes <= memoryBytes) return;
        if (entry.uses > 0 || key === last) continue;
        entries.delete(key);
        bytes -= measureEntry(entry);
      }
    },
  };
}

function measureEntry({ index, vectors }: Entry): number {
  return index.bytes + index.facets.bytes + (vectors?.set.bytes ?? 0);
}

/** One key for each brain. */
export function buildBrainKey({ workspaceId, brainId }: BrainLocation): string {
  return `${workspaceId} ${brainId}`;
}
