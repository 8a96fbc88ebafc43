import { defineOperation } from '#kernel/operation';
import { llmProviders } from '#platform/llm';
import { z } from 'zod';
import { listUsage, type UsageRow } from '../store.ts';
import { llmTags } from '../tags.ts';
import { toDollars, computeOverdueBefore, listVisiblePersonIds } from '../visible-usage.ts';

const usage = z.object({
  usage_id: z.uuid(),
  at: z.iso.datetime(),
  tag: z.enum(llmTags).describe('Which part of the product asked.'),
  person_id: z.uuid().nullable().describe('null: work of the workspace itself, such as embedding stored items.'),
  provider: z.enum(llmProviders),
  model: z.string(),
  input_tokens: z.number().int().nullable().describe('The tokens read from the cache; null: not reported.'),
  cached_input_tokens: z.number().int().nullable(),
  output_tokens: z.number().int().nullable(),
  cost_usd: z.number().nullable().describe('At the price of that day; null: unknown price or tokens.'),
  duration_ms: z.number().int().nullable(),
  outcome: z
    .enum(['running', 'ok', 'failed', 'cancelled', 'unfinished'])
    .describe('unfinished: the server stopped before the answer.'),
  failure: z.string().nullable().describe('Why there was no usable answer, such as rate_limited.'),
  request_id: z.string(),
});

export const listLlmUsage = defineOperation({
  name: 'list_llm_usage',
  summary: 'List the calls to language models, newest first: purpose, model, tokens, cost and outcome.',
  toolset: 'accounts',
  effect: 'read',
  access: { scope: 'usage:read', isForPeople: true },
  rest: [{ method: 'GET', path: '/v1/usage/llm' }],
  input: z.strictObject({
    since: z.iso.datetime({ offset: true }).optional(),
    until: z.iso.datetime({ offset: true }).optional().describe('Up to, not including.'),
    tag: z.enum(llmTags).optional(),
    provider: z.enum(llmProviders).optional(),
    model: z.string().min(1).max(200).optional(),
    person_id: z.uuid().optional().describe('For admins: the person. Members see their own.'),
    limit: z.number().int().min(1).max(200).default(50),
    offset: z.number().int().min(0).max(1_000_000).default(0),
  }),
  output: z.object({ usage: z.array(usage), total: z.number().int() }),
  errors: ['forbidden'],
  examples: [
    { title: 'The latest calls', input: { limit: 10 } },
    { title: 'Calls by Telegram in June', input: { tag: 'telegram', since: '2026-06-01T00:00:00Z' } },
  ],
  async run(ctx, { since, until, person_id, limit, offset, ...same }) {
    const filter = {
      ...same,
      personIds: listVisiblePersonIds(ctx.caller, person_id),
      since: since === undefined ? undefined : new Date(since),
      until: until === undefined ? undefined : new Date(until),
    };
    const { rows, total } = await listUsage(ctx.db, filter, { limit, offset });
    return { usage: rows.map((row) => present(row, ctx.now)), total };
  },
});

function present(row: UsageRow, now: Date): z.input<typeof usage> {
  const { id, started_at, cost_micro_usd, outcome } = row;
  return {
    usage_id: id,
    at: started_at.toISOString(),
    tag: row.tag,
    person_id: row.person_id,
    provider: row.provider,
    model: row.model,
    input_tokens: toNullableNumber(row.input_tokens),
    cached_input_tokens: toNullableNumber(row.cached_input_tokens),
    output_tokens: toNullableNumber(row.output_tokens),
    cost_usd: cost_micro_usd === null ? null : toDollars(Number(cost_micro_usd)),
    duration_ms: row.duration_ms,
    outcome: outcome === 'running' && started_at < computeOverdueBefore(now) ? 'unfinished' : outcome,
    failure: row.failure,
    request_id: row.request_id,
  };
}

function toNullableNumber(figure: string | number | null): number | null {
  return figure === null ? null : Number(figure);
}
