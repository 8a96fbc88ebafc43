import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { countStems, passageStems, splitPassages } from './passages.ts';
import { createAnalyser } from './tokens.ts';

const analyse = createAnalyser();

test('a document of up to 64 stems is one passage', () => {
  expect(splitPassages(analyse('word '.repeat(64)))).toHaveLength(1);
  expect(splitPassages([])).toEqual([[]]);
});

test('a longer document has passages of nearly equal length and no single word is left over', () => {
  expect(splitPassages(analyse('word '.repeat(65))).map(countStems)).toEqual([33, 32]);
});

test('no word is lost, repeated or moved, and no passage of plain words is too long', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('alpha', 'beta', 'user_id', 'gamma')), (words) => {
      const tokens = analyse(words.join(' '));
      const passages = splitPassages(tokens);
      expect(passages.flat()).toEqual(tokens);
      expect(Math.max(...passages.map(countStems))).toBeLessThanOrEqual(passageStems);
    }),
  );
});
