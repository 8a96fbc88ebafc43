// Calendar: events with client-chosen ids, conditions, series and sync tokens.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { getPathValue, getTextAt } from '../kit/api-client.ts';
import { createApiClient } from './api-client.ts';
import type { ApiClient } from './api-client.ts';
import { startGoogleEmulator } from './index.ts';
import type { GoogleEmulator } from './index.ts';

const events = '/calendar/v3/calendars/primary/events';
let google: GoogleEmulator;
let ada: ApiClient;
let count = 0;

beforeAll(async () => {
  google = await startGoogleEmulator({ now: () => new Date('2026-03-02T09:00:00Z') });
});

// Every test has a calendar of its own.
beforeEach(() => {
  count += 1;
  google.addAccount({ email: `ada${count}@example.com`, name: 'Ada Lovelace', timeZone: 'Europe/Zurich' });
  ada = createApiClient(google, `ada${count}@example.com`, ['https://www.googleapis.com/auth/calendar']);
});

afterAll(() => google.close());

const buildTuesdayTime = (hour: number) => ({ dateTime: `2026-03-03T${String(hour).padStart(2, '0')}:00:00+01:00` });
const buildMeeting = (rest: object = {}) => ({
  summary: 'Meeting',
  start: buildTuesdayTime(10),
  end: buildTuesdayTime(11),
  ...rest,
});
const listIds = (body: unknown) => (getPathValue(body, 'items') as { id: string }[]).map((item) => item.id);

test('an event can be inserted, read, patched, replaced and deleted', async () => {
  const made = await ada('POST', events, { json: buildMeeting({ location: 'Room 1' }) });
  expect(made.body).toMatchObject({
    kind: 'calendar#event',
    status: 'confirmed',
    sequence: 0,
    organizer: { email: `ada${count}@example.com`, self: true },
    start: { dateTime: '2026-03-03T10:00:00+01:00', timeZone: 'Europe/Zurich' },
    reminders: { useDefault: true },
  });
  const path = `${events}/${getTextAt(made.body, 'id')}`;
  expect(made.body.iCalUID).toBe(`${getTextAt(made.body, 'id')}@google.com`);
  const patched = await ada('PATCH', path, { json: { end: buildTuesdayTime(12), location: null } });
  expect(patched.body).toMatchObject({
    summary: 'Meeting',
    sequence: 1,
    end: { dateTime: '2026-03-03T12:00:00+01:00' },
  });
  expect(patched.body.location).toBeUndefined();
  const replaced = await ada('PUT', path, { json: buildMeeting({ summary: 'Replaced' }) });
  expect(replaced.body.summary).toBe('Replaced');
  expect((await ada('DELETE', path)).status).toBe(204);
  const again = await ada('DELETE', path);
  expect(again.status).toBe(410);
  expect(again.body.error).toEqual({
    errors: [{ domain: 'global', reason: 'deleted', message: 'Resource has been deleted' }],
    code: 410,
    message: 'Resource has been deleted',
  });
  expect((await ada('GET', path)).body.status).toBe('cancelled');
});

test('a chosen id can be used once, even after the event was deleted', async () => {
  const json = buildMeeting({ id: 'thalamus0001' });
  expect((await ada('POST', events, { json })).status).toBe(200);
  const duplicate = await ada('POST', events, { json });
  expect(duplicate.status).toBe(409);
  expect(duplicate.body.error?.errors[0]).toMatchObject({
    reason: 'duplicate',
    message: 'The requested identifier already exists.',
  });
  await ada('DELETE', `${events}/thalamus0001`);
  expect((await ada('POST', events, { json })).status).toBe(409);
});

test.each([
  [{ id: 'has-a-dash' }, 'Invalid resource id value.'],
  [{ id: 'abcd' }, 'Invalid resource id value.'],
  [{ end: undefined }, 'Missing end time.'],
  [{ end: { date: '2026-03-03' } }, 'Start and end times must either both be date or both be dateTime.'],
  [{ end: buildTuesdayTime(9) }, 'The specified time range is empty.'],
  [{ start: { dateTime: '2026-03-03T10:00:00' } }, 'Missing time zone definition for start time.'],
  [{ start: { dateTime: 'tomorrow' } }, 'Bad Request'],
  [{ recurrence: ['RRULE:FREQ=DAILY'] }, 'Missing time zone definition for start time.'],
  [{ attendees: [{ email: 'not an address' }] }, 'Invalid attendee email.'],
  [{ title: 'no such field' }, 'Invalid JSON payload received. Unknown name "title": Cannot find field.'],
])('an event with %j is refused', async (change, message) => {
  const answer = await ada('POST', events, { json: buildMeeting(change) });
  expect(answer.status).toBe(400);
  expect(answer.body.error?.message).toBe(message);
});

