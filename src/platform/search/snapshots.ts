// A snapshot of the database in Postgres's text form, `xmin:xmax:running,running`: it shows which transactions had
// ended when it was taken (PostgreSQL manual, "Transaction ID and Snapshot Information Functions").

/** The earliest one, which sees nothing that another does not see. */
export function earliestSnapshot(snapshots: readonly string[]): string | undefined {
  return snapshots.toSorted(comparedByTime)[0];
}

/** Both bounds only ever grow, and while both stay the same running transactions can only end. */
function comparedByTime(one: string, other: string): number {
  const [a, b] = [partsOf(one), partsOf(other)];
  if (a.xmin !== b.xmin) return a.xmin < b.xmin ? -1 : 1;
  if (a.xmax !== b.xmax) return a.xmax < b.xmax ? -1 : 1;
  return b.running - a.running;
}

function partsOf(snapshot: string): { xmin: bigint; xmax: bigint; running: number } {
  const [xmin = '0', xmax = '0', running = ''] = snapshot.split(':');
  return { xmin: BigInt(xmin), xmax: BigInt(xmax), running: running === '' ? 0 : running.split(',').length };
}
