import { defineModule } from '#kernel/module';
import type { Ground } from '#platform';
import { brainAnalytics } from './operations/brain-analytics.ts';
import { brainOverview } from './operations/brain-overview.ts';
import { orgAnalytics } from './operations/org-analytics.ts';

/** Statistics of brains. */
export const analyticsModule = defineModule<Ground>({
  name: 'analytics',
  operations: () => [brainOverview, brainAnalytics, orgAnalytics],
});
