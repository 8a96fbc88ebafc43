import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../api/call.ts';

export const memoryTypes = ['decision', 'constraint', 'fact', 'preference', 'observation'] as const;
export type MemoryType = (typeof memoryTypes)[number];
export const saliences = ['normal', 'elevated', 'critical'] as const;
export type Salience = (typeof saliences)[number];

export type Memory = {
  id: string;
  content: string;
  type: MemoryType;
  salience: Salience;
  topics: string[];
  triggers: { condition: string; reason: string }[];
  stored_by: string;
  stored_by_person: string | null;
  brain_id: string;
  brain_name: string;
  source: string | null;
  author: string | null;
  thread_id: string | null;
  occurred_at: string;
  created_at: string;
};

/** A condition that brings a memory up when what somebody works on or asks for fits it. */
export type Trigger = Memory['triggers'][number];

/** By which words, where, and beside what a search found a memory. */
export type Why = {
  terms: string[];
  fields: string[];
  context: string[];
  links: { memory_id: string; relationship_type: Relation }[];
};

/** A memory as a search found it. */
export type Hit = Memory & { relevance_score: number; why: Why; fired: Trigger | null };

/** A memory that is no hit, but asked to come up when something like this is searched for. */
export type Triggered = Memory & { fired: Trigger };

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

export type SearchAnswer = {
  memories: Hit[];
  triggered_memories: Triggered[];
  /** 0 to 1; below 0.3 there is likely no answer among the hits. */
  confidence: number;
  pagination: { total_available: number; has_more: boolean; next_offset: number | null };
  notice?: string;
};

function searchInput(q: string, { brain, ...filter }: MemoryFilter) {
  const given = Object.entries({ ...filter, brain_id: brain }).filter(([, value]) => value);
  return { q, limit: 20, ...Object.fromEntries(given) };
}

/** Finds the memories that say it best. */
export function memorySearchQuery(q: string, filter: MemoryFilter = {}) {
  const input = searchInput(q, filter);
  return queryOptions({
    queryKey: ['memory', 'search', input],
    queryFn: ({ signal }) => call<SearchAnswer>('search_memory', input, { signal }),
    placeholderData: keepPreviousData,
  });
}

/** Finds memories a page at a time; what was found before stays until the next answer is there. */
export function memorySearchPagesQuery(q: string, filter: MemoryFilter) {
  const input = searchInput(q, filter);
  return infiniteQueryOptions({
    queryKey: ['memory', 'search pages', input],
    queryFn: ({ pageParam, signal }) =>
      call<SearchAnswer>('search_memory', { ...input, offset: pageParam }, { signal }),
    initialPageParam: 0,
    getNextPageParam: (last) => last.pagination.next_offset ?? undefined,
    placeholderData: keepPreviousData,
  });
}

const pageSize = 40;

/** The memories of one brain, newest first, a page at a time. */
export function memoryListQuery({ brain, type }: ListFilter) {
  const filter = { ...(brain && { brain_id: brain }), ...(type && { type }) };
  return infiniteQueryOptions({
    queryKey: ['memory', 'list', filter],
    queryFn: ({ pageParam, signal }) =>
      call<{ memories: Memory[]; total: number }>(
        'list_memories',
        { ...filter, limit: pageSize, offset: pageParam },
        { signal },
      ),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (pages.length * pageSize < last.total ? pages.length * pageSize : undefined),
    placeholderData: keepPreviousData,
  });
}

/** The newest few, for the home page. */
export const newestMemoriesQuery = queryOptions({
  queryKey: ['memory', 'newest'],
  queryFn: ({ signal }) => call<{ memories: Memory[]; total: number }>('list_memories', { limit: 5 }, { signal }),
});

export type NewMemory = { content: string; type?: MemoryType; salience?: Salience; target_brain_id?: string };

export function addMemory(memory: NewMemory): Promise<{ id: string; message: string }> {
  return call('add_memory', memory);
}
