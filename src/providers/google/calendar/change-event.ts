// Changes events in Google Calendar. An event has a version, and changes only if it still has the version that was
// read. https://developers.google.com/workspace/calendar/api/v3/reference/events
import { z } from 'zod';
import { writePath, nothing, type ProviderApi, type Request } from '#providers/http';
import {
  addresses,
  judgeChange,
  choice,
  normalizeValue,
  defineWrite,
  writeIfKnown,
  line,
  makeOptional,
  assertFound,
  mapOption,
  type TargetFacts,
  text,
  time,
  parseTime,
} from '#providers/writing';
import { checkEndsAreAlike } from '#providers/reading';
import { calendarApi } from '../account.ts';

const calendar = { source: 'calendar', api: calendarApi };

const event_id = line('Event', { about: "The event_id, from the event's page or from an action.", most: 1_024 });
const calendar_id = line('Calendar', { default: 'primary' });
const send_updates = choice('Invitations', {
  about: 'Who gets a mail about the change.',
  options: {
    all: 'All attendees are mailed',
    externalOnly: 'Only outside attendees are mailed',
    none: 'Nobody is mailed',
  },
  default: 'all',
});

const moment = z.object({ date: z.string().nullish(), dateTime: z.string().nullish() });
const attendee = z.object({
  email: z.string().nullish(),
  self: z.boolean().nullish(),
  responseStatus: z.string().nullish(),
  comment: z.string().nullish(),
});
const eventOf = z.object({
  etag: z.string().nullish(),
  status: z.string().nullish(),
  summary: z.string().nullish(),
  description: z.string().nullish(),
  location: z.string().nullish(),
  start: moment.nullish(),
  end: moment.nullish(),
  attendees: z.array(attendee).nullish(),
  attendeesOmitted: z.boolean().nullish(),
  guestsCanSeeOtherGuests: z.boolean().nullish(),
  organizer: z.object({ email: z.string().nullish() }).nullish(),
  htmlLink: z.string().nullish(),
});
type Event = z.output<typeof eventOf>;
type CalendarEventTarget = { readonly event_id: string; readonly calendar_id: string };

const writeEventPath = ({ calendar_id: of, event_id: id }: CalendarEventTarget) =>
  writePath`/calendars/${of}/events/${id}`;

/** Calendar still returns a deleted event, as cancelled. Times are requested in UTC, so that they can be compared. */
function getEvent(api: ProviderApi, place: CalendarEventTarget): Promise<Event | undefined> {
  return api.find(eventOf, { path: writeEventPath(place), query: { timeZone: 'UTC' } });
}

const isThere = ({ status }: Event) => status !== 'cancelled';

async function findPresentEvent(api: ProviderApi, place: CalendarEventTarget): Promise<Event | undefined> {
  const event = await getEvent(api, place);
  return event && isThere(event) ? event : undefined;
}

/** The parts of an event that are stored with a draft. */
const pickStoredEvent = (event: Event) => ({
  version: event.etag,
  summary: event.summary,
  day: event.start?.date,
  moment: event.start?.dateTime,
  guests: (event.attendees ?? []).map(({ email }) => email),
  organizer: event.organizer?.email,
  is_cut: event.attendeesOmitted,
  is_seen: event.guestsCanSeeOtherGuests,
});
type StoredEvent = { event: ReturnType<typeof pickStoredEvent> };

async function resolveEvent(api: ProviderApi, place: CalendarEventTarget): Promise<StoredEvent> {
  const missing = `There is no event ${place.event_id} in the calendar ${place.calendar_id} that this account can see.`;
  return { event: pickStoredEvent(assertFound(await findPresentEvent(api, place), missing)) };
}

const calendarOf = z.object({
  id: z.string(),
  summary: z.string().nullish(),
  summaryOverride: z.string().nullish(),
  primary: z.boolean().nullish(),
});

