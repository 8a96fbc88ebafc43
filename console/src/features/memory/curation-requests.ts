import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import type { Memory, MemoryType, Relation, Salience, Trigger } from './requests.ts';

export type MemoryLink = {
  source_memory_id: string;
  target_memory_id: string;
  relationship_type: Relation;
  origin: 'stated' | 'automatic' | 'detected';
  reason: string | null;
};

export type Change = {
  id: string;
  kind: 'archive' | 'merge';
  reason: string | null;
  made_by: string;
  made_at: string;
  undone_at: string | null;
};

export type Version = {
  version: number;
  content: string;
  type: MemoryType;
  salience: Salience;
  replaced_at: string;
  replaced_by: string;
  reason: string | null;
};

/** One memory with all that is known of it. */
export type WholeMemory = {
  memory: Memory & {
    archived_at: string | null;
    archive_reason: string | null;
    superseded_by: string | null;
    constellation_id: string | null;
  };
  links: MemoryLink[];
  thread: Memory[];
  recalls: { recall_count: number; last_recalled_at: string | null; strength: number };
  duplicates: { id: string; kind: 'exact' | 'near'; similarity: number }[];
  changes: Change[];
  versions: Version[];
};

/** One memory, archived or not, with its links, its thread and its history. */
export function memoryQuery(id: string) {
  return queryOptions({
    queryKey: ['memory', 'one', id],
    queryFn: ({ signal }) => call<WholeMemory>('get_memory', { id }, { signal }),
  });
}

export type Correction = {
  id: string;
  content?: string;
  type?: MemoryType;
  salience?: Salience;
  triggers?: Trigger[];
  reason?: string;
};

export function updateMemory(correction: Correction): Promise<{ id: string; version: number }> {
  return call('update_memory', correction);
}

export function archiveMemory(input: { id: string; reason?: string; superseded_by?: string }): Promise<{ id: string }> {
  return call('archive_memory', input);
}

export function restoreMemory(id: string): Promise<{ id: string }> {
  return call('restore_memory', { id });
}

export function moveMemory(input: { memory_id: string; target_brain_id: string }): Promise<{ brain_id: string }> {
  return call('move_memory', input);
}

export type LinkEnds = { source_memory_id: string; target_memory_id: string; relationship_type: Relation };

export function linkMemories(ends: LinkEnds): Promise<{ created: boolean }> {
  return call('link_memories', ends);
}

export function unlinkMemories(ends: LinkEnds): Promise<{ removed: number }> {
  return call('unlink_memories', ends);
}

export type DuplicatePair = {
  kind: 'exact' | 'near';
  similarity: number;
  found_at: string;
  memory: Memory;
  duplicate_of: Memory;
};

const pairsAtOnce = 20;

/** Pairs of memories that say the same, of one brain or of all. */
export function duplicatesQuery(brain: string | undefined) {
  const filter = brain ? { brain_id: brain } : {};
  return infiniteQueryOptions({
    queryKey: ['memory', 'duplicates', filter],
    queryFn: ({ pageParam, signal }) =>
      call<{ duplicates: DuplicatePair[]; has_more: boolean }>(
        'list_duplicates',
        { ...filter, limit: pairsAtOnce, offset: pageParam },
        { signal },
      ),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (last.has_more ? pages.length * pairsAtOnce : undefined),
  });
}

export function mergeMemories(input: { keep_id: string; retire_ids: string[] }): Promise<{ merge_id: string }> {
  return call('merge_memories', input);
}

export function undoMerge(mergeId: string): Promise<{ restored: string[] }> {
  return call('undo_merge', { merge_id: mergeId });
}

export type Pair = { memory_id: string; duplicate_of: string };

export function dismissDuplicate(pair: Pair): Promise<unknown> {
  return call('dismiss_duplicate', pair);
}

export function undoDismissal(pair: Pair): Promise<unknown> {
  return call('undo_dismissal', pair);
}
