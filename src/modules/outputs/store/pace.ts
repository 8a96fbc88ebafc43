// The rate limit of each destination: in any 60 s, all server processes together send at most its limit.
import { sql, type RawBuilder } from 'kysely';

/**
 * A tenth of a minute's deliveries may be sent at once, and the others follow one by one. Both together never exceed
 * the limit in a minute.
 */
function computePace(mostPerMinute: number): { atOnce: number; secondsEach: number } {
  const atOnce = 1 + Math.floor((mostPerMinute - 1) / 10);
  return { atOnce, secondsEach: Math.ceil(60_000_000 / (mostPerMinute - atOnce + 1)) / 1_000_000 };
}

type PacedDestination = { id: string; workspace_id: string; max_per_minute: number };

/**
 * The SQL statement, in parentheses, that reserves deliveries to be sent now and returns how many are `granted`; no row
 * when none is wanted. `wanted`: the number, as SQL. `at`: the time, as SQL.
 */
export function buildTakePlacesSql(
  { id, workspace_id, max_per_minute }: PacedDestination,
  wanted: RawBuilder<number>,
  at: RawBuilder<Date>,
): RawBuilder<{ granted: number }> {
  const { atOnce, secondsEach } = computePace(max_per_minute);
  const each = sql`make_interval(secs => ${secondsEach})`;
  // The time is read once: the new row contains it, and the old row is compared with the new one.
  const earliest = sql`(excluded.next_at - excluded.granted * ${each})`;
  const from = sql`greatest(output_paces.next_at, ${earliest})`;
  const free = sql`floor(extract(epoch from ${earliest} - ${from}) / ${secondsEach}::numeric)::int + ${atOnce}::int`;
  const granted = sql`least(excluded.granted, greatest(0, ${free}))`;
  return sql`(
    insert into output_paces (destination_id, workspace_id, next_at, granted)
    select ${id}::uuid, ${workspace_id}::uuid, ${at} + (first - ${atOnce - 1}::int) * ${each}, first
      from (select least(${wanted}, ${atOnce})::int as first) asked where first > 0
    on conflict (destination_id) do update set granted = ${granted}, next_at = ${from} + ${granted} * ${each}
    returning granted)`;
}
