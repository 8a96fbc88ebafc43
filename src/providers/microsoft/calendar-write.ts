// Writes in Outlook's calendar. It creates one event per transaction id, even if the request is repeated.
// https://learn.microsoft.com/graph/api/resources/event
import { z } from 'zod';
import { writePath, nothing, type ProviderApi } from '#providers/http';
import {
  addresses,
  judgeChange,
  choice,
  defineWrite,
  findFirst,
  writeIfKnown,
  line,
  judgeCreation,
  makeOptional,
  assertFound,
  mapOption,
  text,
  time,
  parseTime,
} from '#providers/writing';
import { checkEndsAreAlike } from '#providers/reading';
import { microsoftApi } from './account.ts';

const outlook = { source: 'outlook_calendar', api: microsoftApi };
const headers = { prefer: 'IdType="ImmutableId", outlook.body-content-type="text"' };

const event_id = line('Event', { about: "The event_id, from the event's page or from an action.", most: 500 });
const summary = line('What', { most: 255 });
const start = time('Start', { about: 'With its offset, such as 2026-06-01T12:00:00+02:00, or a whole day.' });
const end = time('End', { about: 'Like start. For whole days: the day after the last one.' });
const rest = {
  location: makeOptional(line('Where')),
  description: makeOptional(text('Description', { most: 30_000 })),
  attendees: makeOptional(addresses('Attendees', { most: 200 })),
};
const editable = ['summary', 'description', 'location', 'start', 'end', 'attendees'] as const;

const person = z.object({ emailAddress: z.object({ address: z.string().nullish() }) });
const moment = z.object({ dateTime: z.string() });
const eventOf = z.object({
  id: z.string(),
  '@odata.etag': z.string().nullish(),
  subject: z.string().nullish(),
  start: moment.nullish(),
  end: moment.nullish(),
  isAllDay: z.boolean().nullish(),
  location: z.object({ displayName: z.string().nullish() }).nullish(),
  body: z.object({ content: z.string().nullish() }).nullish(),
  attendees: z.array(person).nullish(),
  organizer: person.nullish(),
  isOrganizer: z.boolean().nullish(),
  hideAttendees: z.boolean().nullish(),
  responseStatus: z.object({ response: z.string().nullish() }).nullish(),
  transactionId: z.string().nullish(),
  webLink: z.string().nullish(),
});
type Event = z.output<typeof eventOf>;

const writeEventPath = (id: string) => writePath`/me/events/${id}`;
const listGuests = ({ attendees }: Event) => (attendees ?? []).map(({ emailAddress }) => emailAddress.address);
const buildResult = ({ id, webLink }: Event) => ({ event_id: id, html_link: webLink });

type Content = {
  summary?: string | undefined;
  start?: string | undefined;
  end?: string | undefined;
  location?: string | undefined;
  description?: string | undefined;
  attendees?: readonly string[] | undefined;
};

/** The given fields of an event, in Graph's form. */
function buildContent({ summary: subject, start: from, end: to, location, description, attendees }: Content) {
  const toMoment = (value: string | undefined) =>
    value === undefined ? undefined : { dateTime: parseTime(value).utc, timeZone: 'UTC' };
  return {
    subject,
    start: toMoment(from),
    end: toMoment(to),
    isAllDay: from === undefined ? undefined : parseTime(from).isDay,
    location: location === undefined ? undefined : { displayName: location },
    body: description === undefined ? undefined : { contentType: 'text', content: description },
    attendees: attendees?.map((address) => ({ emailAddress: { address }, type: 'required' })),
  };
}

function getEvent(api: ProviderApi, id: string): Promise<Event | undefined> {
  return api.find(eventOf, { path: writeEventPath(id), headers });
}

/** Graph gives all-day events as midnights. */
function readEnd({ isAllDay }: Event, end: Event['start']): string | undefined {
  return isAllDay ? end?.dateTime.slice(0, 10) : end?.dateTime;
}

const describeMissingEvent = (id: string) => `There is no event ${id} that this account can see.`;

