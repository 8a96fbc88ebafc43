import { assert, property, string } from 'fast-check';
import { expect, test } from 'vitest';
import { splitIntoPieces } from './pieces.ts';

test('a short text is one piece, under its title', () => {
  expect(splitIntoPieces(null, ' We sail at dawn. ')).toEqual(['We sail at dawn.']);
  expect(splitIntoPieces('Plan', 'We sail at dawn.')).toEqual(['Plan\nWe sail at dawn.']);
});

test('a title alone is a piece, and an empty text has none', () => {
  expect(splitIntoPieces('Plan', '')).toEqual(['Plan']);
  expect(splitIntoPieces(null, ' \n ')).toEqual([]);
  expect(splitIntoPieces(' ', '')).toEqual([]);
});

test('a long text is cut between paragraphs if possible', () => {
  const paragraph = 'word '.repeat(250).trim();
  const pieces = splitIntoPieces('T', [paragraph, paragraph, paragraph].join('\n\n'));
  expect(pieces).toEqual([`T\n${paragraph}`, `T\n${paragraph}`, `T\n${paragraph}`]);
});

test('no piece is too long, no character is lost or cut, and the number of pieces is limited', () => {
  const text = string({ unit: 'grapheme', maxLength: 40 }).map((each) => `${each} `.repeat(200));
  assert(
    property(text, (body) => {
      const pieces = splitIntoPieces(null, body);
      expect(pieces.every((piece) => piece.length <= 2_000 && piece.isWellFormed())).toBe(true);
      expect(pieces.join('').replaceAll(/\s/g, '')).toBe(body.replaceAll(/\s/g, ''));
    }),
    { numRuns: 50 },
  );
  expect(splitIntoPieces(null, 'x'.repeat(400_000))).toHaveLength(32);
});
