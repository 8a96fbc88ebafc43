// The vectors of brains in memory: loaded when a query with an embedding comes, kept with the brain's index, and
// updated before each use.
import type { Pool } from 'pg';
import type { Entry } from './index-cache.ts';
import { findEarliestMoment, isBroken, type SnapshotMoment } from './moments.ts';
import { readVectors, type VectorChange } from './read-vectors.ts';
import { createSharedRun } from './shared-run.ts';

import { createVectorSet, type VectorSet } from './vector-set.ts';

/** The data of an entry beside its index. */
export type Vectors = {
  readonly set: VectorSet;
  /** The database moment of their last update. */
  since: SnapshotMoment;
  /** Updates all vectors of the workspace together. */
  readonly catchUp: () => Promise<void>;
};

/** The entries in memory, and how to make room when one has grown. */
type Cache = { ofWorkspace(workspaceId: string): Entry[]; makeRoom(): void };

/** Makes the function that returns an entry's vectors of a space, with all vectors committed before the call. */
export function createVectorSets(pool: Pool, cache: Cache) {
  const loads = new WeakMap<Entry, Promise<void>>();
  const present = (workspaceId: string, space: string) =>
    cache.ofWorkspace(workspaceId).filter((entry) => entry.vectors?.set.space === space);

  function getCatchUp(workspaceId: string, space: string): () => Promise<void> {
    const [other] = present(workspaceId, space);
    return (
      other?.vectors?.catchUp ?? createSharedRun(() => catchUp(pool, workspaceId, space, present(workspaceId, space)))
    );
  }

  async function load(entry: Entry, space: string): Promise<void> {
    const { exactSearch } = await import('usearch'); // without an embedder it is never called
    const { workspaceId, brainId } = entry;
    const set = createVectorSet(space, exactSearch);
    const since = await readVectors(pool, { workspaceId, space, of: { brainId } }, (changes) =>
      applyChanges([{ brainId, set }], changes),
    );
    entry.vectors = { set, since, catchUp: getCatchUp(workspaceId, space) };
    cache.makeRoom();
  }

  return async function getVectors(entry: Entry, space: string): Promise<VectorSet> {
    for (;;) {
      const { vectors } = entry;
      if (vectors?.set.space === space) {
        await vectors.catchUp();
        if (entry.vectors === vectors) return vectors.set;
        continue; // dropped because its history of the database ended
      }
      // An entry's loading may have begun before the vector that this caller must see, so it is updated, too.
      const loading = loads.get(entry) ?? load(entry, space).finally(() => loads.delete(entry));
      loads.set(entry, loading);
      await loading;
    }
  };
}

async function catchUp(pool: Pool, workspaceId: string, space: string, entries: readonly Entry[]): Promise<void> {
  const kept = entries.flatMap((entry) => (entry.vectors ? [{ entry, vectors: entry.vectors }] : []));
  const since = findEarliestMoment(kept.map(({ vectors }) => vectors.since));
  if (since === undefined) return;
  const moment = await readVectors(pool, { workspaceId, space, of: { since } }, (changes, now) => {
    for (const { entry, vectors } of kept) if (isBroken(vectors.since, now)) entry.vectors = null;
    const sets = kept.map(({ entry, vectors }) => ({ brainId: entry.brainId, set: vectors.set }));
    applyChanges(sets, changes);
  });
  for (const { vectors } of kept) vectors.since = moment;
}

/** A vector that no longer belongs to a brain, or to any brain, is removed from its former set. */
function applyChanges(
  sets: readonly { readonly brainId: string; readonly set: VectorSet }[],
  changes: readonly VectorChange[],
): void {
  for (const { id, part, brainId, code } of changes) {
    for (const { brainId: own, set } of sets) {
      if (code && own === brainId) set.put(id, part, code);
      else set.remove(id, part);
    }
  }
}
