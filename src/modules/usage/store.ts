import type { ModelName } from '#platform/llm';
import { sql, type Kysely, type Selectable, type SelectQueryBuilder } from 'kysely';
import type { LlmTag } from './tags.ts';

type Outcome = 'running' | 'ok' | 'failed' | 'cancelled';

type Tables = {
  llm_usage: {
    id: string;
    workspace_id: string;
    person_id: string;
    tag: LlmTag;
    provider: ModelName['provider'];
    model: string;
    // PostgreSQL's bigint comes as text.
    input_tokens: string | number | null;
    cached_input_tokens: string | number | null;
    output_tokens: string | number | null;
    cost_micro_usd: string | number | null;
    outcome: Outcome;
    failure: string | null;
    request_id: string;
    started_at: Date;
    duration_ms: number | null;
  };
};
type Db = Kysely<Tables>;

export type UsageRow = Selectable<Tables['llm_usage']>;
export type BegunUsage = Pick<
  UsageRow,
  'id' | 'workspace_id' | 'person_id' | 'tag' | 'provider' | 'model' | 'request_id' | 'started_at'
>;
export type Finish = Pick<
  UsageRow,
  'outcome' | 'failure' | 'duration_ms' | 'input_tokens' | 'cached_input_tokens' | 'output_tokens' | 'cost_micro_usd'
>;

export async function beginUsage(db: Db, row: BegunUsage): Promise<void> {
  await db
    .insertInto('llm_usage')
    .values({ ...row, outcome: 'running' })
    .execute();
}

export async function finishUsage(db: Db, id: string, finish: Finish): Promise<void> {
  await db.updateTable('llm_usage').set(finish).where('id', '=', id).where('outcome', '=', 'running').execute();
}

export type UsageFilter = {
  /** Whose; everybody's without it. */
  personIds?: readonly string[] | undefined;
  since?: Date | undefined;
  until?: Date | undefined;
  tag?: LlmTag | undefined;
  provider?: ModelName['provider'] | undefined;
  model?: string | undefined;
};

/** Questions, the newest first, and how many there are in all. */
export async function listUsage(db: Db, filter: UsageFilter, page: { limit: number; offset: number }) {
  const chosen = meeting(db.selectFrom('llm_usage'), filter);
  const rows = await chosen
    .selectAll()
    .orderBy('started_at', 'desc')
    .orderBy('id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  const counted = await chosen.select(sql<number>`count(*)::int`.as('total')).executeTakeFirst();
  return { rows, total: counted?.total ?? 0 };
}

export type UsageSum = {
  day: string;
  tag: LlmTag;
  provider: ModelName['provider'];
  model: string;
  calls: number;
  failed: number;
  unfinished: number;
  unpriced: number;
  input_tokens: number;
  cached_input_tokens: number;
  output_tokens: number;
  cost_micro_usd: number;
};

/** In UTC; written out as text only once for each group. */
const day = sql`(started_at at time zone 'utc')::date`;

/** Sums for each day (UTC), tag and model: few rows, of which every other sum is made. */
export async function sumUsage(db: Db, filter: UsageFilter, overdueBefore: Date): Promise<UsageSum[]> {
  return meeting(db.selectFrom('llm_usage'), filter)
    .select([
      sql<string>`to_char(${day}, 'YYYY-MM-DD')`.as('day'),
      'tag',
      'provider',
      'model',
      sql<number>`count(*)::int`.as('calls'),
      sql<number>`count(*) filter (where outcome in ('failed', 'cancelled'))::int`.as('failed'),
      sql<number>`count(*) filter (where outcome = 'running' and started_at < ${overdueBefore})::int`.as('unfinished'),
      sql<number>`count(*) filter (where cost_micro_usd is null and (outcome in ('ok', 'cancelled') or input_tokens is not null))::int`.as(
        'unpriced',
      ),
      sql<number>`coalesce(sum(input_tokens), 0)::float8`.as('input_tokens'),
      sql<number>`coalesce(sum(cached_input_tokens), 0)::float8`.as('cached_input_tokens'),
      sql<number>`coalesce(sum(output_tokens), 0)::float8`.as('output_tokens'),
      sql<number>`coalesce(sum(cost_micro_usd), 0)::float8`.as('cost_micro_usd'),
    ])
    .groupBy([day, 'tag', 'provider', 'model'])
    .execute();
}

function meeting(query: SelectQueryBuilder<Tables, 'llm_usage', object>, filter: UsageFilter) {
  const { personIds, since, until, tag, provider, model } = filter;
  let chosen = query;
  if (personIds) chosen = chosen.where(sql<boolean>`person_id = any(${personIds})`);
  if (since) chosen = chosen.where('started_at', '>=', since);
  if (until) chosen = chosen.where('started_at', '<', until);
  if (tag) chosen = chosen.where('tag', '=', tag);
  if (provider) chosen = chosen.where('provider', '=', provider);
  if (model) chosen = chosen.where('model', '=', model);
  return chosen;
}
