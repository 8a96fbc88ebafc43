import { expect, test } from 'vitest';
import { earliestMoment, isBroken, isSameMoment } from './moments.ts';

const momentOf = (snapshot: string, history = '7.00000001') => ({ history, snapshot });

test('the earliest of several moments is found, in any order', () => {
  const inTime = ['9:12:9,10,11', '10:12:10,11', '10:13:10,11,12', '10:13:10', '13:13:', '100:100:'].map((each) =>
    momentOf(each),
  );
  for (let from = 0; from < inTime.length; from += 1) {
    expect(earliestMoment(inTime.slice(from))).toEqual(inTime[from]);
    expect(earliestMoment(inTime.slice(from).toReversed())).toEqual(inTime[from]);
  }
  expect(earliestMoment([])).toBeUndefined();
});

test('a moment says nothing about another history, nor about a time when ids went back', () => {
  const kept = momentOf('10:12:10');
  expect(isBroken(kept, momentOf('10:13:10'))).toBe(false);
  expect(isBroken(kept, momentOf('10:13:10', '7.00000002'))).toBe(true);
  expect(isBroken(kept, momentOf('10:11:'))).toBe(true);
  expect(isSameMoment(kept, momentOf('10:12:10', '7.00000002'))).toBe(false);
  expect(isSameMoment(kept, momentOf('10:12:10'))).toBe(true);
});
