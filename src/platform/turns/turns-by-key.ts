// Turns for work that strangers may ask for: nobody's queue is in front of anybody else's.
import { AppError } from '#kernel/errors';

type Limits = {
  /** How many works run at a time. */
  atOnce: number;
  /** How many works of one key run at a time; without it as many as of all keys. */
  atOnceEach?: number;
  /** How many works of one key wait; the next is refused. */
  waitingEach: number;
};

/** Enough for every client of a busy server; at this number the next new key is refused. */
const mostKeys = 2_000;
const retrySeconds = 5;

/**
 * Limits the number of works at a time, as `createTurns` does, and gives each key the next turn in a circle: a key with
 * hundreds of works delays another by one of them. Throws `rate_limited` when too many works of a key wait.
 */
export function createTurnsByKey({ atOnce, waitingEach, atOnceEach = atOnce }: Limits) {
  const queues = new Map<string, (() => void)[]>();
  const runningOf = new Map<string, number>();
  let running = 0;

  function count(key: string, change: 1 | -1): void {
    running += change;
    const own = (runningOf.get(key) ?? 0) + change;
    if (own) runningOf.set(key, own);
    else runningOf.delete(key);
  }

  function startNext(): void {
    if (running >= atOnce) return;
    const first = [...queues].find(([key]) => (runningOf.get(key) ?? 0) < atOnceEach);
    if (!first) return;
    const [key, [start, ...others]] = first;
    queues.delete(key);
    if (others.length) queues.set(key, others); // behind all other keys
    count(key, 1);
    start?.();
  }

  return async function inTurn<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const own = queues.get(key) ?? [];
    if (own.length >= waitingEach || (!own.length && queues.size >= mostKeys)) throw createTooManyWaitingError();
    const turn = Promise.withResolvers<void>();
    queues.set(key, [...own, turn.resolve]);
    startNext();
    await turn.promise;
    try {
      return await work();
    } finally {
      count(key, -1);
      startNext();
    }
  };
}

function createTooManyWaitingError(): AppError {
  return new AppError(
    'rate_limited',
    `Too many such requests wait already. Wait ${retrySeconds} s, and send them one after the other.`,
    { retry_after: retrySeconds },
  );
}
