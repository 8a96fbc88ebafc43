// Conditions on the fields of a column of jsonb, in SQL.
import { sql, type RawBuilder } from 'kysely';
import type { FieldCondition, Operand } from '../where.ts';

/** Whether the fields meet a condition. Names and values are bound, never spelled out. */
export function buildFieldConditionSql(condition: FieldCondition, fields: RawBuilder<unknown>): RawBuilder<boolean> {
  const { field } = condition;
  switch (condition.kind) {
    case 'is_one_of': {
      const either = condition.values.map((value) =>
        value === null ? isAbsent(field, fields) : buildEqualsSql(field, value, fields),
      );
      return sql<boolean>`(${sql.join(either, sql` or `)})`;
    }
    case 'contains':
      return sql<boolean>`exists (
        select from jsonb_array_elements_text(
          case jsonb_typeof(${fields} -> ${field}) when 'array' then ${fields} -> ${field}
            else jsonb_build_array(${fields} -> ${field}) end) as element
        where strpos(lower(element), lower(${condition.text})) > 0)`;
    case 'greater':
      return sql<boolean>`${buildComparableSql(field, condition.than, fields)} > ${buildOperandSql(field, condition.than, fields)}`;
    case 'less':
      return sql<boolean>`${buildComparableSql(field, condition.than, fields)} < ${buildOperandSql(field, condition.than, fields)}`;
  }
}

function isAbsent(field: string, fields: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`coalesce(${fields} -> ${field}, 'null') = 'null'`;
}

/** Equals the value, or is a list that contains it. Both forms can use an index on the column. */
function buildEqualsSql(
  field: string,
  value: string | number | boolean,
  fields: RawBuilder<unknown>,
): RawBuilder<boolean> {
  const contained = (part: unknown) => sql<boolean>`${fields} @> ${JSON.stringify({ [field]: part })}::jsonb`;
  return sql<boolean>`(${contained(value)} or ${contained([value])})`;
}

/**
 * The field in the type of the comparison; null, which fulfils no comparison, when it cannot be converted. A date
 * without a time is compared with the clock, as if it were UTC.
 */
function buildComparableSql(field: string, { as }: Operand, fields: RawBuilder<unknown>): RawBuilder<unknown> {
  const text = sql`(${fields} ->> ${field})`;
  if (as === 'text') return sql`${text} collate "C"`;
  if (as === 'number') return sql`case when ${text} ~ '^-?\\d{1,30}(\\.\\d{1,30})?$' then ${text}::numeric end`;
  const isValid = sql`pg_input_is_valid(${text}, 'timestamptz')`;
  return sql`case
    when ${text} ~ '^\\d{4}-\\d{2}-\\d{2}([T ].*(Z|[+-]\\d{2}:?\\d{2}))$' and ${isValid} then ${text}::timestamptz
    when ${text} ~ '^\\d{4}-\\d{2}-\\d{2}' and ${isValid} then ${text}::timestamp at time zone 'UTC' end`;
}

function buildOperandSql(field: string, operand: Operand, fields: RawBuilder<unknown>): RawBuilder<unknown> {
  if (operand.as === 'number') return sql`${operand.value}::numeric`;
  if (operand.as === 'text') return sql`${operand.value}`;
  const { moment, clock } = operand.value;
  return sql`(case when (${fields} ->> ${field}) ~ '^\\d{4}-\\d{2}-\\d{2}$' then ${clock}::timestamptz else ${moment}::timestamptz end)`;
}
