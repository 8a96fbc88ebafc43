// Turns for work that strangers can request: one key's queue never delays another key's.
import { AppError } from '#kernel/errors';

type Limits = {
  /** How many tasks run at a time. */
  atOnce: number;
  /** How many tasks of one key run at a time; by default as many as of all keys. */
  atOnceEach?: number;
  /** How many tasks of one key may wait; the next is refused. */
  waitingEach: number;
};

/** Enough keys for every client of a busy server; beyond it a new key is refused. */
const mostKeys = 2_000;
const retrySeconds = 5;

/**
 * Limits the number of concurrent tasks like `createTurns`, and gives turns to the keys in rotation: a key with
 * hundreds of tasks delays another key by only one. Throws `rate_limited` when too many tasks of a key wait.
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
    `Too many such requests are waiting. Wait ${retrySeconds} s, and send them one after another.`,
    { retry_after: retrySeconds },
  );
}
