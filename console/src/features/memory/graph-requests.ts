import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Output } from '#sdk';
import { call } from '../../api/call.ts';

export type GraphNode = MemoryGraph['nodes'][number];

export type GraphLink = MemoryGraph['links'][number];

export type MemoryGraph = Output<'get_memory_graph'>;

/** The most memories drawn, newest first: a browser lays them out in a second or two. */
export const mostNodes = 500;

/** The newest memories of a brain with the links between them; without a brain, of the person's own. */
export function buildGraphQuery(brain: string | undefined) {
  return queryOptions({
    queryKey: ['memory', 'graph', brain ?? 'home'],
    queryFn: ({ signal }) =>
      call('get_memory_graph', { limit: mostNodes, ...(brain && { brain_id: brain }) }, { signal }),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
}
