// Keeps the turns of each thread in their order, so that a turn knows its neighbours.

/** A position in a thread. `previous` and `next` are kept by `joinThread` and `leaveThread`. */
export type Turn<T> = {
  readonly id: string;
  readonly position: number;
  previous: T | null;
  next: T | null;
};

/** Inserts a turn between its neighbours. `thread` is in order of position, then id. */
export function joinThread<T extends Turn<T>>(thread: T[], turn: T): void {
  const at = findTurnPosition(thread, turn);
  link(thread[at - 1] ?? null, turn);
  link(turn, thread[at] ?? null);
  thread.splice(at, 0, turn);
}

/** Removes a turn; its neighbours become each other's. */
export function leaveThread<T extends Turn<T>>(thread: T[], turn: T): void {
  const at = findTurnPosition(thread, turn);
  if (thread[at] !== turn) throw new Error('A turn can only leave the thread it is in.');
  thread.splice(at, 1);
  link(turn.previous, turn.next);
  turn.previous = null;
  turn.next = null;
}

function link<T extends Turn<T>>(earlier: T | null, later: T | null): void {
  if (earlier) earlier.next = later;
  if (later) later.previous = earlier;
}

/** The first position whose turn does not come before this one. */
function findTurnPosition<T extends Turn<T>>(thread: readonly T[], turn: T): number {
  let low = 0;
  let high = thread.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const other = thread[middle];
    if (other && isBefore(other, turn)) low = middle + 1;
    else high = middle;
  }
  return low;
}

function isBefore<T>(one: Turn<T>, other: Turn<T>): boolean {
  return one.position < other.position || (one.position === other.position && one.id < other.id);
}
