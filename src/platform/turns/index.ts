// Works that take turns, because each is heavy and others need the machine as well.
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '#kernel/errors';
import PQueue from 'p-queue';

export { createTurnsByKey } from './turns-by-key.ts';

/** The pause before the next work, as a share of the time of the last one. Others have the machine during the pause. */
const restShare = 0.5;
const longestRestMs = 100;
/** A call that comes while so many wait is refused. */
const mostWaiting = 100;
const retrySeconds = 5;

type Work<Result> = () => Promise<Result>;

/**
 * Limits the number of works at a time, with a pause after each. The others wait, first come, first served. Throws
 * `rate_limited` when too many wait.
 */
export function createTurns(mostAtOnce: number): <Result>(work: Work<Result>) => Promise<Result> {
  const queue = new PQueue({ concurrency: mostAtOnce });
  return async <Result>(work: Work<Result>) => {
    if (queue.size >= mostWaiting) {
      throw new AppError('rate_limited', 'Too many such calls wait already. Send them one after the other.', {
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

/** The same for works of many names, each with turns of its own. */
export function createNamedTurns() {
  const turns = new Map<string, ReturnType<typeof createTurns>>();
  return function inTurn<Result>(name: string, mostAtOnce: number, work: Work<Result>): Promise<Result> {
    const turn = turns.get(name) ?? createTurns(mostAtOnce);
    turns.set(name, turn);
    return turn(work);
  };
}
