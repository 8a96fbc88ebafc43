import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { fold } from './fold.ts';

/** The same result, computed with a lookbehind for every mark. */
function foldSlowly(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/(?<=[\p{Script=Latin}\p{Script=Greek}][\u0300-\u036f]*)[\u0300-\u036f]/gu, '')
    .normalize('NFC');
}

test('accents are removed only from Latin and Greek letters, in every text', () => {
  const piece = fc.constantFrom(...'aZé1 ά \u0301\u0316\u0345กא\u05b0ﬁ한가👍', 'ǖ', 'ä\u0323', '\ud83d');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
      const text = pieces.join('');
      expect(fold(text)).toBe(foldSlowly(text));
    }),
    { numRuns: 1_000 },
  );
});

test('of a letter with thousands of marks, thirty marks are kept, and the text after it stays', () => {
  expect(fold(`ש${'\u05b0'.repeat(5_000)} café`)).toBe(`ש${'\u05b0'.repeat(30)} cafe`);
});
