import { expect, test } from 'vitest';
import { readEvent } from './event.ts';
import { readFile } from './file.ts';
import { listOccurrences } from './occurrences.ts';
import { findKnownZone } from './zones.ts';

/** A time zone with a name that Outlook invented, and the rules of central Europe. */
const outlookZone = `BEGIN:VTIMEZONE
TZID:Customized Time Zone
BEGIN:STANDARD
DTSTART:16010101T030000
TZOFFSETFROM:+0200
TZOFFSETTO:+0100
RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=10
END:STANDARD
BEGIN:DAYLIGHT
DTSTART:16010101T020000
TZOFFSETFROM:+0100
TZOFFSETTO:+0200
RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=3
END:DAYLIGHT
END:VTIMEZONE`;

function readOccurrences(events: readonly string[], { from = '2026-03-01', until = '2026-05-01', head = '' } = {}) {
  const blocks = events.map((lines) => `BEGIN:VEVENT\nUID:1\n${lines}\nEND:VEVENT`);
  const file = readFile(['BEGIN:VCALENDAR', ...(head ? [head] : []), ...blocks, 'END:VCALENDAR'].join('\n'));
  const read = file.events.map((event) => readEvent(event, file));
  return listOccurrences(read, { from: Date.parse(from), until: Date.parse(until) });
}
const listStarts = (...given: Parameters<typeof readOccurrences>) =>
  readOccurrences(...given).map(({ start }) => start?.dateTime ?? start?.date);

test.each([
  ['Europe/Berlin', ''],
  ['/freeassociation.sourceforge.net/Europe/Berlin', ''],
  ['Customized Time Zone', outlookZone],
  ['W. Europe Standard Time', ''],
  ['"Romance Standard Time"', ''],
])('a series in %s stays at nine when the clocks change', (zone, head) => {
  const series = `DTSTART;TZID=${zone}:20260316T090000\nRRULE:FREQ=WEEKLY;UNTIL=20260406T070000Z`;
  expect(listStarts([series], { head })).toEqual([
    '2026-03-16T09:00:00+01:00',
    '2026-03-23T09:00:00+01:00',
    '2026-03-30T09:00:00+02:00',
    '2026-04-06T09:00:00+02:00',
  ]);
});

test('one occurrence of a series is omitted, one moved, one cancelled, one added', () => {
  const found = readOccurrences([
    'DTSTART;TZID=Europe/Berlin:20260302T090000\nDURATION:PT1H\nSUMMARY:Usual\nRRULE:FREQ=WEEKLY;COUNT=5\nEXDATE;TZID=Europe/Berlin:20260309T090000\nRDATE;TZID=Europe/Berlin:20260303T140000',
    'DTSTART;TZID=Europe/Berlin:20260317T110000\nSUMMARY:Moved\nRECURRENCE-ID:20260316T080000Z',
    'DTSTART;TZID=Europe/Berlin:20260323T090000\nSTATUS:CANCELLED\nRECURRENCE-ID;TZID=Europe/Berlin:20260323T090000',
  ]);
  expect(
    found.map(({ id, start, end, summary = '', status }) => [id, start?.dateTime, end?.dateTime, summary, status]),
  ).toEqual([
    ['1:20260302T080000Z', '2026-03-02T09:00:00+01:00', '2026-03-02T10:00:00+01:00', 'Usual', 'confirmed'],
    ['1:20260330T070000Z', '2026-03-30T09:00:00+02:00', '2026-03-30T10:00:00+02:00', 'Usual', 'confirmed'],
    ['1:20260303T130000Z', '2026-03-03T14:00:00+01:00', '2026-03-03T15:00:00+01:00', 'Usual', 'confirmed'],
    ['1:20260316T080000Z', '2026-03-17T11:00:00+01:00', '2026-03-17T11:00:00+01:00', 'Moved', 'confirmed'],
    ['1:20260323T080000Z', '2026-03-23T09:00:00+01:00', '2026-03-23T09:00:00+01:00', '', 'cancelled'],
  ]);
});

