// The clock of the database. Server processes share it, while their own may differ: what one of them writes and another compares with,
// such as the end of a lease, goes by this one.
import type { Db } from '#kernel/database';
import { sql, type RawBuilder } from 'kysely';

/** What time it is, however long the transaction has run. */
export async function databaseTime(db: Db): Promise<Date> {
  const { rows } = await sql<{ at: Date }>`select clock_timestamp() as at`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('a query for the time has one row');
  return row.at;
}

/** The moment so long from now, for a column. */
export function fromNow(ms = 0): RawBuilder<Date> {
  return sql<Date>`clock_timestamp() + make_interval(secs => ${ms / 1000})`;
}
