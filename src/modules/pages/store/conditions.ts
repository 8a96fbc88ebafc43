import { sql, type RawBuilder, type SelectQueryBuilder } from 'kysely';
import type { Condition, Operand } from '../where.ts';
import type { Tables } from './tables.ts';

/** A query over pages that is still being built. */
export type Query<Row> = SelectQueryBuilder<Tables, 'pages', Row>;

/** Narrows a query to pages whose frontmatter meets every condition. Names and values are bound, never spelled out. */
export function withConditions<Row>(query: Query<Row>, conditions: readonly Condition[]): Query<Row> {
  return conditions.reduce((narrowed, condition) => narrowed.where(buildConditionSql(condition)), query);
}

function buildConditionSql(condition: Condition): RawBuilder<boolean> {
  if (condition.kind === 'is_of_type') {
    const either = condition.meant.map(({ type, conditions }) => {
      const all = [sql<boolean>`pages.type = ${type}`, ...conditions.map(buildConditionSql)];
      return sql<boolean>`(${sql.join(all, sql` and `)})`;
    });
    return sql<boolean>`(${sql.join(either, sql` or `)})`;
  }
  const { field } = condition;
  switch (condition.kind) {
    case 'is_one_of': {
      const either = condition.values.map((value) => (value === null ? isAbsent(field) : buildEqualsSql(field, value)));
      return sql<boolean>`(${sql.join(either, sql` or `)})`;
    }
    case 'contains':
      return sql<boolean>`exists (
        select from jsonb_array_elements_text(
          case jsonb_typeof(pages.frontmatter -> ${field}) when 'array' then pages.frontmatter -> ${field}
            else jsonb_build_array(pages.frontmatter -> ${field}) end) as element
        where strpos(lower(element), lower(${condition.text})) > 0)`;
    case 'greater':
      return sql<boolean>`${buildComparableSql(field, condition.than)} > ${buildOperandSql(field, condition.than)}`;
    case 'less':
      return sql<boolean>`${buildComparableSql(field, condition.than)} < ${buildOperandSql(field, condition.than)}`;
  }
}

function isAbsent(field: string): RawBuilder<boolean> {
  return sql<boolean>`coalesce(pages.frontmatter -> ${field}, 'null') = 'null'`;
}

/** Equals the value, or is a list that contains it. Both forms can use the index on frontmatter. */
function buildEqualsSql(field: string, value: string | number | boolean): RawBuilder<boolean> {
  const contained = (part: unknown) => sql<boolean>`pages.frontmatter @> ${JSON.stringify({ [field]: part })}::jsonb`;
  return sql<boolean>`(${contained(value)} or ${contained([value])})`;
}

/**
 * The field in the type of the comparison; null, which fulfils no comparison, when it cannot be converted. A date
 * without a time is compared with the clock, as if it were UTC.
 */
function buildComparableSql(field: string, { as }: Operand): RawBuilder<unknown> {
  const text = sql`(pages.frontmatter ->> ${field})`;
  if (as === 'text') return sql`${text} collate "C"`;
  if (as === 'number') return sql`case when ${text} ~ '^-?\\d{1,30}(\\.\\d{1,30})?$' then ${text}::numeric end`;
  const isValid = sql`pg_input_is_valid(${text}, 'timestamptz')`;
  return sql`case
    when ${text} ~ '^\\d{4}-\\d{2}-\\d{2}([T ].*(Z|[+-]\\d{2}:?\\d{2}))$' and ${isValid} then ${text}::timestamptz
    when ${text} ~ '^\\d{4}-\\d{2}-\\d{2}' and ${isValid} then ${text}::timestamp at time zone 'UTC' end`;
}

function buildOperandSql(field: string, operand: Operand): RawBuilder<unknown> {
  if (operand.as === 'number') return sql`${operand.value}::numeric`;
  if (operand.as === 'text') return sql`${operand.value}`;
  const { moment, clock } = operand.value;
  return sql`(case when (pages.frontmatter ->> ${field}) ~ '^\\d{4}-\\d{2}-\\d{2}$' then ${clock}::timestamptz else ${moment}::timestamptz end)`;
}
