import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createSharedRun } from './shared-run.ts';

test('every call gets a run that began after the call, calls share runs, and runs never overlap', async () => {
  const begun: number[] = [];
  let clock = 0;
  let active = 0;
  const shared = createSharedRun(async () => {
    begun.push(++clock);
    active += 1;
    expect(active).toBe(1);
    await sleep(1);
    active -= 1;
  });
  const calls = Array.from({ length: 100 }, async (_, at) => {
    await sleep(at % 10);
    const called = ++clock;
    await shared();
    expect(begun.some((began) => began > called)).toBe(true);
  });
  await Promise.all(calls);
  expect(begun.length).toBeLessThan(60);
});

test('a run that fails fails its callers only', async () => {
  let runs = 0;
  const shared = createSharedRun(async () => {
    runs += 1;
    if (runs === 1) throw new Error('first');
  });
  const results = await Promise.allSettled([shared(), shared(), shared()]);
  expect(results.map((result) => result.status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
  expect(runs).toBe(2);
});