test('a stale etag is refused and changes nothing', async () => {
  const made = await ada('POST', events, { json: buildMeeting() });
  const path = `${events}/${getTextAt(made.body, 'id')}`;
  const stale = { 'if-match': getTextAt(made.body, 'etag') };
  expect((await ada('PATCH', path, { json: { summary: 'First' }, headers: stale })).status).toBe(200);
  const second = await ada('PATCH', path, { json: { summary: 'Second' }, headers: stale });
  expect(second.status).toBe(412);
  expect(second.body.error?.errors[0]?.reason).toBe('conditionNotMet');
  expect((await ada('DELETE', path, { headers: stale })).status).toBe(412);
  const current = await ada('GET', path);
  expect(current.body.summary).toBe('First');
  expect((await ada('GET', path, { headers: { 'if-none-match': getTextAt(current.body, 'etag') } })).status).toBe(304);
});

test('attendees are mailed only when the client asks for it', async () => {
  google.ledger.clear();
  google.addAccount({ email: `grace${count}@example.com`, name: 'Grace' });
  const attendees = [
    { email: `grace${count}@example.com` },
    { email: 'guest@example.net' },
    { email: `ada${count}@example.com` },
  ];
  await ada('POST', events, { json: buildMeeting({ attendees }) });
  expect(google.ledger.invitations()).toEqual([]);
  const made = await ada('POST', events, { json: buildMeeting({ attendees }), query: { sendUpdates: 'all' } });
  await ada('DELETE', `${events}/${getTextAt(made.body, 'id')}`, { query: { sendUpdates: 'externalOnly' } });
  expect(google.ledger.invitations()).toMatchObject([
    { kind: 'invite', sendUpdates: 'all', to: [`grace${count}@example.com`, 'guest@example.net'] },
    { kind: 'cancel', sendUpdates: 'externalOnly', to: ['guest@example.net'] },
  ]);
  expect((await ada('POST', events, { json: buildMeeting(), query: { sendUpdates: 'some' } })).status).toBe(400);
});

test('a list is filtered by time and text, ordered, and cut into pages', async () => {
  const who = `ada${count}@example.com`;
  const seed = (summary: string, day: number) =>
    google.seedEvent(who, {
      summary,
      start: new Date(Date.UTC(2026, 2, day, 9)),
      end: new Date(Date.UTC(2026, 2, day, 10)),
    });
  for (const [summary, day] of [
    ['Third', 12],
    ['First', 10],
    ['Second', 11],
  ] as const)
    seed(summary, day);
  const query = {
    singleEvents: 'true',
    orderBy: 'startTime',
    timeMin: '2026-03-10T10:00:00Z',
    timeMax: '2026-03-12T09:30:00Z',
  };
  const all = await ada('GET', events, { query });
  expect((getPathValue(all.body, 'items') as { summary: string }[]).map((item) => item.summary)).toEqual([
    'Second',
    'Third',
  ]);
  expect(all.body.nextSyncToken).toBeUndefined();
  const first = await ada('GET', events, { query: { ...query, maxResults: '1' } });
  const second = await ada('GET', events, {
    query: { ...query, maxResults: '1', pageToken: getTextAt(first.body, 'nextPageToken') },
  });
  expect(getPathValue(second.body, 'items.0.summary')).toBe('Third');
  expect(listIds((await ada('GET', events, { query: { q: 'second' } })).body)).toHaveLength(1);
  expect((await ada('GET', events, { query: { orderBy: 'startTime' } })).status).toBe(400);
  expect((await ada('GET', events, { query: { timeMin: '2026-03-10' } })).body.error?.message).toBe('Bad Request');
  expect(
    (await ada('GET', events, { query: { timeMin: query.timeMax, timeMax: query.timeMin } })).body.error?.errors[0]
      ?.reason,
  ).toBe('timeRangeEmpty');
});

test('a sync token gives only what changed, deletions included, until it expires', async () => {
  const kept = await ada('POST', events, { json: buildMeeting() });
  const dropped = await ada('POST', events, { json: buildMeeting() });
  const full = await ada('GET', events);
  const syncToken = getTextAt(full.body, 'nextSyncToken');
  expect((await ada('GET', events, { query: { syncToken } })).body.items).toEqual([]);
  await ada('PATCH', `${events}/${getTextAt(kept.body, 'id')}`, { json: { summary: 'Changed' } });
  await ada('DELETE', `${events}/${getTextAt(dropped.body, 'id')}`);
  const delta = await ada('GET', events, { query: { syncToken } });
  expect(delta.body.items).toMatchObject([{ summary: 'Changed' }, { id: dropped.body.id, status: 'cancelled' }]);
  expect(
    (await ada('GET', events, { query: { syncToken: getTextAt(delta.body, 'nextSyncToken') } })).body.items,
  ).toEqual([]);
  expect((await ada('GET', events, { query: { syncToken, timeMin: '2026-03-01T00:00:00Z' } })).status).toBe(400);
  google.expireSyncTokens(`ada${count}@example.com`);
  const expired = await ada('GET', events, { query: { syncToken } });
  expect(expired.status).toBe(410);
  expect(expired.body.error?.errors[0]).toMatchObject({ domain: 'calendar', reason: 'fullSyncRequired' });
  expect((await ada('GET', events, { query: { syncToken: 'rubbish' } })).status).toBe(410);
});

