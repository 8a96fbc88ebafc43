import { expect, test } from 'vitest';
import { countTests, totalCounts } from '../scripts/test-run/counts.ts';

const step = { name: 'a step', command: ['true'] as const };

function result(hasPassed: boolean, tests?: { passed: number; failed: number }) {
  return { step, hasPassed, seconds: 0, output: '', tests };
}

test('tests are summed over the steps that have any', () => {
  const results = [result(true), result(true, { passed: 3, failed: 0 }), result(false, { passed: 4, failed: 2 })];
  expect(totalCounts(results)).toEqual({ passed: 7, failed: 2 });
});

test('a step that fails without a failed test is a failure of the run', () => {
  expect(totalCounts([result(false), result(false, { passed: 5, failed: 0 })])).toEqual({ passed: 5, failed: 2 });
});

test('without any test the steps are counted', () => {
  expect(totalCounts([result(true), result(true), result(false)])).toEqual({ passed: 2, failed: 1 });
});

test('a runner may say its numbers in a line of its own', () => {
  expect(countTests(undefined, 'noise\n12 passed, 1 failed\nnoise')).toEqual({ passed: 12, failed: 1 });
  expect(countTests(undefined, 'it said 12 passed, 1 failed')).toBeUndefined();
});
