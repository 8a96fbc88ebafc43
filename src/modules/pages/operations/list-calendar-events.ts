import { defineOperation } from '#kernel/operation';
import { brainId, listReadableBrainIds } from '#modules/brains';
import { z } from 'zod';
import { listAttendees } from '../attendees.ts';
import { readClockTime } from '../clock-time.ts';
import { listEvents } from '../store/read-events.ts';

const moment = z.union([z.iso.date().max(10), z.iso.datetime({ offset: true }).max(40)]);

export const listCalendarEvents = defineOperation({
  name: 'list_calendar_events',
  summary: 'List events of synced calendars by time, with place, attendees and replies.',
  toolset: 'curation',
  effect: 'read',
  access: { scope: 'pages:read', brain: { role: 'viewer', of: 'brain_id', whenAbsent: 'allow' } },
  rest: [{ method: 'GET', path: '/v1/calendar-events' }],
  input: z.strictObject({
    start: moment.describe(
      'Events that end after this time, including current ones. All-day events count by their date.',
    ),
    end: moment.describe('Events that begin before this time.'),
    brain_id: brainId.optional().describe('Default: every brain you may read.'),
    limit: z.coerce.number().int().min(1).max(200).default(50),
  }),
  output: z.object({
    events: z.array(
      z.object({
        page_id: z.uuid(),
        slug: z.string(),
        title: z.string(),
        start: z.string().nullable(),
        end: z.string().nullable(),
        all_day: z.boolean(),
        location: z.string().nullable(),
        organizer: z.string().nullable(),
        status: z.string().nullable(),
        calendar: z.string().nullable(),
        attendees: z.array(
          z.object({
            email: z.string(),
            rsvp: z.enum(['accepted', 'declined', 'maybe', 'none']).describe('none: no reply yet, or unknown.'),
            is_self: z.boolean().describe('The account whose calendar it is.'),
          }),
        ),
      }),
    ),
    has_more: z.boolean(),
  }),
  errors: ['not_found'],
  examples: [{ title: 'The first week of June', input: { start: '2026-06-01', end: '2026-06-08' } }],
  async run(ctx, { start, end, brain_id, limit }) {
    const brainIds = await listReadableBrainIds(ctx, brain_id);
    const pages = await listEvents(ctx.db, brainIds, {
      since: readClockTime(start),
      until: readClockTime(end),
      limit: limit + 1,
    });
    const events = pages
      .slice(0, limit)
      .map(({ id, slug, title, body, frontmatter, source, first_day, day_after }) => ({
        page_id: id,
        slug,
        title,
        start: first_day ?? findText(frontmatter['start']),
        end: day_after ?? findText(frontmatter['end']),
        all_day: first_day !== null,
        location: findText(frontmatter['location']),
        organizer: findText(frontmatter['organizer']),
        status: findText(frontmatter['status']),
        calendar: findText(frontmatter['calendar']),
        attendees: listAttendees(frontmatter['attendees'], body).map((attendee) => ({
          ...attendee,
          is_self: isSourceAccount(source, attendee.email),
        })),
      }));
    return { events, has_more: pages.length > limit };
  },
});

/** Whether an address is that of the account behind a source such as `google_calendar:ada@example.com`. */
function isSourceAccount(source: string | null, email: string): boolean {
  return source?.split(':')[1]?.toLowerCase() === email.toLowerCase();
}

function findText(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
