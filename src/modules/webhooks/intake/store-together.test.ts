import { expect, test } from 'vitest';
import { countStorable } from './store-together.ts';

test('bodies count unpacked toward the size of an insert, however small they arrived', () => {
  const event = { body: Buffer.alloc(5_000_000), body_bytes: 5_000 } as Parameters<
    typeof countStorable
  >[0][number]['event'];
  expect(countStorable(Array.from({ length: 64 }, () => ({ event })))).toBe(1);
  expect(countStorable(Array.from({ length: 100 }, () => ({ event: { ...event, body: null } })))).toBe(64);
});
