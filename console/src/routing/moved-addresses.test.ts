import { expect, test } from 'vitest';
import { findMovedAddress } from './moved-addresses.ts';

test('a former address leads to the page that has its place', () => {
  expect(findMovedAddress('/keys')).toBe('/agents');
  expect(findMovedAddress('/pages/0199-a')).toBe('/library/0199-a');
  expect(findMovedAddress('/library/boards/0199-b')).toBe('/boards/0199-b');
  expect(findMovedAddress('/webhooks/outgoing/0199-c')).toBe('/destinations/0199-c');
  expect(findMovedAddress('/webhooks/0199-d')).toBe('/sources/0199-d');
});

test('a present address stays as it is', () => {
  for (const path of ['/', '/agents/connect', '/boards/0199-b', '/library/0199-a', '/inbox/keys', '/constructor'])
    expect(findMovedAddress(path)).toBeUndefined();
});
