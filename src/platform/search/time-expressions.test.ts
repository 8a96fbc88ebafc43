import { describe, expect, test } from 'vitest';
import { findQueryTimes, readTime, findRelativeTimes } from './time-expressions.ts';

const now = new Date('2026-06-17T15:00:00Z'); // a Wednesday
const formatDateSpan = ({ start, end }: { start: Date; end: Date }) =>
  `${start.toISOString().slice(0, 10)} ${end.toISOString().slice(0, 10)}`;

describe('a time in words', () => {
  test.each([
    ['yesterday', '2026-06-16 2026-06-17'],
    ['today', '2026-06-17 2026-06-18'],
    ['tomorrow', '2026-06-18 2026-06-19'],
    ['two days ago', '2026-06-15 2026-06-16'],
    ['last Monday', '2026-06-15 2026-06-16'],
    ['last Thursday', '2026-06-11 2026-06-12'],
    ['last week', '2026-06-08 2026-06-15'],
    ['this week', '2026-06-15 2026-06-22'],
    ['next week', '2026-06-22 2026-06-29'],
    ['3 weeks ago', '2026-05-25 2026-06-01'],
    ['last month', '2026-05-01 2026-06-01'],
    ['last March', '2026-03-01 2026-04-01'],
    ['last June', '2025-06-01 2025-07-01'],
    ['last December', '2025-12-01 2026-01-01'],
    ['next March', '2027-03-01 2027-04-01'],
    ['six months ago', '2025-12-01 2026-01-01'],
    ['last year', '2025-01-01 2026-01-01'],
    ['two years ago', '2024-01-01 2025-01-01'],
    ['2025', '2025-01-01 2026-01-01'],
    ['2025-03', '2025-03-01 2025-04-01'],
    ['2025-03-09', '2025-03-09 2025-03-10'],
    ['March 2025', '2025-03-01 2025-04-01'],
    ['March 9, 2025', '2025-03-09 2025-03-10'],
    ['9th March 2025', '2025-03-09 2025-03-10'],
  ])('is read: %s', (words, span) => {
    const time = readTime(words, now);
    expect(time && formatDateSpan(time)).toBe(span);
  });

  test('that is a date is read as that date', () => {
    expect(readTime('2026-01-02T03:04:05Z', now)?.start.toISOString()).toBe('2026-01-02T03:04:05.000Z');
    expect(readTime('2024-02-29T03:04+02:00', now)?.start.toISOString()).toBe('2024-02-29T01:04:00.000Z');
    expect(readTime('2026-01-02T03:04', now)?.start.toISOString()).toBe('2026-01-02T03:04:00.000Z');
  });

  test.each(
    [
      ['soon', 'march on', 'last', '12345', '', '25:00', '2025-02-30', '2025-13', '2025-00'],
      [
        '2026-02-30T10:00:00Z',
        '2025-02-29T10:00Z',
        '2026-04-31T00:00:00+02:00',
        '2026-01-02T25:00:00Z',
        '2026-1-2T10:00Z',
      ],
      [
        '7,150 years ago',
        '12.000 days ago',
        '1 000 weeks ago',
        'twenty-five months ago',
        'two hundred and five days ago',
      ],
    ].flat(),
  )('is not found in «%s»', (words) => {
    expect(readTime(words, now)).toBeNull();
  });
});

test('is relative to the moment of the text', () => {
  const said = new Date('2023-05-08T10:00:00Z');
  expect(findRelativeTimes('I went there yesterday, and again last year.', said, 9).map(formatDateSpan)).toEqual([
    '2023-05-07 2023-05-08',
    '2022-01-01 2023-01-01',
  ]);
});

test('in a query is searched by words and by dates', () => {
  expect(
    findQueryTimes('what did we decide last week, or in March 2025, or 2024?', now, [2024]).map(formatDateSpan),
  ).toEqual(['2026-06-08 2026-06-15', '2025-03-01 2025-04-01', '2024-01-01 2025-01-01']);
});

test.each([
  ['The oak was planted 7,150 years ago', []],
  ['It broke 1 000 months ago, and again 2.5 years ago', []],
  ['Twenty-five years ago, or a hundred and two days ago', []],
  ['In 2019, two years ago, we moved', ['2024-01-01 2025-01-01']],
  ['We moved 150 years ago', ['1876-01-01 1877-01-01']],
])('in «%s» is read only of whole numbers', (text, spans) => {
  expect(findRelativeTimes(text, now, 9).map(formatDateSpan)).toEqual(spans);
});

test('that does not exist is ignored', () => {
  expect(findRelativeTimes('yesterday', new Date(Number.NaN), 9)).toEqual([]);
});
