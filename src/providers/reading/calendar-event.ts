import type { NewPage } from '#kernel/page';
import { z } from 'zod';
import { readHtmlText } from './html-text.ts';
import { describeWholeDays } from './whole-days.ts';

const time = z.object({ date: z.string().optional(), dateTime: z.string().optional() });
const person = z.object({ email: z.string().optional(), displayName: z.string().optional() });

/** The used fields of a Calendar API event. A cancelled event may have only its id. */
export const calendarEvent = z.object({
  id: z.string(),
  status: z.string().default('confirmed'),
  summary: z.string().optional(),
  description: z.string().optional(),
  location: z.string().optional(),
  htmlLink: z.string().optional(),
  start: time.optional(),
  end: time.optional(),
  organizer: person.optional(),
  attendees: z.array(person.extend({ responseStatus: z.string().optional() })).default([]),
  hangoutLink: z.string().optional(),
});
export type CalendarEvent = z.output<typeof calendarEvent>;

/** The calendar of the event. */
export type CalendarOfEvent = { id: string; summary: string };

/** An event as a page of the type `calendar_event`. A cancelled event hides its page. */
export async function buildEventPage(
  event: CalendarEvent,
  calendar: CalendarOfEvent,
  account: string,
): Promise<NewPage> {
  const { start, end } = event;
  const from = start?.dateTime ?? start?.date;
  const isGone = event.status === 'cancelled';
  const attendees = event.attendees.flatMap((attendee) => attendee.email ?? []);
  return {
    sourceRef: `calendar:${account}:${calendar.id}:${event.id}`,
    source: `calendar:${account}`,
    type: 'calendar_event',
    title: event.summary?.trim() || '(no title)',
    body: await buildEventBody(event, calendar),
    frontmatter: {
      event_id: event.id,
      calendar_id: calendar.id,
      start: from ?? null,
      end: end?.dateTime ?? end?.date ?? null,
      all_day: start?.date !== undefined,
      location: event.location ?? null,
      attendees,
      organizer: event.organizer?.email ?? null,
      status: event.status,
      calendar: calendar.summary,
      html_link: event.htmlLink ?? null,
      account,
    },
    author: event.organizer ? formatPerson(event.organizer) || null : null,
    occurredAt: from ? new Date(from) : new Date(0),
    isGone,
  };
}

async function buildEventBody(event: CalendarEvent, calendar: CalendarOfEvent): Promise<string> {
  const attendees = event.attendees.map((attendee) => {
    const answer = attendee.responseStatus ? ` (${answers[attendee.responseStatus] ?? attendee.responseStatus})` : '';
    return `${formatPerson(attendee)}${answer}`;
  });
  const lines: [string, string | undefined][] = [
    ['When', describeTime(event)],
    ['Where', event.location],
    ['Calendar', calendar.summary],
    ['Organizer', event.organizer && formatPerson(event.organizer)],
    ['Attendees', attendees.join(', ')],
    ['Call', event.hangoutLink],
  ];
  const head = lines.flatMap(([label, text]) => (text ? [`${label}: ${text}`] : [])).join('\n');
  // People paste HTML into descriptions, and Calendar stores it unchanged.
  const description = event.description ? await readHtmlText(event.description.replaceAll('\n', '<br>')) : '';
  return description ? `${head}\n\n${description}` : head;
}

const answers: Readonly<Record<string, string>> = {
  accepted: 'accepted',
  declined: 'declined',
  tentative: 'maybe',
  needsAction: 'no answer yet',
};

function describeTime({ start, end }: CalendarEvent): string | undefined {
  if (start?.dateTime) return `${start.dateTime} to ${end?.dateTime ?? ''}`;
  return start?.date ? describeWholeDays(start.date, end?.date) : undefined;
}

function formatPerson({ displayName, email = '' }: z.output<typeof person>): string {
  return displayName && email ? `${displayName} <${email}>` : displayName || email;
}
