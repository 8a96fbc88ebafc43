import { sql, type RawBuilder } from 'kysely';
import type { ClockTime, Period } from '../clock-time.ts';

/** Whether a page happened, or was still going on, within the period. */
export function isWithin({ since, until }: Period): RawBuilder<boolean> {
  const conditions = [sql<boolean>`true`];
  if (since)
    conditions.push(
      ...buildTimeConditions(
        since,
        (time) => sql`(pages.occurred_at >= ${time} or pages.ends_at > ${time})`,
        'earlier',
      ),
    );
  if (until) conditions.push(...buildTimeConditions(until, (time) => sql`pages.occurred_at < ${time}`, 'later'));
  return sql<boolean>`(${sql.join(conditions, sql` and `)})`;
}

/**
 * First a bound that an index can use, then the exact one: which of the two times counts is known only for each page.
 */
function buildTimeConditions(
  { moment, clock }: ClockTime,
  isWithin: (time: RawBuilder<unknown>) => RawBuilder<boolean>,
  widest: 'earlier' | 'later',
): RawBuilder<boolean>[] {
  const bound = widest === 'earlier' ? Math.min(+moment, +clock) : Math.max(+moment, +clock);
  const rough = isWithin(sql`${new Date(bound)}::timestamptz`);
  if (+moment === +clock) return [rough];
  return [
    rough,
    isWithin(sql`(case when pages.days is null then ${moment}::timestamptz else ${clock}::timestamptz end)`),
  ];
}
