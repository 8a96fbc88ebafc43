// me/calendars, me/events and the delta of a calendar view.
import { z } from 'zod';
import { param } from '../kit/routing.ts';
import type { Reply } from '../kit/wire.ts';
import { instantOf, isZone } from '../kit/zones.ts';
import { badRequest, deltaReply, filterOf, jsonBody, listQuery, listReply, notFound, selected } from './routing.ts';
import type { Call, Route } from './routing.ts';
import { insertEvent, noteChange, stamp } from './state.ts';
import type { Attendee, Event, SentInvitation, ZonedTime } from './state.ts';

const time = z.strictObject({ dateTime: z.string(), timeZone: z.string() });

const eventBody = z.strictObject({
  subject: z.string().max(255).optional(),
  body: z.strictObject({ contentType: z.string().regex(/^(text|html)$/i), content: z.string() }).optional(),
  start: time.optional(),
  end: time.optional(),
  location: z.strictObject({ displayName: z.string() }).optional(),
  attendees: z
    .array(
      z.strictObject({
        emailAddress: z.strictObject({ name: z.string().optional(), address: z.string() }),
        type: z.enum(['required', 'optional', 'resource']).optional(),
      }),
    )
    .max(500)
    .optional(),
  isAllDay: z.boolean().optional(),
  transactionId: z.string().max(200).optional(),
});

/** A time of a zone in UTC, which is how Graph answers unless asked otherwise. */
function inUtc({ dateTime, timeZone }: ZonedTime): ZonedTime {
  const [, year, month, day, hour = 0, minute = 0, second = 0] =
    /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?)?Z?$/.exec(dateTime)?.map(Number) ?? [];
  if (!year || !month || !day) throw badRequest(`The value '${dateTime}' is not a date and time.`);
  if (!isZone(timeZone)) throw badRequest(`The time zone '${timeZone}' is not supported.`);
  const at = instantOf({ year, month, day, hour, minute, second }, timeZone);
  return { dateTime: `${at.toISOString().slice(0, 19)}.0000000`, timeZone: 'UTC' };
}

function eventResource(event: Event): Record<string, unknown> {
  const { createdAt, changedAt, response, transactionId, ...rest } = event;
  return {
    '@odata.etag': `W/"${changedAt}"`,
    ...rest,
    createdDateTime: createdAt,
    lastModifiedDateTime: changedAt,
    iCalUId: `040000008200E00074C5B7101A82E008${event.id.slice(5, 37)}`,
    isOrganizer: response === 'organizer',
    responseStatus: { response, time: changedAt },
    type: 'singleInstance',
    webLink: `https://outlook.example/owa/?itemid=${event.id}`,
    ...(transactionId ? { transactionId } : {}),
  };
}

function eventOf(call: Call): Event {
  const event = call.account.events.find(({ id }) => id === param(call, 'id'));
  if (!event) throw notFound();
  return event;
}

function invite({ world, account }: Call, event: Event, kind: SentInvitation['kind']): void {
  const to = event.attendees.map(({ emailAddress }) => emailAddress.address.toLowerCase());
  if (to.length > 0) world.data.invitations.push({ account: account.email, eventId: event.id, kind, to });
}

function attendeesOf(given: z.infer<typeof eventBody>['attendees']): Attendee[] | undefined {
  return given?.map(({ emailAddress, type = 'required' }) => ({
    emailAddress,
    type,
    status: { response: 'none', time: '0001-01-01T00:00:00Z' },
  }));
}

function fieldsOf(body: z.infer<typeof eventBody>): Partial<Event> {
  const { subject, start, end, location, isAllDay, attendees, body: content } = body;
  const read = {
    subject,
    location,
    isAllDay,
    start: start && inUtc(start),
    end: end && inUtc(end),
    attendees: attendeesOf(attendees),
    body: content && {
      content: content.content,
      contentType: content.contentType.toLowerCase() === 'html' ? 'html' : 'text',
    },
  };
  return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined));
}

function checkTimes(event: Pick<Event, 'start' | 'end'> & Partial<Event>): void {
  const isMidnight = ({ dateTime }: ZonedTime) => /T00:00:00(?:\.0+)?$/.test(dateTime);
  if (event.isAllDay && (!isMidnight(event.start) || !isMidnight(event.end)))
    throw badRequest('The Event.Start and Event.End properties of an all-day event need to be set to midnight.');
  if (event.isAllDay && event.end.dateTime <= event.start.dateTime)
    throw badRequest('The duration of an event marked as All day must be at least 24 hours.');
  if (event.end.dateTime < event.start.dateTime) {
    throw badRequest('The start time of the calendar item must occur before the end time.');
  }
}

/** A second event of the same transactionId is the first one. */
function createEvent(call: Call): Reply {
  const body = jsonBody(call, eventBody);
  const known = call.account.events.find(({ transactionId }) => transactionId && transactionId === body.transactionId);
  if (known) return { status: 201, json: eventResource(known) };
  const { start, end, ...fields } = fieldsOf(body);
  if (!start || !end) throw badRequest('start and end are required.');
  checkTimes({ start, end, ...fields });
  const transactionId = body.transactionId ?? null;
  const event = insertEvent(
    call.world,
    call.account,
    { subject: '', ...fields, start, end, transactionId },
    stamp(call.now),
  );
  invite(call, event, 'invite');
  return { status: 201, json: eventResource(event) };
}

