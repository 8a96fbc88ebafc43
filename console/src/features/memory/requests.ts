import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../api/call.ts';

export const memoryTypes = ['decision', 'constraint', 'fact', 'preference', 'observation'] as const;
export type MemoryType = (typeof memoryTypes)[number];
export type Salience = 'normal' | 'elevated' | 'critical';

export type Memory = {
  id: string;
  content: string;
  type: MemoryType;
  salience: Salience;
  topics: string[];
  triggers: { condition: string; reason: string }[];
  stored_by: string;
  brain_id: string;
  brain_name: string;
  source: string | null;
  author: string | null;
  thread_id: string | null;
  occurred_at: string;
  created_at: string;
};

/** A memory as a search found it. */
export type Hit = Memory & { relevance_score: number; why: { terms: string[]; fields: string[] } };

/** What narrows a list or a search; absent means everything. */
export type MemoryFilter = { brain?: string | undefined; type?: MemoryType | undefined };

type SearchAnswer = {
  memories: Hit[];
  confidence: number;
  pagination: { total_available: number; has_more: boolean };
};

/** Finds memories by what they say. */
export function memorySearchQuery(q: string, { brain, type }: MemoryFilter) {
  const input = { q, limit: 20, ...(brain && { brain_id: brain }), ...(type && { type }) };
  return queryOptions({
    queryKey: ['memory', 'search', input],
    queryFn: ({ signal }) => call<SearchAnswer>('search_memory', input, { signal }),
    placeholderData: keepPreviousData,
  });
}

const pageSize = 40;

/** The memories of one brain, newest first, a page at a time. */
export function memoryListQuery({ brain, type }: MemoryFilter) {
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

export function archiveMemory(input: { id: string; reason?: string }): Promise<{ id: string }> {
  return call('archive_memory', input);
}
