import { defineModule } from '#kernel/module';
import type { Ground } from '#platform';
import { withVisibleWorkspaces } from '#platform/database';
import { getMeteredLlm } from './metered-llm.ts';
import { checkLlm } from './operations/check-llm.ts';
import { listLlmUsage } from './operations/list-llm-usage.ts';
import { dropOldSpending } from './store.ts';
import { createUsageOverview } from './operations/usage-overview.ts';

/** The usage of language models, and its cost. */
export const usageModule = defineModule<Ground>({
  name: 'usage',
  tidy: (db) => withVisibleWorkspaces(db, () => dropOldSpending(db)),
  operations(ground) {
    const llm = getMeteredLlm(ground);
    return [
      listLlmUsage,
      createUsageOverview(llm, llm || ground.embedders ? ground.config.llmCaps : null),
      checkLlm(llm),
    ];
  },
});
