import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createTurns } from './index.ts';

test('no more calls than the limit run at a time, and they run in their order', async () => {
  const inTurn = createTurns(2);
  let running = 0;
  let most = 0;
  const begun: number[] = [];
  const work = (number: number) =>
    inTurn(async () => {
      begun.push(number);
      most = Math.max(most, (running += 1));
      await setTimeout(number % 3);
      running -= 1;
      return number;
    });
  const numbers = Array.from({ length: 20 }, (_, number) => number);
  expect(await Promise.all(numbers.map(work))).toEqual(numbers);
  expect(most).toBe(2);
  expect(begun).toEqual(numbers);
});

test('a failed task makes room for the next', async () => {
  const inTurn = createTurns(1);
  const failing = inTurn(async () => {
    throw new Error('no');
  });
  const next = inTurn(async () => 'done');
  await expect(failing).rejects.toThrow('no');
  expect(await next).toBe('done');
});

test('a call is refused when a hundred wait, and no other call is', async () => {
  const inTurn = createTurns(1);
  const first = Promise.withResolvers<void>();
  const all = Array.from({ length: 102 }, () => inTurn(() => first.promise));
  await expect(all.at(-1)).rejects.toMatchObject({ code: 'rate_limited' });
  expect(all).toHaveLength(102);
  all.forEach((each) => void each.catch(() => {}));
  first.resolve();
  await all[0];
});
