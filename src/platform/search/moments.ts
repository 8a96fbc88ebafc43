// A moment of the database: a snapshot in Postgres's text form `xmin:xmax:running,running`, which shows the
// transactions that had ended (PostgreSQL manual, "Transaction ID and Snapshot Information Functions"), and the history
// that its ids belong to: a promoted standby, or another cluster, issues the same ids again.
import type { Pool } from 'pg';

export type SnapshotMoment = { readonly history: string; readonly snapshot: string };

/** The columns of a query that reads the moment. */
export const momentColumns = 'pg_current_snapshot()::text as snapshot, database_history() as history';

/** The current moment. A pool with `prepare: false` is behind a pooler without prepared statements. */
export async function readMoment(pool: Pool): Promise<SnapshotMoment> {
  const text = `select ${momentColumns}`;
  const mayPrepare = !('prepare' in pool.options && pool.options.prepare === false);
  const { rows } = await pool.query<SnapshotMoment>(mayPrepare ? { text, name: 'moment of now' } : text);
  return rows[0]!; // a query without a table returns one row
}

/** Whether nothing was committed between the two moments. */
export function isSameMoment(one: SnapshotMoment, other: SnapshotMoment): boolean {
  return one.history === other.history && one.snapshot === other.snapshot;
}

/** Whether data read at an earlier moment cannot be updated to now: another history, or ids that went back. */
export function isBroken(earlier: SnapshotMoment, now: SnapshotMoment): boolean {
  if (earlier.history !== now.history) return true;
  const [before, after] = [parseSnapshot(earlier.snapshot), parseSnapshot(now.snapshot)];
  return after.xmin < before.xmin || after.xmax < before.xmax;
}

/** The earliest moment of one history: it sees nothing that another does not see. */
export function findEarliestMoment(moments: readonly SnapshotMoment[]): SnapshotMoment | undefined {
  return moments.toSorted((one, other) => compareSnapshots(one.snapshot, other.snapshot))[0];
}

/** Both bounds only grow; while both stay the same, running transactions can only end. */
function compareSnapshots(one: string, other: string): number {
  const [a, b] = [parseSnapshot(one), parseSnapshot(other)];
  if (a.xmin !== b.xmin) return a.xmin < b.xmin ? -1 : 1;
  if (a.xmax !== b.xmax) return a.xmax < b.xmax ? -1 : 1;
  return b.running - a.running;
}

function parseSnapshot(snapshot: string): { xmin: bigint; xmax: bigint; running: number } {
  const [xmin = '0', xmax = '0', running = ''] = snapshot.split(':');
  return { xmin: BigInt(xmin), xmax: BigInt(xmax), running: running === '' ? 0 : running.split(',').length };
}
