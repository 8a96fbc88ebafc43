// Creates an event in Google Calendar. We choose its id, and Calendar refuses a second event with the same id.
// https://developers.google.com/workspace/calendar/api/v3/reference/events/insert
import { z } from 'zod';
import { writePath, type ProviderApi } from '#providers/http';
import { defineWrite, isDay, judgeCreation, createSchemaField } from '#providers/writing';
import { momentOrDay } from '#providers/reading';
import { calendarApi } from '../account.ts';

const invitations = {
  all: 'all attendees are mailed',
  externalOnly: 'only outside attendees are mailed',
  none: 'nobody is mailed',
};

const calendarOf = z.object({
  id: z.string(),
  summary: z.string(),
  summaryOverride: z.string().optional(),
  primary: z.boolean().optional(),
});
const eventOf = z.object({ id: z.string(), status: z.string().optional(), htmlLink: z.string().optional() });

type CalendarTarget = { readonly calendar_id: string };
type PreparedEvent = { event_id: string };

const writeEventsPath = ({ calendar_id: id }: CalendarTarget) => writePath`/calendars/${id}/events`;
const writeEventPath = (place: CalendarTarget, { event_id: id }: PreparedEvent) =>
  `${writeEventsPath(place)}${writePath`/${id}`}`;
const getEvent = (api: ProviderApi, place: CalendarTarget, made: PreparedEvent) =>
  api.find(eventOf, { path: writeEventPath(place, made) });
const buildResult = ({ id, htmlLink }: z.output<typeof eventOf>) => ({ event_id: id, html_link: htmlLink });
const buildMoment = (value: string) => (isDay(value) ? { date: value } : { dateTime: value });

/** A new event, and the invitations to it. */
export const createEvent = defineWrite(
  { source: 'calendar', api: calendarApi },
  {
    name: 'create_event',
    example: {
      summary: 'Lunch',
      start: '2027-06-01T12:00:00+02:00',
      end: '2027-06-01T13:00:00+02:00',
      attendees: ['ana@example.com'],
    },
    summary: 'Create a calendar event.',
    risk: 'write',
    fields: {
      summary: createSchemaField('What', z.string().trim().min(1).max(1_000)),
      start: createSchemaField('Start', momentOrDay),
      end: createSchemaField('End', momentOrDay),
      location: createSchemaField('Where', z.string().max(1_000).default('')),
      attendees: createSchemaField('Attendees', z.array(z.email()).max(200).default([])),
      send_updates: createSchemaField(
        'Invitations',
        z.enum(['all', 'externalOnly', 'none']).default('all').describe('Who gets an invitation by mail.'),
        (value, { attendees }) => ((attendees as string[]).length > 0 ? invitations[value] : ''), // parsed by the field above
      ),
      description: createSchemaField('Description', z.string().max(8_000).default('')),
      calendar_id: createSchemaField('Calendar', z.string().min(1).max(320).default('primary')),
    },
    span: { from: 'start', to: 'end', isOneDay: true },
    editable: ['summary', 'description', 'location', 'start', 'end', 'attendees', 'send_updates'],
    recipients: ['attendees'],
    title: (input) => `Event ${input.summary}, ${input.start}`,
    target: (input) => `event in ${input.calendar_id}`,
    otherNames: 'event in *',
    handle: 'chosen_id',

    async snapshot(api, _found, { calendar_id: of }) {
      const { id, summary, ...more } = await api.read(calendarOf, { path: writePath`/users/me/calendarList/${of}` });
      const all = [id, summary, more.summaryOverride || undefined, more.primary ? 'primary' : undefined];
      return {
        names: all.map((name) => name && `event in ${name}`),
        shown: [{ label: 'Calendar', text: `${summary} (${id})` }],
      };
    },
    /** A draft's id in hexadecimal is within the letters that Calendar allows in ids (a-v, 0-9). */
    prepare: async (_api, _input, { draft }) => ({ event_id: draft.id.replaceAll('-', '') }),
    async send(api, input, made) {
      const { summary, description, location, start, end, attendees } = input;
      const body = {
        id: made.event_id,
        summary,
        description: description || undefined,
        location: location || undefined,
        start: buildMoment(start),
        end: buildMoment(end),
        attendees: attendees.map((email) => ({ email })),
      };
      const query = { sendUpdates: input.send_updates };
      return buildResult(await api.write(eventOf, { method: 'POST', path: writeEventsPath(input), query, body }));
    },
    async lookup(api, input, made) {
      const event = await getEvent(api, input, made);
      if (event && event.id !== made.event_id)
        return { state: 'ambiguous', reason: 'Calendar returned a different event.' };
      return judgeCreation(event && buildResult(event));
    },
    undo: {
      says: 'Delete the event',
      forMinutes: 60,
      steps: (input, made) => [
        { method: 'DELETE', path: writeEventPath(input, made), query: { sendUpdates: input.send_updates } },
      ],
      /** Calendar still returns a deleted event, as cancelled. */
      async isThere(api, input, made) {
        const event = await getEvent(api, input, made);
        return event !== undefined && event.status !== 'cancelled';
      },
    },
  },
);
