import { expect, test } from 'vitest';
import { createBackground } from './index.ts';

test('rounds follow each other, one at a time, and a failed round does not stop the next', async () => {
  const reportedErrors: unknown[] = [];
  let [rounds, running, mostRunning] = [0, 0, 0];
  const options = { everyMs: 1, onError: (error: unknown) => void reportedErrors.push(error) };
  await using work = createBackground(async () => {
    mostRunning = Math.max(mostRunning, (running += 1));
    await new Promise(setImmediate);
    running -= 1;
    if ((rounds += 1) === 2) throw new Error('the second');
  }, options);
  expect(rounds).toBe(0);
  work.start();
  await expect.poll(() => rounds).toBeGreaterThan(4);
  expect(mostRunning).toBe(1);
  expect(reportedErrors).toEqual([new Error('the second')]);
});

test('stopping ends the pause at once, waits for the current round, and no round follows', async () => {
  const steps: string[] = [];
  const begun = Promise.withResolvers<void>();
  const work = createBackground(
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

test('work for each workspace continues in the others when one fails', async () => {
  const [done, reportedErrors]: [string[], unknown[]] = [[], []];
  await using work = createBackground(
    {
      workspaces: async () => ['one', 'two', 'three'],
      async perWorkspace(workspaceId) {
        if (workspaceId === 'two') throw new Error('the second');
        done.push(workspaceId);
      },
    },
    { everyMs: 60_000, onError: (error, workspaceId) => reportedErrors.push([error, workspaceId]) },
  );
  work.start();
  await expect.poll(() => done).toEqual(['one', 'three']);
  expect(reportedErrors).toEqual([[new Error('the second'), 'two']]);
});

test('waking ends the pause, also when it comes during a round', async () => {
  let rounds = 0;
  const blocked = Promise.withResolvers<void>();
  await using work = createBackground(
    async () => {
      rounds += 1;
      if (rounds === 2) await blocked.promise;
    },
    { everyMs: 60_000, onError: () => {} },
  );
  work.start();
  await expect.poll(() => rounds).toBe(1);
  work.wake(1);
  await expect.poll(() => rounds).toBe(2);
  work.wake(1);
  blocked.resolve();
  await expect.poll(() => rounds).toBe(3);
});

test('waking soon comes before waking later, whichever was asked for first', async () => {
  let rounds = 0;
  await using work = createBackground(async () => void (rounds += 1), { everyMs: 60_000, onError: () => {} });
  work.start();
  await expect.poll(() => rounds).toBe(1);
  work.wake(30_000);
  work.wake(1);
  work.wake(30_000);
  await expect.poll(() => rounds).toBe(2);
});

test('stopping waits no longer than its limit', async () => {
  const begun = Promise.withResolvers<void>();
  const never = new Promise<void>(() => {});
  const work = createBackground(
    () => {
      begun.resolve();
      return never;
    },
    { everyMs: 1, longestStopMs: 1, onError: () => {} },
  );
  work.start();
  await begun.promise;
  await work.stop();
});
