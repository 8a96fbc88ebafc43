import type { MeteredLlm } from './metered-llm.ts';
import { checkLlm } from './operations/check-llm.ts';
import { listLlmUsage } from './operations/list-llm-usage.ts';
import { usageOverview } from './operations/usage-overview.ts';

export { createMeteredLlm, type MeteredLlm } from './metered-llm.ts';

/** What callers can ask about what language models were used for. */
export function usageOperations({ llm }: { llm: MeteredLlm | null }) {
  return [listLlmUsage, usageOverview(llm), checkLlm(llm)];
}
