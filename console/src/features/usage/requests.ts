import { queryOptions } from '@tanstack/react-query';
import type { Output } from '#sdk';
import { call } from '../../api/call.ts';

export type ModelName = { provider: string; model: string };

export type Figures = UsageOverview['total'];

export type UsageOverview = Output<'usage_overview'>;

export type Question = Output<'list_llm_usage'>['usage'][number];

export type ModelCheck = Output<'check_llm'>;

/** What language models were used for in the last days. */
export function buildUsageQuery(days: number) {
  return queryOptions({
    queryKey: ['usage', 'overview', days],
    queryFn: ({ signal }) => call('usage_overview', { days }, { signal }),
    placeholderData: (before) => before,
  });
}

/** The last questions. */
export const questionsQuery = queryOptions({
  queryKey: ['usage', 'questions'],
  queryFn: ({ signal }) => call('list_llm_usage', { limit: 20 }, { signal }),
});

/** Has the model asked one short question. */
export function checkModel(which: 'main' | 'fast'): Promise<Output<'check_llm'>> {
  return call('check_llm', { which });
}
