import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Input, Output } from '#sdk';
import { call } from '../../api/call.ts';

export const memoryTypes = ['decision', 'constraint', 'fact', 'preference', 'observation'] as const;
export type MemoryType = (typeof memoryTypes)[number];
export const saliences = ['normal', 'elevated', 'critical'] as const;
export type Salience = (typeof saliences)[number];

/** The importance of a memory as a person reads it. */
export const salienceWords: Record<Salience, string> = { normal: 'Normal', elevated: 'High', critical: 'Critical' };

export type Memory = Output<'list_memories'>['memories'][number];

/** A condition that adds a memory to matching work or searches. */
export type Trigger = Memory['triggers'][number];

/** Why a search found a memory: words, place, and neighbours. */
export type HitReason = Hit['why'];

/** A memory as a search found it. */
export type MemorySearchResult = SearchAnswer['memories'][number];
/** A memory that a search found. What is found of documents has no type of memories. */
export type Hit = MemorySearchResult & { type: Memory['type'] };

export function isMemory(found: MemorySearchResult): found is Hit {
  return found.type !== 'document_constellation';
}

/** A memory whose trigger matches the search. */
export type TriggeredMemory = SearchAnswer['triggered_memories'][number];

export const relations = [
  'relates_to',
  'depends_on',
  'decided_because_of',
  'refines',
  'supersedes',
  'conflicts_with',
] as const;
export type Relation = (typeof relations)[number];

/** What narrows a list: absent means everything. */
export type ListFilter = { brain?: string | undefined; type?: MemoryType | undefined };

/** What narrows a search. `since` and `until` are dates or words, as a person says them. */
export type MemoryFilter = ListFilter & {
  salience?: Salience | undefined;
  source?: string | undefined;
  author?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
};

export type SearchAnswer = Output<'search_memory'>;

function searchInput(q: string, { brain, ...filter }: MemoryFilter) {
  const given = Object.entries({ ...filter, brain_id: brain }).filter(([, value]) => value);
  return { q, limit: 20, ...Object.fromEntries(given) };
}

/** Searches memories, best first. */
export function buildMemorySearchQuery(q: string, filter: MemoryFilter = {}) {
  const input = searchInput(q, filter);
  return queryOptions({
    queryKey: ['memory', 'search', input],
    queryFn: ({ signal }) => call('search_memory', input, { signal }),
    placeholderData: keepPreviousData,
  });
}

/** Finds memories a page at a time; what was found before stays until the next answer is there. */
export function buildMemorySearchPagesQuery(q: string, filter: MemoryFilter) {
  const input = searchInput(q, filter);
  return infiniteQueryOptions({
    queryKey: ['memory', 'search pages', input],
    queryFn: ({ pageParam, signal }) => call('search_memory', { ...input, offset: pageParam }, { signal }),
    initialPageParam: 0,
    getNextPageParam: (last) => last.pagination.next_offset ?? undefined,
    placeholderData: keepPreviousData,
  });
}

const pageSize = 40;

/** The memories of one brain, newest first, a page at a time. */
export function buildMemoryListQuery({ brain, type }: ListFilter) {
  const filter = { ...(brain && { brain_id: brain }), ...(type && { type }) };
  return infiniteQueryOptions({
    queryKey: ['memory', 'list', filter],
    queryFn: ({ pageParam, signal }) =>
      call('list_memories', { ...filter, limit: pageSize, offset: pageParam }, { signal }),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (pages.length * pageSize < last.total ? pages.length * pageSize : undefined),
    placeholderData: keepPreviousData,
  });
}

/** The newest few, for the home page. */
export const newestMemoriesQuery = queryOptions({
  queryKey: ['memory', 'newest'],
  queryFn: ({ signal }) => call('list_memories', { limit: 5 }, { signal }),
});

export type NewMemory = Input<'add_memory'>;

export function addMemory(memory: NewMemory): Promise<Output<'add_memory'>> {
  return call('add_memory', memory);
}