/** The account's primary calendar is also called by the account's address. */
async function readFacts(
  noun: string,
  api: ProviderApi,
  { event }: StoredEvent,
  place: CalendarEventTarget,
): Promise<TargetFacts> {
  const { id, summary, summaryOverride, primary } = assertFound(
    await api.find(calendarOf, { path: writePath`/users/me/calendarList/${place.calendar_id}` }),
    `There is no calendar ${place.calendar_id} in the list of this account.`,
  );
  return {
    names: [id, summary, summaryOverride, primary && 'primary'].map((name) => writeIfKnown`${noun} in ${name || ''}`),
    about: event.summary ?? undefined,
    shown: [
      { label: 'Event', text: writeIfKnown`${event.summary} (${place.event_id})` },
      { label: 'Event begins', text: event.day ?? undefined },
      { label: 'Event begins', text: event.moment ?? undefined },
      { label: 'Calendar', text: writeIfKnown`${summary} (${id})` },
    ],
    people:
      event.is_cut || event.is_seen === false
        ? null
        : [
            { label: 'Guests now', addresses: event.guests },
            { label: 'Organizer', addresses: [event.organizer] },
          ],
  };
}

/** Changes an event if it still has the version that was read. */
function convertToKnown(
  { event }: StoredEvent,
  input: { readonly send_updates: string },
): Pick<Request, 'headers' | 'query'> {
  return {
    ...(event.version && { headers: { 'if-match': event.version } }),
    query: { sendUpdates: input.send_updates },
  };
}

const buildResult = (event: Event, place: CalendarEventTarget) => ({
  event_id: place.event_id,
  html_link: event.htmlLink,
});

/** Of `date` and `dateTime` the unused one is null, which removes it. */
function buildMoment(value: string | undefined) {
  if (value === undefined) return undefined;
  const { day, moment: at } = parseTime(value);
  return { date: day, dateTime: at };
}

const start = time('Start', { about: 'A time with its offset, or a whole day. Pass end, too.' });

const updateEvent = defineWrite(calendar, {
  name: 'update_event',
  reachesOthers: true,
  example: { event_id: 'b7k2m9q4', start: '2027-06-01T14:00:00+02:00', end: '2027-06-01T15:00:00+02:00' },
  summary: 'Change a calendar event.',
  risk: 'write',
  fields: {
    event_id,
    summary: makeOptional(line('What', { most: 1_000 })),
    start: makeOptional(start),
    end: makeOptional(time('End', { about: 'Like start. For whole days: the day after the last one.' })),
    location: makeOptional(line('Where', { most: 1_000 })),
    attendees: makeOptional(
      addresses('Attendees', { about: 'All attendees. People you leave out are no longer invited.', most: 200 }),
    ),
    description: makeOptional(text('Description', { most: 8_000 })),
    send_updates,
    calendar_id,
  },
  oneOf: ['summary', 'start', 'end', 'location', 'attendees', 'description'],
  span: { from: 'start', to: 'end' },
  editable: ['summary', 'description', 'location', 'start', 'end', 'attendees', 'send_updates'],
  recipients: ['attendees'],
  title: () => 'Change an event',
  target: (input) => `event in ${input.calendar_id}`,
  otherNames: 'event in *',
  handle: 'state',

  async resolve(api, input) {
    const found = await resolveEvent(api, input);
    checkEndsAreAlike(input, { isWholeDay: Boolean(found.event.day) });
    return found;
  },
  snapshot: (api, found, input) => readFacts('event', api, found, input),
  async send(api, input, found) {
    const { summary, description, location, start: from, end, attendees } = input;
    const body = {
      summary,
      description,
      location,
      start: buildMoment(from),
      end: buildMoment(end),
      attendees: attendees?.map((email) => ({ email })),
    };
    const request = { method: 'PATCH', path: writeEventPath(input), ...convertToKnown(found, input), body } as const;
    return buildResult(await api.write(eventOf, request), input);
  },
  state: {
    read: (api, input) => getEvent(api, input),
    version: (event: Event) => event.etag,
    was: ({ event }) => event.version,
    has: {
      summary: (event) => event.summary,
      description: (event) => event.description,
      location: (event) => event.location,
      start: (event) => event.start?.date ?? event.start?.dateTime,
      end: (event) => event.end?.date ?? event.end?.dateTime,
      attendees: (event) => (event.attendees ?? []).map(({ email }) => email),
    },
    holds: (event) => ({ isThere: isThere(event) }),
    result: (event, _found, input) => buildResult(event, input),
  },
});

