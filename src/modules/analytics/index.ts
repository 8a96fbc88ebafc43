import type { RecallRecord } from '#modules/memory';
import { brainAnalytics } from './operations/brain-analytics.ts';
import { brainOverview } from './operations/brain-overview.ts';
import { orgAnalytics } from './operations/org-analytics.ts';

/** What callers can ask about what happens in their brains. */
export function analyticsOperations({ recalls }: { recalls: RecallRecord }) {
  return [brainOverview(recalls), brainAnalytics(recalls), orgAnalytics(recalls)];
}
