// The clock of the database. Server processes share it, while their own clocks may differ. Times that one process
// writes and another compares, such as the end of a lease, use this clock.
import type { Db } from '#kernel/database';
import { sql, type RawBuilder } from 'kysely';

/** The present time, not the start of the transaction. */
export async function readDatabaseTime(db: Db): Promise<Date> {
  const { rows } = await sql<{ at: Date }>`select clock_timestamp() as at`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('a query for the time returns one row');
  return row.at;
}

/** The moment this long from now, for a column. */
export function computeTimeFromNow(ms = 0): RawBuilder<Date> {
  return sql<Date>`clock_timestamp() + make_interval(secs => ${ms / 1000})`;
}
