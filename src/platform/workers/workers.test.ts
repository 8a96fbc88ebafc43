import { expect, test } from 'vitest';
import { createWorker } from './index.ts';

const neverMs = 60_000;

test('a worker does as much at once as it has room for, and looks again as soon as a task ends', async () => {
  const due = ['a', 'b', 'c'];
  const done: string[] = [];
  let mostAtOnce = 0;
  await using worker = createWorker({
    everyMs: neverMs,
    finishWithinMs: neverMs,
    onError: () => {},
    async look(tasks) {
      while (tasks.count() < 2 && due.length) {
        const name = due.shift() ?? '';
        tasks.begin([name], async () => {
          await new Promise(setImmediate);
          done.push(name);
        });
        mostAtOnce = Math.max(mostAtOnce, tasks.count());
      }
    },
  });
  worker.start();
  await expect.poll(() => done.toSorted()).toEqual(['a', 'b', 'c']);
  expect(mostAtOnce).toBe(2);
});

test('a task counts in each of its groups until it ends, also when it fails', async () => {
  const errors: unknown[] = [];
  const counted: (number | undefined)[] = [];
  await using worker = createWorker({
    everyMs: neverMs,
    finishWithinMs: neverMs,
    onError: (error) => errors.push(error),
    async look(tasks) {
      counted.push(tasks.count('mail'), tasks.groups().get('ada'));
      if (counted.length > 2) return;
      tasks.begin(['mail', 'ada'], () => Promise.reject(new Error('refused')));
      tasks.begin(['mail'], () => Promise.resolve());
      counted.push(tasks.count('mail'), tasks.groups().get('ada'));
    },
  });
  worker.start();
  await expect.poll(() => counted.slice(0, 6)).toEqual([0, undefined, 2, 1, 0, undefined]);
  expect(errors).toEqual([new Error('refused')]);
});

test('a worker that stops waits for its tasks, aborts them in time, and begins none', async () => {
  const steps: string[] = [];
  const begun = Promise.withResolvers<void>();
  const worker = createWorker({
    everyMs: neverMs,
    finishWithinMs: 1,
    onError: () => {},
    async look(tasks) {
      steps.push('looked');
      tasks.begin([], async (ending) => {
        begun.resolve();
        await new Promise<void>((resolve) => ending.addEventListener('abort', () => resolve()));
        steps.push('ended');
      });
    },
  });
  worker.start();
  await begun.promise;
  await worker[Symbol.asyncDispose]();
  worker.wake();
  expect(steps).toEqual(['looked', 'ended']);
});

test('a task that fails or has nothing to do is not tried again before the next look', async () => {
  let looks = 0;
  const worker = createWorker({
    everyMs: neverMs,
    finishWithinMs: neverMs,
    onError: () => {},
    async look(tasks) {
      looks += 1;
      tasks.begin(['failing'], () => Promise.reject(new Error('refused')));
      tasks.begin(['idle'], () => Promise.resolve(false));
    },
  });
  worker.start();
  await expect.poll(() => looks).toBe(1);
  worker.wake(5);
  await expect.poll(() => looks).toBe(2);
  await worker[Symbol.asyncDispose]();
});

test('stopping waits no longer than its limit for a task that does not end', async () => {
  const worker = createWorker({
    everyMs: neverMs,
    finishWithinMs: 0,
    longestStopMs: 5,
    onError: () => {},
    look: async (tasks) => tasks.begin([], () => new Promise(() => {})),
  });
  worker.start();
  await expect(worker[Symbol.asyncDispose]()).resolves.toBeUndefined();
});
