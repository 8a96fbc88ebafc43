import { expect, test } from 'vitest';
import { earliestSnapshot } from './snapshots.ts';

test('the earliest of several snapshots is found, in any order', () => {
  const inTime = ['9:12:9,10,11', '10:12:10,11', '10:13:10,11,12', '10:13:10', '13:13:', '100:100:'];
  for (let from = 0; from < inTime.length; from += 1) {
    expect(earliestSnapshot(inTime.slice(from))).toBe(inTime[from]);
    expect(earliestSnapshot(inTime.slice(from).toReversed())).toBe(inTime[from]);
  }
  expect(earliestSnapshot([])).toBeUndefined();
});
