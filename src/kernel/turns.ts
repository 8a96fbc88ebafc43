import { AppError } from './errors.ts';

/** How long the next work waits after one, as a share of the time that this one took. Others have the machine meanwhile. */
const restShare = 0.5;
const longestRestMs = 100;
/** Whoever comes when so many wait is told to come back. */
const mostWaiting = 100;

/**
 * Makes what runs at most so many works at a time, with a rest after each. The others wait, first come, first served.
 * Throws `rate_limited` when too many wait.
 */
export function createTurns(mostAtOnce: number): <Result>(work: () => Promise<Result>) => Promise<Result> {
  const waiting: (() => void)[] = [];
  let running = 0;

  function handOn(): void {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }

  return async (work) => {
    if (waiting.length >= mostWaiting) {
      throw new AppError('rate_limited', 'Too many such calls wait already. Send them one after the other.');
    }
    if (running < mostAtOnce) running += 1;
    else await new Promise<void>((resolve) => waiting.push(resolve)); // its turn is handed on, not given back
    const begun = performance.now();
    try {
      return await work();
    } finally {
      setTimeout(handOn, Math.min(longestRestMs, restShare * (performance.now() - begun)));
    }
  };
}