/** The parts of an event that are stored with a draft. */
const pickStoredEvent = (event: Event) => ({
  id: event.id,
  version: event['@odata.etag'],
  response: event.responseStatus?.response,
  subject: event.subject,
  begins: event.start?.dateTime,
  is_day: event.isAllDay,
  guests: listGuests(event),
  organizer: event.organizer?.emailAddress.address,
  hides: event.hideAttendees,
});
type StoredEvent = { event: ReturnType<typeof pickStoredEvent> };

async function resolveEvent(api: ProviderApi, { event_id: id }: { event_id: string }): Promise<StoredEvent> {
  return { event: pickStoredEvent(assertFound(await getEvent(api, id), describeMissingEvent(id))) };
}

const buildFacts = ({ event: { id, subject, begins, is_day: isDay } }: StoredEvent) => ({
  about: subject ?? undefined,
  shown: [
    { label: 'Event', text: writeIfKnown`${subject} (${id})` },
    { label: 'Event begins', text: isDay ? writeIfKnown`${begins}` : writeIfKnown`${begins}Z` }, // in UTC, Graph's default
  ],
});

const buildGuestFacts = (_api: unknown, found: StoredEvent) => ({
  ...buildFacts(found),
  people: found.event.hides
    ? null
    : [
        { label: 'Guests now', addresses: found.event.guests },
        { label: 'Organizer', addresses: [found.event.organizer] },
      ],
});
const mailed = [{ label: 'Invitations', text: 'Outlook mails everybody who is invited.' }];

const createEvent = defineWrite(outlook, {
  name: 'create_event',
  example: { summary: 'Lunch', start: '2027-06-01T12:00:00+02:00', end: '2027-06-01T13:00:00+02:00' },
  summary: 'Create a calendar event.',
  risk: 'write',
  fields: { summary, start, end, ...rest },
  span: { from: 'start', to: 'end' },
  editable,
  recipients: ['attendees'],
  title: (input) => `Event ${input.summary}, ${input.start}`,
  notes: mailed,
  target: () => 'event in the calendar',
  handle: 'chosen_id',

  async send(api, input, { draft }) {
    const body = { ...buildContent(input), transactionId: draft.chosen_id };
    return buildResult(await api.write(eventOf, { method: 'POST', path: '/me/events', headers, body }));
  },
  /** Lists of events cannot be filtered by transaction id, but an event returns it to the application that chose it. */
  async find(api, input, { draft }) {
    const [from, to] = [parseTime(input.start).utc, parseTime(input.end).utc];
    const events = api.list({
      answer: z.object({ value: z.array(eventOf), '@odata.nextLink': z.string().nullish() }),
      request: () => ({
        path: '/me/calendarView',
        headers,
        query: { startDateTime: `${from}Z`, endDateTime: `${to}Z`, $top: 100 },
      }),
      items: ({ value }) => value,
      nextUrl: (answer) => answer['@odata.nextLink'],
    });
    const made = await findFirst(events, ({ transactionId }) => transactionId === draft.chosen_id);
    return made && buildResult(made);
  },
  undo: {
    says: 'Delete the event',
    forMinutes: 60,
    steps: (_input, { result }) => [{ method: 'DELETE', path: writeEventPath(result['event_id'] ?? ''), headers }],
  },
});

const updateEvent = defineWrite(outlook, {
  name: 'update_event',
  reachesOthers: true,
  example: { event_id: 'AAMkAGI2', location: 'Corner café' },
  summary: 'Change a calendar event.',
  risk: 'write',
  fields: { event_id, summary: makeOptional(summary), start: makeOptional(start), end: makeOptional(end), ...rest },
  oneOf: editable,
  span: { from: 'start', to: 'end' },
  editable,
  recipients: ['attendees'],
  title: () => 'Change an event',
  notes: mailed,
  target: (input) => `event ${input.event_id}`,
  handle: 'state',

  async resolve(api, input) {
    const found = await resolveEvent(api, input);
    checkEndsAreAlike(input, { isWholeDay: found.event.is_day === true });
    return found;
  },
  snapshot: buildGuestFacts,
  async send(api, input, { event: { id } }) {
    const request = { method: 'PATCH', path: writeEventPath(id), headers, body: buildContent(input) } as const;
    return buildResult(await api.write(eventOf, request));
  },
  state: {
    read: (api, input) => getEvent(api, input.event_id),
    version: (event: Event) => event['@odata.etag'],
    was: ({ event }) => event.version,
    has: {
      summary: (event) => event.subject,
      start: (event) => readEnd(event, event.start),
      end: (event) => readEnd(event, event.end),
      location: (event) => event.location?.displayName,
      description: (event) => event.body?.content,
      attendees: listGuests,
    },
    result: buildResult,
  },
});