test('a weekly series is one event, or its occurrences over the change of clocks', async () => {
  const zone = 'Europe/Zurich';
  const series = buildMeeting({
    id: 'series1',
    start: { dateTime: '2026-03-16T10:00:00', timeZone: zone },
    end: { dateTime: '2026-03-16T11:00:00', timeZone: zone },
    recurrence: ['RRULE:FREQ=WEEKLY;BYDAY=MO,WE;COUNT=6', 'EXDATE;TZID=Europe/Zurich:20260318T100000'],
  });
  await ada('POST', events, { json: series });
  expect(listIds((await ada('GET', events)).body)).toEqual(['series1']);
  const single = await ada('GET', events, { query: { singleEvents: 'true', orderBy: 'startTime' } });
  expect(
    (getPathValue(single.body, 'items') as { start: { dateTime: string } }[]).map((item) => item.start.dateTime),
  ).toEqual([
    '2026-03-16T10:00:00+01:00',
    '2026-03-23T10:00:00+01:00',
    '2026-03-25T10:00:00+01:00',
    '2026-03-30T10:00:00+02:00',
    '2026-04-01T10:00:00+02:00',
  ]);
  expect(single.body.items).toMatchObject([
    { id: 'series1_20260316T090000Z', recurringEventId: 'series1' },
    {},
    {},
    {},
    {},
  ]);
});

test('one occurrence can be moved or cancelled without touching the others', async () => {
  const day = (date: string) => ({ date });
  await ada('POST', events, {
    json: {
      id: 'series2',
      summary: 'Daily',
      start: day('2026-03-10'),
      end: day('2026-03-11'),
      recurrence: ['RRULE:FREQ=DAILY;COUNT=3'],
    },
  });
  await ada('PATCH', `${events}/series2_20260311`, { json: { summary: 'Special' } });
  expect((await ada('DELETE', `${events}/series2_20260312`)).status).toBe(204);
  const single = await ada('GET', events, { query: { singleEvents: 'true', orderBy: 'startTime' } });
  expect((getPathValue(single.body, 'items') as { summary: string }[]).map((item) => item.summary)).toEqual([
    'Daily',
    'Special',
  ]);
  expect((await ada('GET', `${events}/series2_20260320`)).status).toBe(404);
  expect(listIds((await ada('GET', `${events}/series2/instances`)).body)).toEqual([
    'series2_20260310',
    'series2_20260311',
  ]);
});

test('calendars are listed with their roles, and one that may only be read is not written', async () => {
  const shared = google.seedCalendar(`ada${count}@example.com`, { summary: 'Holidays', accessRole: 'reader' });
  const all = await ada('GET', '/calendar/v3/users/me/calendarList');
  expect(all.body.items).toMatchObject([
    { id: `ada${count}@example.com`, primary: true, accessRole: 'owner' },
    { summary: 'Holidays', accessRole: 'reader' },
  ]);
  const refused = await ada('POST', `/calendar/v3/calendars/${encodeURIComponent(shared.id)}/events`, {
    json: buildMeeting(),
  });
  expect(refused.body.error?.errors[0]?.reason).toBe('requiredAccessLevel');
  expect((await ada('GET', '/calendar/v3/calendars/nobody@example.com/events')).status).toBe(404);
  expect((await ada('GET', '/calendar/v3/calendars/primary')).body.timeZone).toBe('Europe/Zurich');
});

test('busy times are the opaque events, series included', async () => {
  await ada('POST', events, {
    json: buildMeeting({
      start: { ...buildTuesdayTime(10), timeZone: 'Europe/Zurich' },
      recurrence: ['RRULE:FREQ=DAILY;COUNT=2'],
    }),
  });
  await ada('POST', events, { json: buildMeeting({ transparency: 'transparent' }) });
  const json = { timeMin: '2026-03-03T00:00:00Z', timeMax: '2026-03-05T00:00:00Z', items: [{ id: 'primary' }] };
  const busy = await ada('POST', '/calendar/v3/freeBusy', { json });
  expect(getPathValue(busy.body, 'calendars.primary.busy')).toEqual([
    { start: '2026-03-03T09:00:00Z', end: '2026-03-03T10:00:00Z' },
    { start: '2026-03-04T09:00:00Z', end: '2026-03-04T10:00:00Z' },
  ]);
});

test('a Meet conference is made only for clients that know of it, and survives a patch', async () => {
  const conferenceData = { createRequest: { requestId: 'r1', conferenceSolutionKey: { type: 'hangoutsMeet' } } };
  expect((await ada('POST', events, { json: buildMeeting({ conferenceData }) })).body.hangoutLink).toBeUndefined();
  const made = await ada('POST', events, {
    json: buildMeeting({ conferenceData }),
    query: { conferenceDataVersion: '1' },
  });
  const link = getTextAt(made.body, 'hangoutLink');
  expect(getPathValue(made.body, 'conferenceData.entryPoints.0.uri')).toBe(link);
  const patched = await ada('PATCH', `${events}/${getTextAt(made.body, 'id')}`, { json: { summary: 'Moved' } });
  expect(patched.body).toMatchObject({
    hangoutLink: link,
    conferenceData: { conferenceSolution: { name: 'Google Meet' } },
  });
});
