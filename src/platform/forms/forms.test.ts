import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isFormType, parseForm, readForm } from './index.ts';

test('every form has the fields that the URL Standard requires', () => {
  const piece = fc.constantFrom(...'abé=&+% ;?#\ud83d', '%41', '%4', '%zz', '%c3%a9', '%ff', '%E2%82', '👍', '%00');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 16 }), (pieces) => {
      const form = `a${pieces.join('')}`; // a leading ? is dropped by URLSearchParams alone
      // Node reads other letters beside a wrong percent code as other ones, so they are written as codes for it.
      const coded = form.toWellFormed().replaceAll(/\P{ASCII}/gu, encodeURIComponent);
      expect(parseForm(form)).toEqual([...new URLSearchParams(coded)]);
    }),
    { numRuns: 2_000 },
  );
});

test('a form with too many fields is refused, or read up to the limit', () => {
  const form = Array.from({ length: 1_001 }, (_, at) => `f${at}=1`).join('&');
  expect(() => parseForm(form)).toThrow(expect.objectContaining({ code: 'invalid_input' }));
  expect(parseForm(`${form}&&&`, 1_001)).toHaveLength(1_001);
  const { fields, isWhole } = readForm(form, 3);
  expect([fields, isWhole]).toEqual([
    [
      ['f0', '1'],
      ['f1', '1'],
      ['f2', '1'],
    ],
    false,
  ]);
});

test('a form is known by its type', () => {
  expect(isFormType('application/x-www-form-urlencoded; charset=utf-8')).toBe(true);
  expect(isFormType('Application/X-WWW-Form-URLEncoded')).toBe(true);
  for (const other of ['application/x-www-form-urlencodedly', 'application/json', '', null, undefined])
    expect(isFormType(other)).toBe(false);
});