const deleteEvent = defineWrite(outlook, {
  name: 'delete_event',
  reachesOthers: true,
  example: { event_id: 'AAMkAGI2' },
  summary: 'Delete a calendar event.',
  risk: 'destructive',
  fields: { event_id },
  editable: [],
  title: () => 'Delete an event',
  notes: [
    {
      label: 'Invitations',
      text: 'If you are the organizer, Outlook mails a cancellation to everybody who is invited.',
    },
  ],
  target: (input) => `event ${input.event_id}`,
  handle: 'state',

  resolve: resolveEvent,
  snapshot: buildGuestFacts,
  async send(api, _input, { event: { id } }) {
    await api.write(nothing, { method: 'DELETE', path: writeEventPath(id), headers });
    return { event_id: id };
  },
  deletion: {
    read: (api, input) => getEvent(api, input.event_id),
    result: (_input, { event }) => ({ event_id: event.id }),
  },
});

const response = choice('Answer', {
  options: { accept: 'Accept', decline: 'Decline', tentative: 'Tentative' },
  sent: { accept: 'accept', decline: 'decline', tentative: 'tentativelyAccept' },
});

const respondToEvent = defineWrite(outlook, {
  name: 'respond_to_event',
  reachesOthers: true,
  example: { event_id: 'AAMkAGI2', response: 'decline', comment: 'I am away that day.' },
  summary: 'Answer an invitation.',
  risk: 'write',
  fields: {
    event_id,
    response,
    comment: makeOptional(text('Comment', { about: 'A message to the organizer.', most: 4_000 })),
  },
  editable: ['response', 'comment'],
  title: () => 'Answer an invitation',
  notes: [{ label: 'Goes to', text: 'The person who invited you.' }],
  target: (input) => `invitation ${input.event_id}`,
  handle: 'state',

  async resolve(api, { event_id: id }) {
    const event = await getEvent(api, id);
    const missing = `There is no event ${id} that this account was invited to.`;
    return { event: pickStoredEvent(assertFound(event?.isOrganizer === false ? event : undefined, missing)) };
  },
  snapshot: (_api, found) => ({
    ...buildFacts(found),
    people: [{ label: 'Organizer', addresses: [found.event.organizer], isSomebody: true }],
  }),
  async send(api, input, { event: { id } }) {
    const path = `${writeEventPath(id)}/${String(mapOption(response, input.response))}`;
    const body = { comment: input.comment, sendResponse: true };
    await api.write(nothing, { method: 'POST', path, headers, body });
    return { event_id: id };
  },
  state: {
    read: (api, input) => getEvent(api, input.event_id),
    version: (event: Event) => event.responseStatus?.response,
    was: ({ event }) => event.response,
    overwrites: (event, input) =>
      input.response === 'decline' ? { all: event } : { response: event.responseStatus?.response },
    result: (_event, { event }) => ({ event_id: event.id }),
  },
  /** Outlook removes a declined event from the calendar: afterwards the event is missing, or has another response. */
  async lookup(api, input, { event: { id, response: was } }) {
    const event = await getEvent(api, input.event_id);
    const isSame = (there: Event) => there.responseStatus?.response === was;
    if (input.response === 'decline') return judgeCreation(event && isSame(event) ? undefined : { event_id: id });
    return judgeChange(event, {
      isDone: (there) => there.responseStatus?.response?.includes(input.response) ?? false,
      isSame,
      result: () => ({ event_id: id }),
    });
  },
});

/** The writes in Outlook's calendar. */
export const outlookCalendarWrites = [createEvent, updateEvent, deleteEvent, respondToEvent];
