import { expect, test } from 'vitest';
import { parseDates, readIsoTime } from './index.ts';

const now = new Date('2026-06-17T15:00:00Z');

test.each([
  '7,150 years ago',
  '12.000 days ago',
  '1 000 weeks ago',
  'twenty-five days ago',
  'a hundred and two days ago',
])('a number that is the end of a longer number names no time: %s', (text) => {
  const years = parseDates(text, now).map(({ start }) => start.get('year'));
  expect(years).not.toContain(1876);
  expect(parseDates(text, now).map(({ text: words }) => words)).not.toContain(
    text
      .split(/[ ,.-]/)
      .slice(-3)
      .join(' '),
  );
});

test('whole numbers name times', () => {
  expect(parseDates('we met 3 days ago', now).map(({ text }) => text)).toEqual(['3 days ago']);
});

test.each(['2026-02-30', '2026-02-30T10:00:00Z', '2025-02-29', '2026-13-01', '2026-01-01T25:00Z', '2026-1-1', 'soon'])(
  'a day or time that does not exist is not read: %s',
  (text) => {
    expect(readIsoTime(text)).toBeNull();
  },
);

test.each([
  ['2024-02-29', '2024-02-29T00:00:00.000Z'],
  ['2026-01-02T03:04', '2026-01-02T03:04:00.000Z'],
  ['2026-01-02T03:04:05.678+02:00', '2026-01-02T01:04:05.678Z'],
])('%s is read', (text, time) => {
  expect(readIsoTime(text)?.toISOString()).toBe(time);
});
