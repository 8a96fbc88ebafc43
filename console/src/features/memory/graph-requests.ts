import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import type { MemoryType, Relation, Salience } from './requests.ts';

export type GraphNode = {
  id: string;
  /** How the memory begins. */
  label: string;
  type: MemoryType;
  salience: Salience;
  constellation_id: string | null;
};

export type GraphLink = { source: string; target: string; type: Relation };

export type MemoryGraph = {
  nodes: GraphNode[];
  links: GraphLink[];
  constellations: { id: string; label: string }[];
};

/** So many of the newest are drawn: what a browser lays out in a second or two. */
export const mostNodes = 500;

/** The newest memories of a brain with the links between them; without a brain, of the person's own. */
export function graphQuery(brain: string | undefined) {
  return queryOptions({
    queryKey: ['memory', 'graph', brain ?? 'home'],
    queryFn: ({ signal }) =>
      call<MemoryGraph>('get_memory_graph', { limit: mostNodes, ...(brain && { brain_id: brain }) }, { signal }),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
}
