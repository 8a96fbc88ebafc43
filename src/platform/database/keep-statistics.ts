// Analyses tables that grow faster than PostgreSQL's own daemon checks. Without statistics its planner expects few rows
// in a workspace, and reads all rows of the table.
import { createBackground } from '#platform/background';
import { sql, type Kysely } from 'kysely';
import { createKysely, createOwnerPool, type Connection } from './connect.ts';

const everyMs = 2_000;
/** Below this number of rows any plan is fast. */
const fewestRows = 1_000;
/** One process at a time does this. */
const lockKey = sql`hashtext('thalamus statistics')`;

type Log = { debug(details: object, message: string): void };

/** Looks every two seconds, until it is stopped, for tables that have doubled since they were analysed, and analyses them. */
export function keepStatistics(connection: Connection, log: Log): { stop(): Promise<void> } {
  const db = createKysely<unknown>(createOwnerPool(connection, 1));
  const look = async () => void (await analyseGrown(db));
  // Every error is temporary and only costs speed.
  const looking = createBackground(look, {
    everyMs,
    onError: (err) => log.debug({ err }, 'statistics could not be updated'),
  });
  looking.start();
  return {
    async stop() {
      await looking.stop();
      await db.destroy();
    },
  };
}

/** Analyses the tables that have doubled since they were analysed. Returns their names. */
export async function analyseGrown(db: Kysely<unknown>): Promise<string[]> {
  return db.transaction().execute(async (transaction) => {
    const { rows: locks } = await sql<{
      is_mine: boolean;
    }>`select pg_try_advisory_xact_lock(${lockKey}) as is_mine`.execute(transaction);
    if (!locks[0]?.is_mine) return [];
    const { rows } = await sql<{ name: string }>`
      select grown.relname as name from pg_stat_user_tables grown join pg_class on pg_class.oid = grown.relid
      where schemaname = current_schema() and n_mod_since_analyze > greatest(reltuples, ${fewestRows}::real)
    `.execute(transaction);
    for (const { name } of rows) await sql`analyze ${sql.id(name)}`.execute(transaction);
    return rows.map((row) => row.name);
  });
}
