import { expect, test } from 'vitest';
import { trimEndOf } from './trim-end.ts';

test('letters are taken from the end of a text alone, however many there are', () => {
  expect(trimEndOf('a/b//', '/')).toBe('a/b');
  expect(trimEndOf('..., ', ' .,')).toBe('');
  expect(trimEndOf('none', '/')).toBe('none');
  expect(trimEndOf(`${'/'.repeat(500_000)}x`, '/')).toHaveLength(500_001);
});
