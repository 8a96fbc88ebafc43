import { expect, test } from 'vitest';
import { askOutside, repeatWithAnswers } from './index.ts';

const createLateError = () => new Error('late');

test('a transaction that needs a slow answer is rolled back, and repeated once the answer has arrived', async () => {
  const answer = Promise.withResolvers<string>();
  let [runs, open, asked] = [0, 0, 0];
  const ask = () => {
    asked += 1;
    return answer.promise;
  };
  const result = repeatWithAnswers(async () => {
    runs += 1;
    open += 1;
    try {
      return await askOutside('question', ask, createLateError);
    } finally {
      open -= 1;
    }
  });
  await expect.poll(() => [runs, open], { interval: 5 }).toEqual([1, 0]);
  answer.resolve('here');
  expect(await result).toBe('here');
  expect([runs, asked]).toEqual([2, 1]);
});

test('a quick answer repeats nothing, and an answer that fails fails the transaction', async () => {
  let runs = 0;
  const work = (ask: () => Promise<string>) =>
    repeatWithAnswers(() => {
      runs += 1;
      return askOutside('question', ask, createLateError);
    });
  expect(await work(async () => 'here')).toBe('here');
  await expect(work(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(runs).toBe(2);
});
