import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createGate } from './gate.ts';

test('no more run at a time than there are places, and all of them run', async () => {
  const gate = createGate(5);
  let inside = 0;
  let most = 0;
  const work = async (number: number) => {
    inside += 1;
    most = Math.max(most, inside);
    await sleep(number % 3);
    inside -= 1;
    if (number % 7 === 0) throw new Error('it failed');
    return number;
  };
  const settled = await Promise.allSettled(Array.from({ length: 60 }, (_, number) => gate.pass(() => work(number))));
  expect(most).toBe(5);
  expect(settled.filter((each) => each.status === 'fulfilled')).toHaveLength(51);
  expect(gate.isEmpty()).toBe(true);
});
