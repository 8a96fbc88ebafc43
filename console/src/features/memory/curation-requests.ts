import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { Input, Output } from '#sdk';
import { call } from '../../api/call.ts';

export type MemoryLink = WholeMemory['links'][number];

export type Change = WholeMemory['changes'][number];

export type Version = WholeMemory['versions'][number];

/** One memory with all that is known of it. */
export type WholeMemory = Output<'get_memory'>;

/** One memory, archived or not, with its links, its thread and its history. */
export function buildMemoryQuery(id: string) {
  return queryOptions({
    queryKey: ['memory', 'one', id],
    queryFn: ({ signal }) => call('get_memory', { id }, { signal }),
  });
}

export type Correction = Input<'update_memory'>;

export function updateMemory(correction: Correction): Promise<Output<'update_memory'>> {
  return call('update_memory', correction);
}

export function archiveMemory(input: {
  id: string;
  reason?: string;
  superseded_by?: string;
}): Promise<Output<'archive_memory'>> {
  return call('archive_memory', input);
}

export function restoreMemory(id: string): Promise<Output<'restore_memory'>> {
  return call('restore_memory', { id });
}

export function moveMemory(input: { memory_id: string; target_brain_id: string }): Promise<Output<'move_memory'>> {
  return call('move_memory', input);
}

export type LinkEnds = Input<'link_memories'>;

export function linkMemories(ends: LinkEnds): Promise<Output<'link_memories'>> {
  return call('link_memories', ends);
}

export function unlinkMemories(ends: LinkEnds): Promise<Output<'unlink_memories'>> {
  return call('unlink_memories', ends);
}

/** Two memories that contradict each other. */
export type Conflict = Output<'brain_overview'>['conflicts'][number];

export type DuplicatePair = Output<'list_duplicates'>['duplicates'][number];

const pairsAtOnce = 20;

/** Pairs of duplicate memories, in one brain or in all. */
export function buildDuplicatesQuery(brain: string | undefined) {
  const filter = brain ? { brain_id: brain } : {};
  return infiniteQueryOptions({
    queryKey: ['memory', 'duplicates', filter],
    queryFn: ({ pageParam, signal }) =>
      call('list_duplicates', { ...filter, limit: pairsAtOnce, offset: pageParam }, { signal }),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (last.has_more ? pages.length * pairsAtOnce : undefined),
  });
}

export function mergeMemories(input: { keep_id: string; retire_ids: string[] }): Promise<Output<'merge_memories'>> {
  return call('merge_memories', input);
}

export function undoMerge(mergeId: string): Promise<Output<'undo_merge'>> {
  return call('undo_merge', { merge_id: mergeId });
}

export type Pair = Input<'dismiss_duplicate'>;

export function dismissDuplicate(pair: Pair): Promise<unknown> {
  return call('dismiss_duplicate', pair);
}

export type ContradictionsAnswer = Output<'list_contradictions'>;

export type DismissedKind = ContradictionsAnswer['dismissed_kinds'][number];

/** Pairs of memories that contradict each other, of one brain or of all: the open ones, or those that are hidden. */
export function buildContradictionsQuery(brain: string | undefined, isHidden: boolean) {
  const filter = { is_dismissed: isHidden, ...(brain && { brain_id: brain }) };
  return infiniteQueryOptions({
    queryKey: ['memory', 'contradictions', filter],
    queryFn: ({ pageParam, signal }) =>
      call('list_contradictions', { ...filter, limit: pairsAtOnce, offset: pageParam }, { signal }),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (last.has_more ? pages.length * pairsAtOnce : undefined),
  });
}

export type ContradictingPair = Input<'dismiss_contradiction'>;

export function dismissContradiction(pair: ContradictingPair): Promise<unknown> {
  return call('dismiss_contradiction', pair);
}

export type ReopenInput = Input<'undo_contradiction_dismissal'>;

export function undoContradictionDismissal(reopening: ReopenInput): Promise<unknown> {
  return call('undo_contradiction_dismissal', reopening);
}

export function undoDismissal(pair: Pair): Promise<unknown> {
  return call('undo_dismissal', pair);
}
