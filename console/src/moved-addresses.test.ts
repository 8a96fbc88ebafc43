import { expect, test } from 'vitest';
import { movedTo } from './moved-addresses.ts';

test('a former address leads to the page that has its place', () => {
  expect(movedTo('/keys')).toBe('/agents');
  expect(movedTo('/pages/0199-a')).toBe('/library/0199-a');
  expect(movedTo('/boards/0199-b')).toBe('/library/boards/0199-b');
});

test('a present address stays as it is', () => {
  for (const path of ['/', '/agents/connect', '/inbox/keys', '/constructor']) expect(movedTo(path)).toBeUndefined();
});
