import { defineAction, type Outcome } from '#kernel/action';
import { z } from 'zod';
import { momentOrDay } from '../../../writing/moment-or-day.ts';
import { type Reach } from '../../../provider-client.ts';
import { ProviderFault, unlessGone } from '../../../provider-fault.ts';

const calendarApi = 'https://www.googleapis.com/calendar/v3';

const payload = z
  .strictObject({
    summary: z.string().trim().min(1).max(1_000),
    description: z.string().max(8_000).default(''),
    location: z.string().max(1_000).default(''),
    start: momentOrDay,
    end: momentOrDay,
    attendees: z.array(z.email()).max(200).default([]),
    send_updates: z.enum(['all', 'externalOnly', 'none']).default('all').describe('Who is mailed an invitation.'),
    calendar_id: z.string().min(1).max(320).default('primary'),
  })
  .refine(({ start, end }) => isDay(start) === isDay(end), {
    path: ['end'],
    message: 'must be a date when start is one',
  })
  .refine(({ start, end }) => new Date(start) < new Date(end) || (isDay(start) && start === end), {
    path: ['end'],
    message: 'must be after start',
  });

type Event = z.output<typeof payload>;

const listed = z.object({
  id: z.string(),
  summary: z.string(),
  summaryOverride: z.string().optional(),
  primary: z.boolean().optional(),
});
const stored = z.object({ id: z.string(), status: z.string().optional(), htmlLink: z.string().optional() });

/** A calendar event. Its id is chosen here, and Calendar refuses a second event of the same id. */
export const createEvent = defineAction<typeof payload, Reach>({
  name: 'create_event',
  example: {
    summary: 'Lunch',
    start: '2027-06-01T12:00:00+02:00',
    end: '2027-06-01T13:00:00+02:00',
    attendees: ['ana@example.com'],
  },
  source: 'calendar',
  summary: 'Create a calendar event.',
  risk: 'write',
  handle: 'chosen_id',
  requiresConfirmation: true,
  payload,
  editable: ['summary', 'description', 'location', 'start', 'end', 'attendees', 'send_updates'],

  preview(event) {
    const invitations = {
      all: 'all attendees are mailed',
      externalOnly: 'only outside attendees are mailed',
      none: 'nobody is mailed',
    };
    const fields = [
      { label: 'What', text: event.summary },
      { label: 'Start', text: event.start },
      { label: 'End', text: event.end },
      { label: 'Where', text: event.location },
      { label: 'Attendees', text: event.attendees.join(', ') },
      { label: 'Invitations', text: event.attendees.length ? invitations[event.send_updates] : '' },
      { label: 'Description', text: event.description },
      { label: 'Calendar', text: event.calendar_id },
    ];
    return {
      title: `Event ${event.summary}, ${event.start}`,
      fields: fields.filter((field) => field.text),
      isComplete: true,
    };
  },

  target: ({ attendees, calendar_id }) => ({
    recipients: attendees,
    what: `event in ${calendar_id}`,
    otherNames: 'event in *',
  }),

  known: {
    async ask({ client, link }, { calendar_id }) {
      const url = `${calendarApi}/users/me/calendarList/${encodeURIComponent(calendar_id)}`;
      const { id, summary, summaryOverride, primary } = listed.parse(await client.json(link, { method: 'GET', url }));
      const all = [id, summary, ...(summaryOverride ? [summaryOverride] : []), ...(primary ? ['primary'] : [])];
      const shown = [{ label: 'Calendar', text: `${summary} (${id})` }];
      return { names: all.map((name) => `event in ${name}`), people: null, shown, overwrites: {} };
    },
  },

  // A draft's id in hexadecimal is within the letters that Calendar allows in ids (a-v, 0-9).
  prepare: async (_reach, _event, { draftId }) => ({ event_id: draftId.replaceAll('-', '') }),

  async send({ client, link }, event, { event_id }) {
    const answer = await client.json(link, {
      method: 'POST',
      url: `${calendarApi}/calendars/${encodeURIComponent(event.calendar_id)}/events`,
      query: { sendUpdates: event.send_updates },
      body: { id: event_id, ...bodyOf(event) },
    });
    const { id, htmlLink } = stored.parse(answer);
    return { event_id: id, ...(htmlLink && { html_link: htmlLink }) };
  },

  async lookup({ client, link }, event, { event_id }): Promise<Outcome> {
    const url = `${calendarApi}/calendars/${encodeURIComponent(event.calendar_id)}/events/${String(event_id)}`;
    try {
      const { id, htmlLink } = stored.parse(await client.json(link, { method: 'GET', url }));
      if (id !== event_id) return { state: 'ambiguous', reason: 'Calendar answered with another event.' };
      return { state: 'confirmed', result: { event_id: id, ...(htmlLink && { html_link: htmlLink }) } };
    } catch (error) {
      if (!(error instanceof ProviderFault) || error.status !== 404) throw error;
      return { state: 'failed', error: { message: 'It was not created: the calendar has no such event.' } };
    }
  },

  undo: {
    says: 'Delete the event again',
    forMinutes: 60,
    async run({ client, link }, event, { handle }) {
      const query = { sendUpdates: event.send_updates };
      const url = `${calendarApi}/calendars/${encodeURIComponent(event.calendar_id)}/events/${String(handle['event_id'])}`;
      await unlessGone(client.send(link, { method: 'DELETE', url, query }));
    },
  },
});

function bodyOf(event: Event) {
  const at = (value: string) => (isDay(value) ? { date: value } : { dateTime: value });
  return {
    summary: event.summary,
    ...(event.description && { description: event.description }),
    ...(event.location && { location: event.location }),
    start: at(event.start),
    end: at(event.end),
    attendees: event.attendees.map((email) => ({ email })),
  };
}

function isDay(value: string): boolean {
  return value.length === 10;
}
