import { queryOptions } from '@tanstack/react-query';
import type { Output } from '#sdk';
import { call } from '../../api/call.ts';

export type Contributor = TreeAnalytics['top_contributors'][number];
export type Day = TreeAnalytics['daily_activity'][number];

export type BrainOverview = Output<'brain_overview'>;

/** Recent activity: of one brain, with the brains below it, or of all. */
export function buildOverviewQuery(brainId: string | undefined, days: number, isWithChildren: boolean) {
  const input = { days, ...(brainId && { brain_id: brainId, include_children: isWithChildren }) };
  return queryOptions({
    queryKey: ['memory', 'overview', input],
    queryFn: ({ signal }) => call('brain_overview', input, { signal }),
    placeholderData: (before) => before,
  });
}

/** The figures of one brain, for its admins. */
export function buildBrainAnalyticsQuery(brainId: string) {
  return queryOptions({
    queryKey: ['memory', 'analytics', brainId],
    queryFn: ({ signal }) => call('brain_analytics', { id: brainId }, { signal }),
    staleTime: 60_000,
  });
}

type TreeAnalytics = Output<'org_analytics'>;

/** The figures of a brain and all below it that the person administers. */
export function buildTreeAnalyticsQuery(brainId: string) {
  return queryOptions({
    queryKey: ['memory', 'tree analytics', brainId],
    queryFn: ({ signal }) => call('org_analytics', { id: brainId }, { signal }),
    staleTime: 60_000,
  });
}