test('whole days are the same days in every zone, and an excluded day is omitted', () => {
  const series =
    'DTSTART;VALUE=DATE:20260302\nDTEND;VALUE=DATE:20260304\nRRULE:FREQ=MONTHLY;UNTIL=20260501\nEXDATE;VALUE=DATE:20260402';
  expect(readOccurrences([series])).toMatchObject([
    { id: '1:20260302', start: { date: '2026-03-02' }, end: { date: '2026-03-04' } },
  ]);
});

test.each([
  ['a time in UTC', 'DTSTART:20260302T090000Z', '2026-03-02T09:00:00Z'],
  ['the zone of the calendar', 'DTSTART:20260302T090000', '2026-03-02T09:00:00-05:00'],
  ['a time that the clock change skips', 'DTSTART;TZID=Europe/Berlin:20260329T023000', '2026-03-29T02:30:00+01:00'],
])('a start is read: %s', (_what, line, expected) => {
  expect(listStarts([line], { head: 'X-WR-TIMEZONE:America/New_York' })).toEqual([expected]);
});

test('when a local time occurs twice, the first one counts', () => {
  const window = { from: '2026-10-01', until: '2026-11-01' };
  expect(listStarts(['DTSTART;TZID=Europe/Berlin:20261025T023000'], window)).toEqual(['2026-10-25T02:30:00+02:00']);
});

test('of two events with one uid, the last change counts', () => {
  const [old, recent] = ['SEQUENCE:1\nSUMMARY:Old', 'SEQUENCE:2\nSUMMARY:New'].map(
    (more) => `DTSTART:20260302T090000Z\n${more}`,
  );
  expect(readOccurrences([recent!, old!])).toMatchObject([{ id: '1', summary: 'New' }]);
});

test.each([
  [
    'a series that began long ago appears within the window only',
    'DTSTART:19900101T000000Z\nRRULE:FREQ=YEARLY;BYMONTH=4',
    1,
  ],
  [
    'a day that no year has gives the first occurrence only',
    'DTSTART:20260302T000000Z\nRRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30',
    1,
  ],
  ['a series that has ended has no occurrence', 'DTSTART:20200302T000000Z\nRRULE:FREQ=DAILY;COUNT=3', 0],
])('%s', (_what, line, count) => {
  expect(listStarts([line])).toHaveLength(count);
});

test.each([
  ['every second', 'DTSTART:20200101T000000Z\nRRULE:FREQ=SECONDLY', /repeats/],
  ['no zone', 'DTSTART;TZID=Atlantis/Poseidonis:20260302T090000', /Atlantis/],
  ['no month', 'DTSTART:20261302T090000Z', /not a time/],
  ['no day', 'DTSTART:20260231T090000Z', /not a time/],
  ['no beginning', 'SUMMARY:Never', /has no start/],
  ['no form', 'DTSTART:20260302T090000Z\nwhat is this', /RFC 5545/],
  ['no rule', 'DTSTART:20260302T090000Z\nRRULE:FREQ=NEVER', /RFC 5545/],
])('the event explains why it cannot be read: %s', (_what, lines, message) => {
  expect(() => readOccurrences([lines])).toThrow(message);
});

test('days without VALUE=DATE, days that end when they begin, and lines without a value are read', () => {
  const days = (lines: string) => readOccurrences([lines]).map(({ start, end }) => [start?.date, end?.date]);
  expect(days('DTSTART:20260316\nDTEND:20260318')).toEqual([['2026-03-16', '2026-03-18']]);
  expect(days('DTSTART;VALUE=DATE:20260316\nDTEND;VALUE=DATE:20260316')).toEqual([['2026-03-16', '2026-03-17']]);
  expect(days('DTSTART;VALUE=DATE:20260316\nEXDATE:\nRDATE:')).toEqual([['2026-03-16', '2026-03-17']]);
});

test('every Windows name stands for an existing time zone', async () => {
  const { findWindowsZone } = await import('./windows-zones.ts');
  for (const name of [
    'Tokyo Standard Time',
    'yukon standard time',
    'AUS Central Standard Time',
    'Dateline Standard Time',
  ])
    expect(findKnownZone(findWindowsZone(name) ?? ''), name).not.toBeNull();
});
