import { expect, test } from 'vitest';
import { canBothMatch } from './pattern.ts';

test.for<[string, string, boolean]>([
  ['channel general', 'channel *', true],
  ['channel C123', 'channel *', true],
  ['issue *', 'channel *', false],
  ['*', 'channel *', true],
  ['channel general', 'channel', false],
  ['*general', 'channel *', true],
  ['* in Contracts', 'file * in *', true],
  ['file a', 'file * in *', false],
  ['item * on board Tasks', 'item *', true],
  ['item 7 on board Tasks', 'item * on board *', true],
  ['item 7', 'item * on board *', false],
  ['a*b', '*a*', true],
  ['a*b', 'b*', false],
  ['CHANNEL x', 'channel *', true],
  ['', '*', true],
  ['', 'a', false],
])('«%s» and «%s» have a text in common: %s', ([one, other, isSo]) => {
  expect(canBothMatch(one, other)).toBe(isSo);
  expect(canBothMatch(other, one)).toBe(isSo);
});
