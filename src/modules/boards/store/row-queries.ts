// Rows of a dataset by conditions, in an order, page by page, and in groups.
import { buildFieldConditionSql, type FieldCondition } from '#modules/pages';
import { sql, type RawBuilder } from 'kysely';
import { shownId } from './rows.ts';
import type { DatasetLocation, Db } from './tables.ts';

export type SortKey = { field: string; order: 'asc' | 'desc' };
/** The last row of a page: its id, and what it was sorted by. */
export type RowPosition = { id: string; values: readonly unknown[] };
export type RowFilter = DatasetLocation & { conditions: readonly FieldCondition[] };
export type GroupFigures = Readonly<Record<'by' | 'sum' | 'avg' | 'min' | 'max', readonly string[]>>;
export type RowGroup = { by: Record<string, unknown>; count: number } & Partial<
  Record<'sum' | 'avg' | 'min' | 'max', Record<string, unknown>>
>;

type QueriedRow = {
  id: string;
  row_id: string;
  fields: Record<string, unknown>;
  version: number;
  sort_values: unknown[];
};

/** Texts are sorted and grouped by their beginning, so that a position is short. */
const comparedCharacters = 200;

export async function selectRows(
  db: Db,
  filter: RowFilter,
  { sort, after, limit }: { sort: readonly SortKey[]; after: RowPosition | null; limit: number },
): Promise<QueriedRow[]> {
  const keys = sort.map(({ field }) => buildSortValue(field));
  const order = sort.map(({ order }, at) => sql`${keys[at]} ${sql.raw(order)} nulls last`);
  const { rows } = await sql<QueriedRow>`
    select id, ${shownId} as row_id, fields, version, jsonb_build_array(${sql.join(keys)}) as sort_values
      from board_rows where ${buildFilter(filter)} and ${after ? buildIsAfter(sort, after) : sql`true`}
     order by ${sql.join([...order, sql`id`])} limit ${limit}
  `.execute(db);
  return rows;
}

export async function countFilteredRows(db: Db, filter: RowFilter): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from board_rows where ${buildFilter(filter)}`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Groups of equal values, the largest first, with figures of their rows. */
export async function groupRows(
  db: Db,
  filter: RowFilter,
  { by, sum, avg, min, max }: GroupFigures,
  limit: number,
): Promise<RowGroup[]> {
  const figures = {
    ...(sum.length && { sum: buildObject(sum, (field) => sql`sum(${buildNumber(field)})`) }),
    ...(avg.length && { avg: buildObject(avg, (field) => sql`round(avg(${buildNumber(field)}), 10)`) }),
    ...(min.length && { min: buildObject(min, (field) => buildExtreme('min', field)) }),
    ...(max.length && { max: buildObject(max, (field) => buildExtreme('max', field)) }),
  };
  const selected = Object.entries(figures).map(([name, value]) => sql`, ${value} as ${sql.ref(name)}`);
  const { rows } = await sql<RowGroup>`
    select ${by.length ? sql`shared_values` : sql`'{}'::jsonb`} as by, count(*)::integer as count ${sql.join(selected, sql``)}
      from (select id, row_key, fields, ${buildObject(by, buildSortValue)} as shared_values
              from board_rows where ${buildFilter(filter)}) as fitting
     ${by.length ? sql`group by shared_values` : sql``}
     order by 2 desc, 1 limit ${limit}
  `.execute(db);
  return rows;
}

function buildFilter({ boardId, dataset, conditions }: RowFilter): RawBuilder<boolean> {
  const all = conditions.map((condition) => buildFieldConditionSql(condition, selectFields(condition.field)));
  return sql<boolean>`${sql.join([sql`board_id = ${boardId} and dataset = ${dataset} and deleted_at is null`, ...all], sql` and `)}`;
}

/** The fields of a row; its id is one where it is asked for. */
function selectFields(field: string): RawBuilder<unknown> {
  return field === 'row_id' ? sql`jsonb_build_object('row_id', ${shownId})` : sql`fields`;
}

function buildSortValue(field: string): RawBuilder<unknown> {
  const value = sql`(${selectFields(field)} -> ${field})`;
  return sql`(case jsonb_typeof(${value}) when 'null' then null when 'number' then ${value} when 'boolean' then ${value}
    else to_jsonb(left(${value} #>> '{}', ${sql.lit(comparedCharacters)})) end)`;
}

/** Whether a row comes after a position. Rows without a value come last, whatever the order. */
function buildIsAfter(sort: readonly SortKey[], { id, values }: RowPosition): RawBuilder<boolean> {
  const equal: RawBuilder<unknown>[] = [];
  const either: RawBuilder<unknown>[] = [];
  for (const [at, { field, order }] of sort.entries()) {
    const own = buildSortValue(field);
    const value = values[at] ?? null;
    const last = sql`${JSON.stringify(value)}::jsonb`;
    if (value !== null) {
      const isBehind = sql`(${own} ${sql.raw(order === 'asc' ? '>' : '<')} ${last} or ${own} is null)`;
      either.push(sql.join([...equal, isBehind], sql` and `));
    }
    equal.push(value === null ? sql`${own} is null` : sql`${own} = ${last}`);
  }
  either.push(sql.join([...equal, sql`id > ${id}::uuid`], sql` and `));
  return sql<boolean>`((${sql.join(either, sql`) or (`)}))`;
}

function buildObject(fields: readonly string[], build: (field: string) => RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`jsonb_build_object(${sql.join(fields.flatMap((field) => [sql`${field}::text`, build(field)]))})`;
}

/** The field as a number; null, which no figure counts, for all else. Numbers that are written as texts are numbers. */
function buildNumber(field: string): RawBuilder<unknown> {
  const value = sql`(${selectFields(field)} -> ${field})`;
  const text = sql`(${value} #>> '{}')`;
  return sql`(case when jsonb_typeof(${value}) = 'number' or ${text} ~ '^-?\\d{1,30}(\\.\\d{1,30})?$' then ${text}::numeric end)`;
}

/** Of numbers where there are any, else of texts, such as dates. */
function buildExtreme(name: 'min' | 'max', field: string): RawBuilder<unknown> {
  const number = buildNumber(field);
  const text = sql`left(${selectFields(field)} ->> ${field}, ${sql.lit(comparedCharacters)})`;
  const extreme = sql.raw(name);
  return sql`(case when count(${number}) > 0 then to_jsonb(${extreme}(${number})) else to_jsonb(${extreme}(${text} collate "C")) end)`;
}
