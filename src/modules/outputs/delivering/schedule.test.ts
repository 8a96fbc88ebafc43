import { expect, test } from 'vitest';
import { computeNextAttempt, pauses } from './retry-schedule.ts';

const at = new Date('2026-06-01T09:00:00Z');

test('ten attempts take place within the three days that Standard Webhooks recommends, and the last is final', () => {
  let now = at;
  const hours: number[] = [0];
  for (let attempts = 1; ; attempts += 1) {
    const next = computeNextAttempt(attempts, now, { retryAfterMs: null, random: 0 });
    if (!next) break;
    now = next;
    hours.push((now.getTime() - at.getTime()) / 3_600_000);
  }
  expect(hours).toHaveLength(10);
  expect(hours.at(-1)).toBeCloseTo(75.58, 1);
  expect(computeNextAttempt(10, at, { retryAfterMs: null, random: 0.5 })).toBeNull();
});

test('a pause is longer by up to a fifth, or as long as the receiver asks, and never shorter', () => {
  const after = (random: number, asked: number | null) =>
    (computeNextAttempt(2, at, { retryAfterMs: asked, random })?.getTime() ?? 0) - at.getTime();
  expect(after(0, null)).toBe(pauses[1]);
  expect(after(1, null)).toBe((pauses[1] ?? 0) * 1.2);
  expect(after(0, 1_000)).toBe(pauses[1]);
  expect(after(0, 3_600_000)).toBe(3_600_000);
  expect(after(0, 999 * 3_600_000)).toBe(24 * 3_600_000);
});
