import { expect, test } from 'vitest';
import { ics } from './read.ts';
import type { Reader } from '#providers/reading';

/** Rules for a day that never exists, which the expansion searches for without end. */
function buildCalendar(count: number): string {
  const events = Array.from({ length: count }, (_, number) => [
    'BEGIN:VEVENT',
    `UID:never-${number}`,
    'DTSTART:20260101T090000Z',
    'RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30',
    'SUMMARY:Never',
    'END:VEVENT',
  ]);
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', ...events.flat(), 'END:VCALENDAR', ''].join('\r\n');
}

test('a calendar whose series take long to compute lets other calls run in between', async () => {
  const own = async () => ({ text: buildCalendar(300), version: null });
  const reader = { account: 'a', address: null, own } as unknown as Reader; // only this field is used
  let longest = 0;
  let last = performance.now();
  const beat = setInterval(() => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }, 5);
  const moment = { now: new Date('2026-06-01T00:00:00Z'), timeZone: 'UTC' };
  const startedAt = performance.now();
  const input = ics.input.parse({ start: '2026-06-01', end: '2027-06-01' });
  for await (const _batch of ics.read(reader, input, moment)) await Promise.resolve();
  clearInterval(beat);
  longest = Math.max(longest, performance.now() - last);
  expect(performance.now() - startedAt).toBeGreaterThan(3 * longest);
  expect(longest).toBeLessThan(700);
});
