import { computeTimeFromNow, withPresentedHashes } from '#platform/database';
import type { ModelName } from '#platform/llm';
import { sql, type Kysely, type Selectable, type SelectQueryBuilder } from 'kysely';
import type { LlmTag } from './tags.ts';

type Outcome = 'running' | 'ok' | 'failed' | 'cancelled';

type Tables = {
  llm_usage: {
    id: string;
    workspace_id: string;
    /** Null: work of the workspace itself. */
    person_id: string | null;
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
    reserved_micro_usd: string | number;
    reserved_until: Date | null;
    charged_micro_usd: string | number | null;
    is_trial: boolean;
  };
};
type Db = Kysely<Tables>;

export type UsageRow = Selectable<Tables['llm_usage']>;
export type BegunUsage = Pick<
  UsageRow,
  'id' | 'workspace_id' | 'person_id' | 'tag' | 'provider' | 'model' | 'request_id' | 'is_trial' | 'reserved_micro_usd'
>;
export type Finish = Pick<
  UsageRow,
  | 'outcome'
  | 'failure'
  | 'duration_ms'
  | 'input_tokens'
  | 'cached_input_tokens'
  | 'output_tokens'
  | 'cost_micro_usd'
  | 'charged_micro_usd'
>;

/**
 * Stores a question that is about to be asked. Its reservation ends after the given time, because its process may have
 * died. It counts in all workspaces of the identity that asks.
 */
export async function beginUsage(db: Db, row: BegunUsage, reservedMs: number): Promise<void> {
  const reserved_until = computeTimeFromNow(reservedMs);
  await db
    .insertInto('llm_usage')
    .values({ ...row, outcome: 'running', started_at: computeTimeFromNow(), reserved_until })
    .execute();
  const identity = await findIdentityHash(db, row.person_id);
  if (identity === null) return;
  const { id, workspace_id, is_trial, reserved_micro_usd } = row;
  await withIdentityHash(db, identity, () =>
    sql`insert into identity_spending (usage_id, subject_hash, asked_in, is_trial, spent_micro_usd, reserved_micro_usd, reserved_until, asked_at)
      values (${id}, ${identity}, ${workspace_id}, ${is_trial}, 0, ${reserved_micro_usd}, ${reserved_until}, ${computeTimeFromNow()})`.execute(
      db,
    ),
  );
}

export async function finishUsage(db: Db, id: string, finish: Finish): Promise<void> {
  const row = await db
    .updateTable('llm_usage')
    .set(finish)
    .where('id', '=', id)
    .where('outcome', '=', 'running')
    .returning('person_id')
    .executeTakeFirst();
  const identity = await findIdentityHash(db, row?.person_id ?? null);
  if (identity === null) return;
  const spent = finish.charged_micro_usd ?? finish.cost_micro_usd ?? 0;
  await withIdentityHash(db, identity, () =>
    sql`update identity_spending set spent_micro_usd = ${spent}, reserved_until = null where usage_id = ${id}`.execute(
      db,
    ),
  );
}

/** Removes rows that no longer count; for work of the server itself. */
export async function dropOldSpending(db: Db): Promise<void> {
  await sql`delete from identity_spending where asked_at < now() - interval '2 days'`.execute(db);
}

/** The hash under which a person's identity's spending is stored; null: there is no such person. */
async function findIdentityHash(db: Db, personId: string | null): Promise<string | null> {
  if (personId === null) return null;
  const { rows } = await sql<{ hash: string }>`
    select identity_hash as hash from people_directory where id = ${personId}`.execute(db);
  return rows[0]?.hash ?? null;
}

function withIdentityHash<T>(db: Db, hash: string, work: () => Promise<T>): Promise<T> {
  return withPresentedHashes(db, [hash], work);
}

/**
 * Serializes additions to model costs: of the identity in all its workspaces, and of the workspace. Always locked in
 * this order, to avoid deadlocks.
 */
export async function lockSpending(db: Db, personId: string | null): Promise<void> {
  const identity = await findIdentityHash(db, personId);
  const lock = (whose: string) =>
    sql`select pg_advisory_xact_lock(hashtextextended('cost of models ' || ${whose}::text, 0))`.execute(db);
  if (identity !== null) await lock(identity);
  await sql`select pg_advisory_xact_lock(hashtextextended('cost of models ' || current_workspace(), 0))`.execute(db);
}

type SpentSums = { spent: number; reserved: number };
export type SpentToday = { person: SpentSums; workspace: SpentSums; trial: SpentSums; resetsAt: Date };

