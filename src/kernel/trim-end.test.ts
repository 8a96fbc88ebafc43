import { expect, test } from 'vitest';
import { trimLetters } from './trim-end.ts';

test('letters are removed only from the end of a text, however many there are', () => {
  expect(trimLetters('a/b//', '/')).toBe('a/b');
  expect(trimLetters('..., ', ' .,')).toBe('');
  expect(trimLetters('none', '/')).toBe('none');
  expect(trimLetters(`${'/'.repeat(500_000)}x`, '/')).toHaveLength(500_001);
});
