import { expect, test } from 'vitest';
import { background } from './index.ts';

test('rounds follow each other, one at a time, and one that fails keeps the next from nothing', async () => {
  const told: unknown[] = [];
  let [rounds, running, mostRunning] = [0, 0, 0];
  const options = { everyMs: 1, onError: (error: unknown) => void told.push(error) };
  await using work = background(async () => {
    mostRunning = Math.max(mostRunning, (running += 1));
    await new Promise(setImmediate);
    running -= 1;
    if ((rounds += 1) === 2) throw new Error('the second');
  }, options);
  expect(rounds).toBe(0);
  work.start();
  await expect.poll(() => rounds).toBeGreaterThan(4);
  expect(mostRunning).toBe(1);
  expect(told).toEqual([new Error('the second')]);
});

test('stopping ends the pause at once, waits for the round under way, and no round comes after', async () => {
  const steps: string[] = [];
  const begun = Promise.withResolvers<void>();
  const work = background(
    async (stopped) => {
      steps.push('begun');
      begun.resolve();
      await new Promise<void>((resolve) => stopped.addEventListener('abort', () => resolve()));
      steps.push('ended');
      return 60_000;
    },
    { everyMs: 60_000, onError: () => {} },
  );
  work.start();
  await begun.promise;
  await work.stop();
  expect(steps).toEqual(['begun', 'ended']);
});
