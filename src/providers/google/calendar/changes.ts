// Syncs Google Calendar, each calendar by its own sync token
// (https://developers.google.com/workspace/calendar/api/guides/sync).
import { z } from 'zod';
import { readGooglePages } from '../pages.ts';
import { ProviderError } from '#providers/http';
import {
  calendarEvent,
  type CalendarOfEvent,
  type Changes,
  buildEventPage,
  parseItems,
  type Reader,
  type ChangesSince,
} from '#providers/reading';
import { calendarApi, listCalendars } from './calendars.ts';

const eventsPerPage = 250;
const dayMs = 24 * 60 * 60_000;
/** A series may have no end: this much of the future is stored, and renewed before half of it has passed. */
const futureDays = 366;
const renewedAfterDays = 180;
const withheld: readonly string[] = ['permission', 'not_found'];

/** By calendar: the token for changes, and the next page of an interrupted reading. */
const calendarCursor = z.object({ token: z.string().nullable(), page: z.string().nullable() });
const cursor = z.object({
  /** The window is fixed at the first reading: later pages use the same. */
  from: z.string(),
  until: z.string(),
  read_at: z.string(),
  calendars: z.record(z.string(), calendarCursor),
});
type Cursor = z.output<typeof cursor>;

const eventPage = z.object({
  items: z.array(z.unknown()).default([]),
  nextPageToken: z.string().optional(),
  nextSyncToken: z.string().optional(),
});

/** Reads the window of every calendar first, and then the changes in each. */
export async function* readCalendarChanges(reader: Reader, since: ChangesSince): AsyncGenerator<Changes> {
  const state = begin(since);
  const calendars = await listCalendars(reader);
  yield* reportLostCalendars(calendars, state);
  for (const calendar of calendars) {
    try {
      yield* follow(reader, calendar, state);
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      const known = state.calendars[calendar.id];
      // 410: the token has expired. 400: the page token has. Both restart the reading. An unreadable calendar is
      // reported and retried next time. Google also answers 403 when a rate limit is used up.
      const isOutdated = (error.status === 410 || error.status === 400) && (known?.token || known?.page);
      if (!isOutdated && !withheld.includes(error.category)) throw error;
      state.calendars[calendar.id] = { token: null, page: null };
      if (isOutdated) yield* follow(reader, calendar, state);
      else
        yield {
          pages: [],
          errors: [createCalendarError(calendar, error)],
          total: null,
          cursor: structuredClone(state),
        };
    }
  }
}

function begin({ cursor: given, from, now }: ChangesSince): Cursor {
  const known = cursor.safeParse(given).data;
  if (known && now.getTime() - Date.parse(known.read_at) < renewedAfterDays * dayMs) return known;
  return {
    from: (from ?? new Date(0)).toISOString(),
    until: new Date(now.getTime() + futureDays * dayMs).toISOString(),
    read_at: now.toISOString(),
    calendars: {},
  };
}

/** Calendars that the account no longer has: no events remain in them. */
function* reportLostCalendars(calendars: readonly CalendarOfEvent[], state: Cursor): Generator<Changes> {
  const here = new Set(calendars.map(({ id }) => id));
  for (const id of Object.keys(state.calendars).filter((each) => !here.has(each))) {
    delete state.calendars[id];
    const whole = { part: `${id}:`, from: null, until: null, isFirst: true, isLast: true };
    yield { pages: [], errors: [], total: null, cursor: structuredClone(state), whole };
  }
}

/** One calendar, page by page. `state` advances with each. */
async function* follow(reader: Reader, of: CalendarOfEvent, state: Cursor): AsyncGenerator<Changes> {
  const url = `${calendarApi}/calendars/${encodeURIComponent(of.id)}/events`;
  const { token, page: start } = state.calendars[of.id] ?? { token: null, page: null };
  const window = token ? { syncToken: token } : { timeMin: state.from, timeMax: state.until };
  const ask = (pageToken: string | undefined) =>
    reader.get(eventPage, url, {
      ...window,
      singleEvents: true,
      showDeleted: true,
      maxResults: eventsPerPage,
      pageToken,
    });
  for await (const { items, page, next, nextSyncToken } of readGooglePages(ask, start)) {
    const { results, errors } = parseItems(calendarEvent, items);
    const pages = await Promise.all(results.map((event) => buildEventPage(event, of, reader.account)));
    const whole = token === null && { ...createWhole(of, state), isFirst: page === null, isLast: next === null };
    state.calendars[of.id] = { token: next === null ? (nextSyncToken ?? null) : token, page: next };
    yield { pages, errors, total: null, cursor: structuredClone(state), ...(whole && { whole }) };
  }
}

function createWhole({ id }: CalendarOfEvent, { from, until }: Cursor) {
  return { part: `${id}:`, from: new Date(from), until: new Date(until) };
}

function createCalendarError({ id, summary }: CalendarOfEvent, { message }: ProviderError) {
  return { item: `calendar ${summary || id}`, message };
}
