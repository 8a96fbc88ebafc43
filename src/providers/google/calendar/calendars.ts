// The calendars of a Google account.
import { z } from 'zod';
import { readGooglePages } from '../pages.ts';
import { type CalendarOfEvent, isTimeZone, type Reader } from '#providers/reading';

export const calendarApi = 'https://www.googleapis.com/calendar/v3';

const calendarPage = z.object({
  items: z
    .array(
      z.object({
        id: z.string(),
        summary: z.string().default(''),
        summaryOverride: z.string().optional(),
        deleted: z.boolean().default(false),
        primary: z.boolean().default(false),
        timeZone: z.string().optional(),
      }),
    )
    .default([]),
  nextPageToken: z.string().optional(),
});
/** Every calendar of the account, also those hidden in the list. */
export async function listCalendars(reader: Reader): Promise<CalendarOfEvent[]> {
  const calendars: CalendarOfEvent[] = [];
  const ask = (pageToken: string | undefined) =>
    reader.get(calendarPage, `${calendarApi}/users/me/calendarList`, { maxResults: 250, showHidden: true, pageToken });
  for await (const { items } of readGooglePages(ask))
    for (const { id, summary, summaryOverride, deleted } of items)
      if (!deleted) calendars.push({ id, summary: summaryOverride ?? summary });
  return calendars;
}

/** The time zone of the account, taken from its primary calendar. */
export async function readTimeZone(reader: Reader): Promise<string> {
  const query = { maxResults: 250, showHidden: true };
  const { items } = await reader.get(calendarPage, `${calendarApi}/users/me/calendarList`, query);
  const timeZone = items.find(({ primary }) => primary)?.timeZone;
  return timeZone && isTimeZone(timeZone) ? timeZone : 'UTC';
}
