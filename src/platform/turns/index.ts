// Tasks that take turns, because each is heavy and others need the machine, too.
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '#kernel/errors';
import PQueue from 'p-queue';

export { createTurnsByKey } from './turns-by-key.ts';

/** The pause before the next task, as a share of the last task's time. Others can use the machine during the pause. */
const restShare = 0.5;
const longestRestMs = 100;
/** A call that comes while this many wait is refused. */
const mostWaiting = 100;
const retrySeconds = 5;

type Work<Result> = () => Promise<Result>;

/**
 * Limits the number of concurrent tasks, with a pause after each. The others wait, first come, first served. Throws
 * `rate_limited` when too many wait.
 */
export function createTurns(mostAtOnce: number): <Result>(work: Work<Result>) => Promise<Result> {
  const queue = new PQueue({ concurrency: mostAtOnce });
  return async <Result>(work: Work<Result>) => {
    if (queue.size >= mostWaiting) {
      throw new AppError('rate_limited', 'Too many such calls are waiting. Send them one after another.', {
        retry_after: retrySeconds,
      });
    }
    const answer = Promise.withResolvers<Result>();
    void queue.add(async () => {
      const begun = performance.now();
      await work().then(answer.resolve, answer.reject);
      await sleep(Math.min(longestRestMs, restShare * (performance.now() - begun)));
    });
    return answer.promise;
  };
}

/** The same for tasks of many names, each with its own turns. */
export function createNamedTurns() {
  const turns = new Map<string, ReturnType<typeof createTurns>>();
  return function inTurn<Result>(name: string, mostAtOnce: number, work: Work<Result>): Promise<Result> {
    const turn = turns.get(name) ?? createTurns(mostAtOnce);
    turns.set(name, turn);
    return turn(work);
  };
}
