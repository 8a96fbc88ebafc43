import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/call.ts';

export type ModelName = { provider: string; model: string };

export type Figures = {
  calls: number;
  failed_calls: number;
  unfinished_calls: number;
  unpriced_calls: number;
  input_tokens: number;
  output_tokens: number;
  cost_usd: number;
};

export type UsageOverview = {
  period: { days: number };
  of: 'workspace' | 'person';
  models: { main: ModelName | null; fast: ModelName | null };
  total: Figures;
  by_day: (Figures & { date: string })[];
  by_tag: (Figures & { tag: string })[];
  by_model: (Figures & ModelName)[];
};

export type Question = ModelName & {
  usage_id: string;
  at: string;
  tag: string;
  input_tokens: number | null;
  output_tokens: number | null;
  cost_usd: number | null;
  duration_ms: number | null;
  outcome: 'running' | 'ok' | 'failed' | 'cancelled' | 'unfinished';
  failure: string | null;
};

export type ModelCheck = { works: boolean; model: string | null; answer: string | null; problem: string | null };

/** What language models were used for in the last days. */
export function usageQuery(days: number) {
  return queryOptions({
    queryKey: ['usage', 'overview', days],
    queryFn: ({ signal }) => call<UsageOverview>('usage_overview', { days }, { signal }),
    placeholderData: (before) => before,
  });
}

/** The last questions. */
export const questionsQuery = queryOptions({
  queryKey: ['usage', 'questions'],
  queryFn: ({ signal }) => call<{ usage: Question[]; total: number }>('list_llm_usage', { limit: 20 }, { signal }),
});

/** Has the model asked one short question. */
export function checkModel(which: 'main' | 'fast'): Promise<ModelCheck> {
  return call('check_llm', { which });
}
