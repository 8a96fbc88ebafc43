import { expect, test } from 'vitest';
import { parseDateWindow } from './date-window.ts';
import { findLocalDay, findDayStart } from './local-day.ts';

// A Wednesday.
const moment = { now: new Date('2026-06-03T10:00:00Z'), timeZone: 'UTC' };

test.each([
  ['events from 2026-06-01 through 2026-06-07', '2026-06-01', '2026-06-07'],
  ['2026-07-14', '2026-07-14', '2026-07-14'],
  ['2026-06-01T09:00:00Z to 2026-06-01T12:00:00Z', '2026-06-01T09:00:00Z', '2026-06-01T12:00:00Z'],
  ["what's on today?", '2026-06-03', '2026-06-03'],
  ['meetings tomorrow', '2026-06-04', '2026-06-04'],
  ['my calls tomorrow at 3pm', '2026-06-04', '2026-06-04'],
  ['yesterday', '2026-06-02', '2026-06-02'],
  ['next week', '2026-06-08', '2026-06-14'],
  ['everything this week', '2026-06-01', '2026-06-07'],
  ['rest of the week', '2026-06-03', '2026-06-07'],
  ['last week', '2026-05-25', '2026-05-31'],
  ['this weekend', '2026-06-06', '2026-06-07'],
  ['next month', '2026-07-01', '2026-07-31'],
  ['this year', '2026-01-01', '2026-12-31'],
  ['the next 3 days', '2026-06-03', '2026-06-06'],
  ['past two weeks', '2026-05-20', '2026-06-03'],
  ['next 9 months', '2026-06-03', '2027-03-03'],
  ['within 10 days', '2026-06-03', '2026-06-13'],
  ['on Friday', '2026-06-05', '2026-06-05'],
  ['on Monday', '2026-06-08', '2026-06-08'],
  ['from Monday to Wednesday', '2026-06-08', '2026-06-10'],
  ['last Tuesday', '2026-06-02', '2026-06-02'],
  ['June 3 to June 7', '2026-06-03', '2026-06-07'],
  ['between June 3 and June 7', '2026-06-03', '2026-06-07'],
  ['in June', '2026-06-01', '2026-06-30'],
  ['February 2028', '2028-02-01', '2028-02-29'],
  ['25/12/2026', '2026-12-25', '2026-12-25'],
])('the text «%s» means %s to %s', (request, start, end) => {
  expect(parseDateWindow(request, moment)).toEqual({ start, end });
});

test.each([
  'events on 2026-02-30',
  '2026-02-30T10:00:00Z',
  'mails of 7,150 years ago',
  'dentist at 5',
  'my meetings',
  'soon',
  'in 2026',
  'the 6/7 review',
  'may I see my things',
  'a few weeks',
  'a week',
])('the text «%s» is ambiguous and not understood', (request) => {
  expect(parseDateWindow(request, moment)).toBeNull();
});

test('today is the day of the account, not of the server', () => {
  const now = new Date('2026-06-03T22:30:00Z');
  expect(parseDateWindow('today', { now, timeZone: 'Europe/Zurich' })?.start).toBe('2026-06-04');
  expect(parseDateWindow('today', { now, timeZone: 'America/New_York' })?.start).toBe('2026-06-03');
  expect(findLocalDay(now, 'Pacific/Kiritimati')).toBe('2026-06-04');
});

test('a day begins at its own midnight, also when the clocks change', () => {
  expect(findDayStart('2026-06-01', 'Europe/Zurich').toISOString()).toBe('2026-05-31T22:00:00.000Z');
  expect(findDayStart('2026-03-29', 'Europe/Zurich').toISOString()).toBe('2026-03-28T23:00:00.000Z');
  expect(findDayStart('2026-03-30', 'Europe/Zurich').toISOString()).toBe('2026-03-29T22:00:00.000Z');
  expect(findDayStart('2026-11-01', 'America/New_York').toISOString()).toBe('2026-11-01T04:00:00.000Z');
  expect(findDayStart('2026-06-01', 'Asia/Kolkata').toISOString()).toBe('2026-05-31T18:30:00.000Z');
});
