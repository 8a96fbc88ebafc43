import { expect, test } from 'vitest';
import { findEarliestMoment, isBroken, isSameMoment } from './moments.ts';

const buildMoment = (snapshot: string, history = '7.00000001') => ({ history, snapshot });

test('the earliest of several moments is found, in any order', () => {
  const inTime = ['9:12:9,10,11', '10:12:10,11', '10:13:10,11,12', '10:13:10', '13:13:', '100:100:'].map((each) =>
    buildMoment(each),
  );
  for (let from = 0; from < inTime.length; from += 1) {
    expect(findEarliestMoment(inTime.slice(from))).toEqual(inTime[from]);
    expect(findEarliestMoment(inTime.slice(from).toReversed())).toEqual(inTime[from]);
  }
  expect(findEarliestMoment([])).toBeUndefined();
});

test('a moment cannot be compared with another history, nor with a time when ids went back', () => {
  const kept = buildMoment('10:12:10');
  expect(isBroken(kept, buildMoment('10:13:10'))).toBe(false);
  expect(isBroken(kept, buildMoment('10:13:10', '7.00000002'))).toBe(true);
  expect(isBroken(kept, buildMoment('10:11:'))).toBe(true);
  expect(isSameMoment(kept, buildMoment('10:12:10', '7.00000002'))).toBe(false);
  expect(isSameMoment(kept, buildMoment('10:12:10'))).toBe(true);
});
