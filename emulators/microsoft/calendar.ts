// me/calendars, me/events and the delta of a calendar view.
import { z } from 'zod';
import { getPathParameter } from '../kit/routing.ts';
import type { Reply } from '../kit/wire.ts';
import { findWallInstant, isZone } from '../kit/zones.ts';
import {
  createBadRequestError,
  buildDeltaReply,
  parseFilter,
  parseJsonBody,
  listQuery,
  listReply,
  createItemNotFoundError,
  selectFields,
} from './routing.ts';
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
function convertToUtc({ dateTime, timeZone }: ZonedTime): ZonedTime {
  const [, year, month, day, hour = 0, minute = 0, second = 0] =
    /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?)?Z?$/.exec(dateTime)?.map(Number) ?? [];
  if (!year || !month || !day) throw createBadRequestError(`The value '${dateTime}' is not a date and time.`);
  if (!isZone(timeZone)) throw createBadRequestError(`The time zone '${timeZone}' is not supported.`);
  const at = findWallInstant({ year, month, day, hour, minute, second }, timeZone);
  return { dateTime: `${at.toISOString().slice(0, 19)}.0000000`, timeZone: 'UTC' };
}

function buildEventResource(event: Event): Record<string, unknown> {
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

function requireEvent(call: Call): Event {
  const event = call.account.events.find(({ id }) => id === getPathParameter(call, 'id'));
  if (!event) throw createItemNotFoundError();
  return event;
}

function invite({ world, account }: Call, event: Event, kind: SentInvitation['kind']): void {
  const to = event.attendees.map(({ emailAddress }) => emailAddress.address.toLowerCase());
  if (to.length > 0) world.data.invitations.push({ account: account.email, eventId: event.id, kind, to });
}

function parseAttendees(given: z.infer<typeof eventBody>['attendees']): Attendee[] | undefined {
  return given?.map(({ emailAddress, type = 'required' }) => ({
    emailAddress,
    type,
    status: { response: 'none', time: '0001-01-01T00:00:00Z' },
  }));
}

function pickEventFields(body: z.infer<typeof eventBody>): Partial<Event> {
  const { subject, start, end, location, isAllDay, attendees, body: content } = body;
  const read = {
    subject,
    location,
    isAllDay,
    start: start && convertToUtc(start),
    end: end && convertToUtc(end),
    attendees: parseAttendees(attendees),
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
    throw createBadRequestError(
      'The Event.Start and Event.End properties of an all-day event need to be set to midnight.',
    );
  if (event.isAllDay && event.end.dateTime <= event.start.dateTime)
    throw createBadRequestError('The duration of an event marked as All day must be at least 24 hours.');
  if (event.end.dateTime < event.start.dateTime) {
    throw createBadRequestError('The start time of the calendar item must occur before the end time.');
  }
}

/** A second event of the same transactionId is the first one. */
function createEvent(call: Call): Reply {
  const body = parseJsonBody(call, eventBody);
  const known = call.account.events.find(({ transactionId }) => transactionId && transactionId === body.transactionId);
  if (known) return { status: 201, json: buildEventResource(known) };
  const { start, end, ...fields } = pickEventFields(body);
  if (!start || !end) throw createBadRequestError('start and end are required.');
  checkTimes({ start, end, ...fields });
  const transactionId = body.transactionId ?? null;
  const event = insertEvent(
    call.world,
    call.account,
    { subject: '', ...fields, start, end, transactionId },
    stamp(call.now),
  );
  invite(call, event, 'invite');
  return { status: 201, json: buildEventResource(event) };
}

function touch(call: Call, event: Event): void {
  event.changedAt = stamp(call.now);
  noteChange(call.world, call.account, event.id, 'calendar');
}

function updateEvent(call: Call): Reply {
  const event = requireEvent(call);
  const body = parseJsonBody(call, eventBody);
  if (body.transactionId !== undefined) throw createBadRequestError('transactionId cannot be changed.');
  const fields = pickEventFields(body);
  checkTimes({ ...event, ...fields });
  Object.assign(event, fields);
  touch(call, event);
  invite(call, event, 'update');
  return { json: buildEventResource(event) };
}

function deleteEvent(call: Call): Reply {
  const event = requireEvent(call);
  call.account.events = call.account.events.filter((item) => item !== event);
  noteChange(call.world, call.account, event.id, 'calendar');
  if (event.response === 'organizer') invite(call, event, 'cancel');
  return { status: 204 };
}

const answerBody = z.strictObject({ comment: z.string().optional(), sendResponse: z.boolean().optional() });

function respond(response: string): (call: Call) => Reply {
  return (call) => {
    const event = requireEvent(call);
    const { sendResponse = true } = parseJsonBody(call, answerBody);
    if (event.response === 'organizer')
      throw createBadRequestError(
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
function parseViewRange(query: URLSearchParams): (event: Event) => boolean {
  const [from, to] = ['startDateTime', 'endDateTime'].map((name) => Date.parse(query.get(name) ?? ''));
  if (from === undefined || to === undefined || Number.isNaN(from) || Number.isNaN(to)) {
    throw createBadRequestError('This request requires startDateTime and endDateTime.');
  }
  return ({ start, end }) =>
    Date.parse(`${start.dateTime.slice(0, 19)}Z`) < to && Date.parse(`${end.dateTime.slice(0, 19)}Z`) > from;
}

function replyWithViewDelta(call: Call): Reply {
  if (call.url.searchParams.size === 0) parseViewRange(call.url.searchParams);
  return buildDeltaReply(call, 'calendar', {
    all: () => call.account.events.filter(parseViewRange(call.url.searchParams)).map(({ id }) => id),
    show(id, query) {
      const event = call.account.events.find((item) => item.id === id);
      return event && parseViewRange(query)(event) ? buildEventResource(event) : undefined;
    },
  });
}

function listView(call: Call): Reply {
  const rows = call.account.events
    .filter(parseViewRange(call.url.searchParams))
    .toSorted((one, other) => one.start.dateTime.localeCompare(other.start.dateTime));
  return listReply(call, rows.map(buildEventResource));
}

function listEvents(call: Call): Reply {
  return listReply(
    call,
    call.account.events
      .map(buildEventResource)
      .filter(parseFilter(call, ['subject', 'transactionId', 'lastModifiedDateTime'])),
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
    handle: replyWithViewDelta,
  },
  { method: 'GET', path: base, scopes: read, query: listQuery, handle: listEvents },
  { method: 'POST', path: base, scopes: write, handle: createEvent },
  {
    method: 'GET',
    path: `${base}/:id`,
    scopes: read,
    handle: (call) => ({ json: selectFields(call, buildEventResource(requireEvent(call))) }),
  },
  { method: 'PATCH', path: `${base}/:id`, scopes: write, handle: updateEvent },
  { method: 'DELETE', path: `${base}/:id`, scopes: write, handle: deleteEvent },
  { method: 'POST', path: `${base}/:id/accept`, scopes: write, handle: respond('accepted') },
  { method: 'POST', path: `${base}/:id/decline`, scopes: write, handle: respond('declined') },
  { method: 'POST', path: `${base}/:id/tentativelyAccept`, scopes: write, handle: respond('tentativelyAccepted') },
];