function touch(call: Call, event: Event): void {
  event.changedAt = stamp(call.now);
  noteChange(call.world, call.account, event.id, 'calendar');
}

function updateEvent(call: Call): Reply {
  const event = eventOf(call);
  const body = jsonBody(call, eventBody);
  if (body.transactionId !== undefined) throw badRequest('transactionId cannot be changed.');
  const fields = fieldsOf(body);
  checkTimes({ ...event, ...fields });
  Object.assign(event, fields);
  touch(call, event);
  invite(call, event, 'update');
  return { json: eventResource(event) };
}

function deleteEvent(call: Call): Reply {
  const event = eventOf(call);
  call.account.events = call.account.events.filter((item) => item !== event);
  noteChange(call.world, call.account, event.id, 'calendar');
  if (event.response === 'organizer') invite(call, event, 'cancel');
  return { status: 204 };
}

const answerBody = z.strictObject({ comment: z.string().optional(), sendResponse: z.boolean().optional() });

function respond(response: string): (call: Call) => Reply {
  return (call) => {
    const event = eventOf(call);
    const { sendResponse = true } = jsonBody(call, answerBody);
    if (event.response === 'organizer')
      throw badRequest(
        "Your request can't be completed. You can't respond to this meeting because you're the meeting organizer.",
      );
    event.response = response;
    touch(call, event);
    const { address } = event.organizer.emailAddress;
    if (sendResponse)
      call.world.data.invitations.push({
        account: call.account.email,
        eventId: event.id,
        kind: 'response',
        to: [address],
      });
    return { status: 202 };
  };
}

/** The bounds of a view, which every first request needs. */
function viewOf(query: URLSearchParams): (event: Event) => boolean {
  const [from, to] = ['startDateTime', 'endDateTime'].map((name) => Date.parse(query.get(name) ?? ''));
  if (from === undefined || to === undefined || Number.isNaN(from) || Number.isNaN(to)) {
    throw badRequest('This request requires startDateTime and endDateTime.');
  }
  return ({ start, end }) =>
    Date.parse(`${start.dateTime.slice(0, 19)}Z`) < to && Date.parse(`${end.dateTime.slice(0, 19)}Z`) > from;
}

function viewDelta(call: Call): Reply {
  if (call.url.searchParams.size === 0) viewOf(call.url.searchParams);
  return deltaReply(call, 'calendar', {
    all: () => call.account.events.filter(viewOf(call.url.searchParams)).map(({ id }) => id),
    show(id, query) {
      const event = call.account.events.find((item) => item.id === id);
      return event && viewOf(query)(event) ? eventResource(event) : undefined;
    },
  });
}

function listView(call: Call): Reply {
  const rows = call.account.events
    .filter(viewOf(call.url.searchParams))
    .toSorted((one, other) => one.start.dateTime.localeCompare(other.start.dateTime));
  return listReply(call, rows.map(eventResource));
}

function listEvents(call: Call): Reply {
  return listReply(
    call,
    call.account.events.map(eventResource).filter(filterOf(call, ['subject', 'transactionId', 'lastModifiedDateTime'])),
  );
}

function listCalendars(call: Call): Reply {
  const { calendarId: id, name, email } = call.account;
  return listReply(call, [
    { id, name: 'Calendar', isDefaultCalendar: true, canEdit: true, owner: { name, address: email } },
  ]);
}

const read = ['Calendars.Read', 'Calendars.ReadWrite'];
const write = ['Calendars.ReadWrite'];
const view = { startDateTime: { type: 'string' }, endDateTime: { type: 'string' } } as const;
const base = '/v1.0/me/events';

/** The routes of calendars. */
export const calendarRoutes: Route[] = [
  { method: 'GET', path: '/v1.0/me/calendars', scopes: read, query: listQuery, handle: listCalendars },
  { method: 'GET', path: '/v1.0/me/calendarView', scopes: read, query: { ...listQuery, ...view }, handle: listView },
  {
    method: 'GET',
    path: '/v1.0/me/calendarView/delta',
    scopes: read,
    query: { ...view, $deltatoken: { type: 'string' }, $skiptoken: { type: 'string' } },
    handle: viewDelta,
  },
  { method: 'GET', path: base, scopes: read, query: listQuery, handle: listEvents },
  { method: 'POST', path: base, scopes: write, handle: createEvent },
  {
    method: 'GET',
    path: `${base}/:id`,
    scopes: read,
    handle: (call) => ({ json: selected(call, eventResource(eventOf(call))) }),
  },
  { method: 'PATCH', path: `${base}/:id`, scopes: write, handle: updateEvent },
  { method: 'DELETE', path: `${base}/:id`, scopes: write, handle: deleteEvent },
  { method: 'POST', path: `${base}/:id/accept`, scopes: write, handle: respond('accepted') },
  { method: 'POST', path: `${base}/:id/decline`, scopes: write, handle: respond('declined') },
  { method: 'POST', path: `${base}/:id/tentativelyAccept`, scopes: write, handle: respond('tentativelyAccepted') },
];