const deleteEvent = defineWrite(calendar, {
  name: 'delete_event',
  reachesOthers: true,
  example: { event_id: 'b7k2m9q4' },
  summary: 'Delete a calendar event.',
  risk: 'destructive',
  fields: { event_id, send_updates, calendar_id },
  editable: ['send_updates'],
  title: () => 'Delete an event',
  target: (input) => `event in ${input.calendar_id}`,
  otherNames: 'event in *',
  handle: 'state',

  resolve: resolveEvent,
  snapshot: (api, found, input) => readFacts('event', api, found, input),
  async send(api, input, found) {
    await api.write(nothing, { method: 'DELETE', path: writeEventPath(input), ...convertToKnown(found, input) });
    return { event_id: input.event_id };
  },
  deletion: { read: findPresentEvent, result: (input) => ({ event_id: input.event_id }) },
});

const response = choice('Answer', {
  options: { accept: 'Accept', decline: 'Decline', tentative: 'Tentative' },
  sent: { accept: 'accepted', decline: 'declined', tentative: 'tentative' },
});

const respondToEvent = defineWrite(calendar, {
  name: 'respond_to_event',
  reachesOthers: true,
  example: { event_id: 'b7k2m9q4', response: 'accept' },
  summary: 'Answer an invitation.',
  risk: 'write',
  fields: {
    event_id,
    response,
    comment: makeOptional(text('Comment', { about: 'The comment that everybody who is invited sees.', most: 1_000 })),
    send_updates,
    calendar_id,
  },
  editable: ['response', 'comment', 'send_updates'],
  title: () => 'Answer an invitation',
  target: (input) => `invitation in ${input.calendar_id}`,
  otherNames: 'invitation in *',
  handle: 'state',

  async resolve(api, place) {
    const event = await findPresentEvent(api, place);
    const own = event?.attendees?.find(({ self }) => self);
    const missing = `There is no event ${place.event_id} in the calendar ${place.calendar_id} that this account was invited to.`;
    const { email, responseStatus } = assertFound(own, missing);
    return { event: pickStoredEvent(assertFound(event, missing)), own: { email, response: responseStatus } };
  },
  snapshot: (api, found, input) => readFacts('invitation', api, found, input),
  /** With `attendeesOmitted`, only the participant's own row is changed. */
  async send(api, input, found) {
    const own = {
      email: found.own.email,
      responseStatus: mapOption(response, input.response),
      comment: input.comment,
    };
    const body = { attendeesOmitted: true, attendees: [own] };
    const request = { method: 'PATCH', path: writeEventPath(input), ...convertToKnown(found, input), body } as const;
    return buildResult(await api.write(eventOf, request), input);
  },
  async lookup(api, input, { own }) {
    const event = await getEvent(api, input);
    const said = (event?.attendees ?? []).find(({ self }) => self);
    return judgeChange(said, {
      isDone: ({ responseStatus, comment }) =>
        responseStatus === mapOption(response, input.response) &&
        (input.comment === undefined || normalizeValue(comment) === normalizeValue(input.comment)),
      isSame: ({ responseStatus }) => responseStatus === own.response,
      result: () => ({ event_id: input.event_id }),
    });
  },
});

/** The changes in Google Calendar. create-event.ts creates events. */
export const calendarWrites = [updateEvent, deleteEvent, respondToEvent];