/**
 * What counts toward the caps today (UTC), by the clock of the database, in millionths of a dollar. A question of a
 * dead process counts until its reservation ends.
 */
export async function sumToday(db: Db, personId: string | null): Promise<SpentToday> {
  const { rows } = await sql<UsageSums>`
    with today as materialized (
      select date_trunc('day', clock_timestamp() at time zone 'UTC') at time zone 'UTC' as begins
    ), asked as (
      select coalesce(person_id = ${personId}::uuid, false) as is_theirs, (coalesce(person_id = ${personId}::uuid, false) and is_trial) as is_trial,
        case when outcome = 'running' then 0 else coalesce(charged_micro_usd, cost_micro_usd, 0) end as spent,
        case when outcome = 'running' and reserved_until > clock_timestamp() then reserved_micro_usd else 0 end as reserved
        from llm_usage where workspace_id = current_workspace() and started_at >= (select begins from today)
    )
    select (select begins from today) + interval '1 day' as resets_at,
      coalesce(sum(spent), 0)::float8 as all_spent, coalesce(sum(reserved), 0)::float8 as all_reserved,
      coalesce(sum(spent) filter (where is_theirs), 0)::float8 as spent,
      coalesce(sum(reserved) filter (where is_theirs), 0)::float8 as reserved,
      coalesce(sum(spent) filter (where is_trial), 0)::float8 as trial_spent,
      coalesce(sum(reserved) filter (where is_trial), 0)::float8 as trial_reserved
      from asked`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('a query for sums has one row');
  const elsewhere = await sumElsewhere(db, personId);
  return {
    person: { spent: row.spent + elsewhere.spent, reserved: row.reserved + elsewhere.reserved },
    workspace: { spent: row.all_spent, reserved: row.all_reserved },
    trial: { spent: row.trial_spent + elsewhere.trial_spent, reserved: row.trial_reserved + elsewhere.trial_reserved },
    resetsAt: row.resets_at,
  };
}

type SumsElsewhere = Record<'spent' | 'reserved' | 'trial_spent' | 'trial_reserved', number>;

/** The same in the other workspaces of a person's identity. */
async function sumElsewhere(db: Db, personId: string | null): Promise<SumsElsewhere> {
  const identity = await findIdentityHash(db, personId);
  const nothing = { spent: 0, reserved: 0, trial_spent: 0, trial_reserved: 0 };
  if (identity === null) return nothing;
  const { rows } = await withIdentityHash(db, identity, () =>
    sql<SumsElsewhere>`
      with asked as (
        select is_trial, spent_micro_usd as spent,
          case when reserved_until > clock_timestamp() then reserved_micro_usd else 0 end as reserved
          from identity_spending
         where subject_hash = ${identity} and asked_in <> current_workspace()
           and asked_at >= date_trunc('day', clock_timestamp() at time zone 'UTC') at time zone 'UTC'
      )
      select coalesce(sum(spent), 0)::float8 as spent, coalesce(sum(reserved), 0)::float8 as reserved,
        coalesce(sum(spent) filter (where is_trial), 0)::float8 as trial_spent,
        coalesce(sum(reserved) filter (where is_trial), 0)::float8 as trial_reserved
        from asked`.execute(db),
  );
  return rows[0] ?? nothing;
}

type UsageSums = Record<
  'all_spent' | 'all_reserved' | 'spent' | 'reserved' | 'trial_spent' | 'trial_reserved',
  number
> & {
  resets_at: Date;
};

export type UsageFilter = {
  /** The person; everybody when absent. */
  personIds?: readonly string[] | undefined;
  since?: Date | undefined;
  until?: Date | undefined;
  tag?: LlmTag | undefined;
  provider?: ModelName['provider'] | undefined;
  model?: string | undefined;
};

/** Questions, newest first, and their total number. */
export async function listUsage(db: Db, filter: UsageFilter, page: { limit: number; offset: number }) {
  const chosen = withUsageFilter(db.selectFrom('llm_usage'), filter);
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

/** In UTC; written as text only once for each group. */
const day = sql`(started_at at time zone 'utc')::date`;

/** Sums for each day (UTC), tag and model: few rows, from which all other sums are computed. */
export async function sumUsage(db: Db, filter: UsageFilter, overdueBefore: Date): Promise<UsageSum[]> {
  return withUsageFilter(db.selectFrom('llm_usage'), filter)
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

function withUsageFilter(query: SelectQueryBuilder<Tables, 'llm_usage', object>, filter: UsageFilter) {
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
