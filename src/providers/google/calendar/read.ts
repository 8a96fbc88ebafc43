import { z } from 'zod';
import {
  type Batch,
  betweenDays,
  computeBounds,
  calendarEvent,
  type CalendarOfEvent,
  defineSource,
  buildEventPage,
  parseItems,
  type Reader,
  readItems,
  parseDateWindow,
} from '#providers/reading';
import { readCalendarChanges } from './changes.ts';
import { calendarApi, listCalendars, readTimeZone } from './calendars.ts';
import { createScope } from '../scope.ts';

const eventsPerPage = 250;

const eventPage = z.object({ items: z.array(z.unknown()).default([]), nextPageToken: z.string().optional() });

/** Google Calendar: an event, or one occurrence of a series, becomes a page of the type `calendar_event`. */
export const calendar = defineSource({
  name: 'calendar',
  label: 'Google Calendar',
  icon: 'CalendarDays',
  description:
    'Events of all your calendars become pages. Events are drafted here, and written or answered with your approval.',
  coverage: {
    goesBack: 'Events from the chosen days until a year ahead; then every change of them.',
    notRead: ['Tasks, and calendars that are not in your list of calendars.', 'Attachments of events.'],
  },
  provider: 'google',
  scopes: [
    createScope('calendar.readonly', 'Read your calendars, to store events in your brain.'),
    createScope('calendar.events', 'Write events and answer invitations with your approval.', 'act'),
  ],
  supports: { fetch: true, act: true, adapter: false },
  input: betweenDays,
  hint: 'Pass input: {start, end} as ISO dates, such as {"start": "2026-06-01", "end": "2026-06-07"}, or a request that names days.',
  parseRequest: (request, moment) => parseDateWindow(request, moment),

  readTimeZone: readTimeZone,

  async *read(reader, { start, end, time_zone }, { timeZone }) {
    const bounds = computeBounds({ start, end }, time_zone ?? timeZone);
    for (const each of await listCalendars(reader)) yield* readCalendar(reader, each, bounds);
  },

  changes: readCalendarChanges,
});

/** One calendar page by page. An unreadable one is reported, and the others continue. */
async function* readCalendar(
  reader: Reader,
  of: CalendarOfEvent,
  { from, to }: { from: Date; to: Date },
): AsyncGenerator<Batch> {
  const url = `${calendarApi}/calendars/${encodeURIComponent(of.id)}/events`;
  let pageToken: string | undefined;
  do {
    const query = {
      timeMin: from.toISOString(),
      timeMax: to.toISOString(),
      singleEvents: true,
      showDeleted: true,
      maxResults: eventsPerPage,
      pageToken,
    };
    const { results, errors } = await readItems(
      [of],
      (each) => `calendar ${each.summary || each.id}`,
      () => reader.get(eventPage, url, query),
    );
    const [page] = results;
    const events = parseItems(calendarEvent, page?.items ?? []);
    const pages = await Promise.all(events.results.map((event) => buildEventPage(event, of, reader.account)));
    yield { pages, errors: [...errors, ...events.errors], total: null };
    pageToken = page?.nextPageToken;
  } while (pageToken);
}
