import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createWordTable } from './word-table.ts';

test('a word is found anywhere in a text, and no other word is', () => {
  const table = createWordTable<number>();
  table.add('user', 1);
  table.add('users', 2);
  expect(table.find('the users', 4, 9)).toBe(2);
  expect(table.find('the users', 4, 8)).toBe(1);
  expect(table.find('the users', 0, 3)).toBeUndefined();
});

test('the table has the same content as a map of the same words', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.string(), { maxLength: 3_000, size: 'max' }), (words) => {
      const table = createWordTable<string | null>();
      for (const word of words) table.add(word, word === '' ? null : word);
      expect(table.size).toBe(words.length);
      for (const word of words) expect(table.find(`<${word}>`, 1, 1 + word.length)).toBe(word === '' ? null : word);
    }),
    { numRuns: 20 },
  );
});
