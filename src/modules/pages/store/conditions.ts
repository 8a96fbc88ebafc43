import { sql, type RawBuilder, type SelectQueryBuilder } from 'kysely';
import type { Condition } from '../where.ts';
import { buildFieldConditionSql } from './field-conditions.ts';
import type { Tables } from './tables.ts';

/** A query over pages that is still being built. */
export type Query<Row> = SelectQueryBuilder<Tables, 'pages', Row>;

/** Restricts a query to pages whose frontmatter meets every condition. */
export function withConditions<Row>(query: Query<Row>, conditions: readonly Condition[]): Query<Row> {
  return conditions.reduce((narrowed, condition) => narrowed.where(buildConditionSql(condition)), query);
}

function buildConditionSql(condition: Condition): RawBuilder<boolean> {
  if (condition.kind !== 'is_of_type') return buildFieldConditionSql(condition, sql`pages.frontmatter`);
  const either = condition.meant.map(({ type, conditions }) => {
    const all = [sql<boolean>`pages.type = ${type}`, ...conditions.map(buildConditionSql)];
    return sql<boolean>`(${sql.join(all, sql` and `)})`;
  });
  return sql<boolean>`(${sql.join(either, sql` or `)})`;
}
