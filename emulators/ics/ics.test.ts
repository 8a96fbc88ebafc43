// A calendar feed, as a reader meets it.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startIcsEmulator } from './index.ts';
import type { FeedHandle, IcsEmulator } from './index.ts';

let ics: IcsEmulator;
let clock: Date;
let feed: FeedHandle;

beforeEach(async () => {
  clock = new Date('2026-03-02T09:00:00Z');
  ics = await startIcsEmulator({ now: () => clock });
  feed = ics.addFeed('Team, work');
});

afterEach(() => ics.close());

const read = async (url = feed.url, headers: Record<string, string> = {}) => {
  const response = await fetch(url, { headers });
  return { status: response.status, headers: response.headers, text: await response.text() };
};

const unfoldLines = (text: string) => text.replaceAll('\r\n ', '').split('\r\n');

test('events have times in UTC, in a zone with its rules, and whole days', async () => {
  feed.put({ uid: 'utc', summary: 'One; two, three', start: new Date('2026-03-04T10:00:00Z'), description: 'a\nb' });
  feed.put({
    uid: 'zone',
    summary: 'Standup',
    start: { wall: '2026-03-02T09:00:00', zone: 'Europe/Berlin' },
    rrule: 'FREQ=WEEKLY;COUNT=4',
    exdates: [{ wall: '2026-03-09T09:00:00', zone: 'Europe/Berlin' }],
  });
  feed.put({ uid: 'day', summary: 'Holiday', start: { day: '2026-05-01' }, cancelled: true });
  const { text, headers } = await read();
  expect(headers.get('content-type')).toBe('text/calendar; charset=utf-8');
  const lines = unfoldLines(text);
  expect(lines).toEqual(
    expect.arrayContaining([
      'X-WR-CALNAME:Team\\, work',
      'DTSTART:20260304T100000Z',
      'SUMMARY:One\\; two\\, three',
      'DESCRIPTION:a\\nb',
      'TZID:Europe/Berlin',
      'DTSTART;TZID=Europe/Berlin:20260302T090000',
      'RRULE:FREQ=WEEKLY;COUNT=4',
      'EXDATE;TZID=Europe/Berlin:20260309T090000',
      'DTSTART;VALUE=DATE:20260501',
      'STATUS:CANCELLED',
    ]),
  );
  expect(lines.filter((line) => line === 'BEGIN:VTIMEZONE')).toHaveLength(1);
});

test('long lines are folded at 75 octets, never inside a character', async () => {
  feed.put({ uid: '1', summary: 'ü'.repeat(100), start: new Date('2026-03-04T10:00:00Z') });
  const { text } = await read();
  for (const line of text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
  expect(unfoldLines(text)).toContain(`SUMMARY:${'ü'.repeat(100)}`);
});

test('a changed occurrence is listed beside its series, and a change raises the sequence', async () => {
  const series = { uid: 's', summary: 'Standup', start: new Date('2026-03-02T09:00:00Z'), rrule: 'FREQ=DAILY;COUNT=3' };
  feed.put(series);
  feed.put({
    uid: 's',
    summary: 'Moved',
    start: new Date('2026-03-03T10:00:00Z'),
    recurrenceId: new Date('2026-03-03T09:00:00Z'),
  });
  feed.put({ ...series, summary: 'Daily' });
  const lines = unfoldLines((await read()).text);
  expect(lines.filter((line) => /^(SUMMARY|SEQUENCE|RECURRENCE-ID)/.test(line))).toEqual([
    'SEQUENCE:1',
    'SUMMARY:Daily',
    'SEQUENCE:0',
    'RECURRENCE-ID:20260303T090000Z',
    'SUMMARY:Moved',
  ]);
});

test('an unchanged answer is 304, and a changed one is 200', async () => {
  feed.put({ uid: '1', summary: 'x', start: new Date('2026-03-04T10:00:00Z') });
  const first = await read();
  const match = { 'if-none-match': first.headers.get('etag') ?? '' };
  const since = { 'if-modified-since': first.headers.get('last-modified') ?? '' };
  expect([(await read(feed.url, match)).status, (await read(feed.url, since)).status]).toEqual([304, 304]);
  clock = new Date('2026-03-02T10:00:00Z');
  feed.remove('1');
  expect([(await read(feed.url, match)).status, (await read(feed.url, since)).status]).toEqual([200, 200]);
});

test('the service returns broken files, wrong addresses and ordered failures', async () => {
  expect((await read(`${ics.url}/bad/html.ics`)).text).toContain('<html>');
  expect((await read(`${ics.url}/bad/endless.ics`)).text).toContain('FREQ=SECONDLY');
  feed.setRaw('not a calendar');
  expect((await read()).text).toBe('not a calendar');
  expect((await read(`${ics.url}/feeds/x/basic.ics`)).status).toBe(404);
  expect((await fetch(feed.url, { method: 'POST' })).status).toBe(405);
  ics.failures.next({}, { kind: 'status', status: 503, retryAfter: 7 });
  expect((await read()).headers.get('retry-after')).toBe('7');
  expect(ics.ledger.count({ status: 503 })).toBe(1);
});
