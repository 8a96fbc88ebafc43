import { defineModule } from '#kernel/module';
import type { Ground } from '#platform';
import { seeingWorkspaces } from '#platform/database';
import { llmOf } from './metered-llm.ts';
import { checkLlm } from './operations/check-llm.ts';
import { listLlmUsage } from './operations/list-llm-usage.ts';
import { dropOldSpending } from './store.ts';
import { usageOverview } from './operations/usage-overview.ts';

/** What language models were used for, and what it cost. */
export const usageModule = defineModule<Ground>({
  name: 'usage',
  tidy: (db) => seeingWorkspaces(db, () => dropOldSpending(db)),
  operations(ground) {
    const llm = llmOf(ground);
    return [listLlmUsage, usageOverview(llm, llm || ground.embedders ? ground.config.llmCaps : null), checkLlm(llm)];
  },
});
