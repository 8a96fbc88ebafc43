// Takes charge of a running PostgreSQL. A session-level advisory lock shows which process is in charge: the server
// releases the lock however that process ends.
import { Client } from 'pg';
import { hasCode } from './error-code.ts';

/** The address of a server. */
export type Socket = { dir: string; port: number };

/**
 * The result of a claim: `lock` is the connection that keeps the lock until it ends, `holder` the process that already
 * has the lock.
 */
export type Claim = { state: 'ours'; lock: Client } | { state: 'taken'; holder: string } | { state: 'not_ready' };

// Acquired in the maintenance database, so that it cannot collide with the product's own locks.
const lockKey = 4_747_180_401;
const inCharge = 'thalamus in charge, process ';

/** Connects and tries to take the lock; also creates the database `thalamus` in a new cluster. */
export async function claim(socket: Socket): Promise<Claim> {
  const lock = new Client({
    host: socket.dir,
    port: socket.port,
    user: 'thalamus',
    database: 'postgres',
    // Set explicitly because PGSSLMODE, meant for other databases, would otherwise apply.
    ssl: false,
    application_name: `${inCharge}${process.pid}`,
    connectionTimeoutMillis: 5_000,
  });
  // Without a listener, a broken connection would end this process; `end` reports its end.
  lock.on('error', () => undefined);
  try {
    await lock.connect();
    const holder = await takeLock(lock);
    if (holder === undefined) {
      await ensureDatabase(lock);
      return { state: 'ours', lock };
    }
    await lock.end();
    return { state: 'taken', holder };
  } catch (error) {
    await lock.end().catch(() => undefined);
    if (isNotReady(error)) return { state: 'not_ready' };
    throw error;
  }
}

/** Returns the process that already has the lock, or undefined when this process took it. */
async function takeLock(lock: Client): Promise<string | undefined> {
  const { rows } = await lock.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [lockKey]);
  if (rows[0]?.taken) return undefined;
  const holders = await lock.query<{ application_name: string }>(
    `select application_name from pg_locks join pg_stat_activity using (pid)
     where locktype = 'advisory' and granted and (classid::bigint << 32 | objid::bigint) = $1`,
    [lockKey],
  );
  return holders.rows[0]?.application_name.replace(inCharge, '') ?? 'unknown';
}

async function ensureDatabase(lock: Client): Promise<void> {
  const { rowCount } = await lock.query(`select 1 from pg_database where datname = 'thalamus'`);
  if (rowCount === 0) await lock.query('create database thalamus template template0 strategy file_copy');
}

function isNotReady(error: unknown): boolean {
  // 57P03 is cannot_connect_now: starting, recovering or stopping. A full server (53300) has room again later.
  if (hasCode(error, 'ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', '57P01', '57P02', '57P03', '53300')) return true;
  return error instanceof Error && /terminated unexpectedly|timeout/.test(error.message);
}
