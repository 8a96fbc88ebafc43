import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import type { Memory } from '../memory/requests.ts';

export type Conflict = { memory: Memory; conflicts_with: Memory; reason: string | null; since: string };
export type Contributor = { person_id: string; names: string[]; memories: number };
export type Day = { date: string; memories: number; recalls: number; sessions: number };

export type BrainOverview = {
  brains: { id: string; name: string }[];
  period: { days: number; from: string; to: string };
  memories_created: number;
  by_type: Record<string, number>;
  decisions: Memory[];
  constraints: Memory[];
  constellations: { id: string; label: string; brain_id: string; memory_count: number }[];
  ingestion_stats: { source: string; memories: number; pages: number }[];
  priority_ingredients: (Memory & { recall_count: number })[];
  conflicts: Conflict[];
};

/** What happened lately: in one brain, in it and those below it, or in all. */
export function overviewQuery(brainId: string | undefined, days: number, isWithChildren: boolean) {
  const input = { days, ...(brainId && { brain_id: brainId, include_children: isWithChildren }) };
  return queryOptions({
    queryKey: ['memory', 'overview', input],
    queryFn: ({ signal }) => call<BrainOverview>('brain_overview', input, { signal }),
    placeholderData: (before) => before,
  });
}

type BrainAnalytics = {
  total_memories: number;
  archived_memories: number;
  by_type: Record<string, number>;
  total_recalls: number;
  high_impact_memories: (Memory & { recall_count: number; strength: number })[];
  top_contributors: Contributor[];
  daily_activity: Day[];
};

/** The figures of one brain, for its admins. */
export function brainAnalyticsQuery(brainId: string) {
  return queryOptions({
    queryKey: ['memory', 'analytics', brainId],
    queryFn: ({ signal }) => call<BrainAnalytics>('brain_analytics', { id: brainId }, { signal }),
    staleTime: 60_000,
  });
}

type TreeAnalytics = {
  child_brains: number;
  total_memories: number;
  total_recalls: number;
  unique_contributors: number;
  top_contributors: Contributor[];
  brains: {
    id: string;
    name: string;
    memories: number;
    by_type: Record<string, number>;
    recalls: number;
    contributors: number;
  }[];
  conflicts: Conflict[];
  daily_activity: Day[];
};

/** The figures of a brain and all below it that the person administers. */
export function treeAnalyticsQuery(brainId: string) {
  return queryOptions({
    queryKey: ['memory', 'tree analytics', brainId],
    queryFn: ({ signal }) => call<TreeAnalytics>('org_analytics', { id: brainId }, { signal }),
    staleTime: 60_000,
  });
}
