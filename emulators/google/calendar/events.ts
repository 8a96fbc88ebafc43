// events: get, insert, patch, update, delete, instances. Conditional by etag. The ledger records who is notified.
import { z } from 'zod';
import { createLegacyError } from '../errors.ts';
import type { SentInvitation } from '../ledger.ts';
import { getFlagParameter, getIntegerParameter, getPathParameter, getTextParameter } from '../../kit/routing.ts';
import { checkBody, parseJsonBody, cutPage } from '../routing.ts';
import type { QueryRule } from '../../kit/routing.ts';
import type { Reply } from '../../kit/wire.ts';
import type { ApiCall, ApiRoute } from '../routing.ts';
import { getCalendar, createCalendarNotFoundError, scope, getWritableCalendar } from './calendars.ts';
import { checkContent, pickEventContent, eventInput, mergePatch } from './content.ts';
import { listEvents, listQuery, listSeriesOccurrences } from './list.ts';
import { createConference, buildEventResource, buildInstanceEvent } from './resource.ts';
import { computeEventEtag, createEventKey, putEvent, touch } from './store.ts';
import type { Calendar, EventContent, StoredEvent } from './store.ts';
import { expandInstances } from './time.ts';

const base = '/calendar/v3/calendars/:calendarId/events';

/** The kept event, or the occurrence of a series that the id names. */
function findEvent(calendar: Calendar, id: string, now: Date): StoredEvent {
  const kept = calendar.events.get(id);
  if (kept) return kept;
  const series = calendar.events.get(id.slice(0, Math.max(0, id.lastIndexOf('_'))));
  if (!series || series.status === 'cancelled') throw createCalendarNotFoundError();
  const horizon = new Date(now.getTime() + 10 * 366 * 86_400_000);
  const instance = expandInstances(series, calendar.timeZone, horizon).find((item) => item.id === id);
  if (!instance) throw createCalendarNotFoundError();
  return buildInstanceEvent(series, instance);
}

function checkMatch(call: ApiCall, event: StoredEvent): void {
  const wanted = call.headers['if-match'];
  if (wanted === undefined || wanted === '*' || wanted === computeEventEtag(event)) return;
  throw createLegacyError(412, {
    reason: 'conditionNotMet',
    message: 'Precondition Failed',
    locationType: 'header',
    location: 'If-Match',
  });
}

function reply(calendar: Calendar, event: StoredEvent, zone?: string): Reply {
  return { headers: { etag: computeEventEtag(event) }, json: buildEventResource(calendar, event, zone) };
}

function notify(call: ApiCall, calendar: Calendar, event: StoredEvent, kind: SentInvitation['kind']): void {
  const sendUpdates =
    getTextParameter(call, 'sendUpdates') ?? (getFlagParameter(call, 'sendNotifications') ? 'all' : 'none');
  const guests = (event.content.attendees ?? []).map((attendee) => attendee.email.toLowerCase());
  const others = guests.filter((email) => email !== calendar.id);
  // Google users are notified by their own calendar. `externalOnly` mails the others.
  const to = sendUpdates === 'externalOnly' ? others.filter((email) => !call.world.data.accounts.has(email)) : others;
  if (sendUpdates === 'none' || to.length === 0) return;
  call.effects.invitations.push({
    at: call.now,
    account: call.caller.account.email,
    calendarId: calendar.id,
    eventId: event.id,
    kind,
    sendUpdates,
    to,
  });
}

/** Conference data counts only when the client says it understands version 1. */
function withConference(call: ApiCall, content: EventContent, before?: EventContent): EventContent {
  const { conferenceData, ...rest } = content;
  if (getIntegerParameter(call, 'conferenceDataVersion', 0) < 1) {
    return before?.conferenceData === undefined ? rest : { ...rest, conferenceData: before.conferenceData };
  }
  return { ...rest, ...(createConference(conferenceData) ?? (conferenceData ? { conferenceData } : {})) };
}

function insertEvent(call: ApiCall): Reply {
  const calendar = getWritableCalendar(call);
  const body = parseJsonBody(call, eventInput);
  if (body.id !== undefined && !/^[a-v0-9]{5,1024}$/.test(body.id)) {
    throw createLegacyError(400, { reason: 'invalid', message: 'Invalid resource id value.' });
  }
  const content = checkContent(withConference(call, pickEventContent(body)), calendar.timeZone);
  const id = body.id ?? createEventKey();
  // An id stays taken after its event was deleted.
  if (calendar.events.has(id)) {
    throw createLegacyError(409, { reason: 'duplicate', message: 'The requested identifier already exists.' });
  }
  const event = putEvent(calendar, { id, content, organizer: getOrganizer(call, calendar) }, call.now);
  notify(call, calendar, event, 'invite');
  return reply(calendar, event);
}

function getOrganizer(call: ApiCall, calendar: Calendar): string {
  return calendar.primary ? call.caller.account.email : calendar.id;
}

const timing = ['start', 'end', 'recurrence', 'status'];

function rewrite(call: ApiCall, calendar: Calendar, event: StoredEvent, content: EventContent): Reply {
  const { sequence } = content;
  if (sequence !== undefined && sequence < event.sequence) {
    throw createLegacyError(400, {
      reason: 'invalid',
      message:
        'Invalid sequence value. The specified sequence number is below the current sequence number of the resource. Re-fetch the resource and use its sequence number on the following request.',
    });
  }
  const checked = checkContent(content, calendar.timeZone);
  const moved = timing.some((name) => JSON.stringify(event.content[name]) !== JSON.stringify(checked[name]));
  const { hangoutLink } = event.content;
  event.content = checked.conferenceData && hangoutLink ? { hangoutLink, ...checked } : checked;
  event.status = checked.status ?? event.status;
  event.sequence = Math.max(event.sequence + (moved ? 1 : 0), sequence ?? 0);
  touch(calendar, event, call.now);
  calendar.events.set(event.id, event);
  notify(call, calendar, event, event.status === 'cancelled' ? 'cancel' : 'update');
  return reply(calendar, event);
}

function readPatch(call: ApiCall): Record<string, unknown> {
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse(call.body.toString('utf8') || '{}'));
  } catch (cause) {
    const error = createLegacyError(400, { reason: 'parseError', message: 'Parse Error' });
    error.cause = cause;
    throw error;
  }
}

/** "When updating an event, this can be used to only update the participant's response": the other rows stay. */
function withOmitted(calendar: Calendar, event: StoredEvent, patch: Record<string, unknown>): Record<string, unknown> {
  if (patch['attendeesOmitted'] !== true || !Array.isArray(patch['attendees'])) return patch;
  const given = patch['attendees'] as { email?: string }[]; // checked with the whole event afterwards
  const own = given.find(({ email }) => email?.toLowerCase() === calendar.id);
  const rows = event.content.attendees ?? [];
  const attendees = rows.map((row) => (row.email.toLowerCase() === calendar.id ? { ...row, ...own } : row));
  return { ...patch, attendees };
}

function patchEvent(call: ApiCall): Reply {
  const calendar = getWritableCalendar(call);
  const event = findEvent(calendar, getPathParameter(call, 'eventId'), call.now);
  checkMatch(call, event);
  const patch = withOmitted(calendar, event, readPatch(call));
  const merged = pickEventContent(checkBody(call.api, eventInput, JSON.stringify(mergePatch(event.content, patch))));
  const content = 'conferenceData' in patch ? withConference(call, merged, event.content) : merged;
  // Only a sequence the client names is compared with the current one.
  const { sequence, ...rest } = content;
  return rewrite(call, calendar, event, 'sequence' in patch ? { ...rest, sequence } : rest);
}

function updateEvent(call: ApiCall): Reply {
  const calendar = getWritableCalendar(call);
  const event = findEvent(calendar, getPathParameter(call, 'eventId'), call.now);
  checkMatch(call, event);
  const body = parseJsonBody(call, eventInput);
  if (body.id !== undefined && body.id !== event.id)
    throw createLegacyError(400, { reason: 'invalid', message: 'Invalid resource id value.' });
  return rewrite(call, calendar, event, withConference(call, pickEventContent(body), event.content));
}

function deleteEvent(call: ApiCall): Reply {
  const calendar = getWritableCalendar(call);
  const event = findEvent(calendar, getPathParameter(call, 'eventId'), call.now);
  if (event.status === 'cancelled')
    throw createLegacyError(410, { reason: 'deleted', message: 'Resource has been deleted' });
  checkMatch(call, event);
  event.status = 'cancelled';
  event.content = { ...event.content, status: 'cancelled' };
  event.sequence += 1;
  touch(calendar, event, call.now);
  calendar.events.set(event.id, event);
  notify(call, calendar, event, 'cancel');
  return { status: 204 };
}

function getEvent(call: ApiCall): Reply {
  const calendar = getCalendar(call);
  const event = findEvent(calendar, getPathParameter(call, 'eventId'), call.now);
  if (call.headers['if-none-match'] === computeEventEtag(event))
    return { status: 304, headers: { etag: computeEventEtag(event) } };
  return reply(calendar, event, getTextParameter(call, 'timeZone'));
}

function listInstances(call: ApiCall): Reply {
  const calendar = getCalendar(call);
  const series = findEvent(calendar, getPathParameter(call, 'eventId'), call.now);
  const range = {
    from: Date.parse(getTextParameter(call, 'timeMin') ?? '') || -Infinity,
    to: Date.parse(getTextParameter(call, 'timeMax') ?? '') || Infinity,
  };
  const changed = [...calendar.events.values()].filter(
    (event) =>
      event.recurringEventId === series.id && (event.status !== 'cancelled' || getFlagParameter(call, 'showDeleted')),
  );
  const all = [...listSeriesOccurrences(calendar, series, range, call.now), ...changed];
  const { items, nextPageToken } = cutPage(call, all, Math.min(2500, getIntegerParameter(call, 'maxResults', 250)));
  return {
    json: {
      kind: 'calendar#events',
      summary: calendar.summary,
      timeZone: calendar.timeZone,
      accessRole: calendar.accessRole,
      ...(nextPageToken ? { nextPageToken } : {}),
      items: items.map((event) => buildEventResource(calendar, event)),
    },
  };
}

const read = [scope.all, scope.readonly, scope.events, scope.eventsReadonly, scope.eventsOwned];
const write = [scope.all, scope.events, scope.eventsOwned];

const emitEvent: Record<string, QueryRule> = {
  sendNotifications: { type: 'boolean' },
  sendUpdates: { type: 'string', values: ['all', 'externalOnly', 'none'] },
};
const insertQuery: Record<string, QueryRule> = {
  ...emitEvent,
  conferenceDataVersion: { type: 'integer', max: 1 },
  maxAttendees: { type: 'integer', min: 1 },
  supportsAttachments: { type: 'boolean' },
};
const changeQuery: Record<string, QueryRule> = { ...insertQuery, alwaysIncludeEmail: { type: 'boolean' } };
const getQuery: Record<string, QueryRule> = {
  alwaysIncludeEmail: { type: 'boolean' },
  maxAttendees: { type: 'integer', min: 1 },
  timeZone: { type: 'string' },
};
const instancesQuery: Record<string, QueryRule> = {
  ...getQuery,
  maxResults: { type: 'integer', min: 1 },
  originalStart: { type: 'string' },
  pageToken: { type: 'string' },
  showDeleted: { type: 'boolean' },
  timeMax: { type: 'date-time' },
  timeMin: { type: 'date-time' },
};

/** The routes of events. */
export const eventRoutes: ApiRoute[] = [
  {
    method: 'GET',
    path: base,
    api: 'calendar',
    scopes: read,
    query: listQuery,
    handle: (call) => listEvents(call, getCalendar(call)),
  },
  { method: 'POST', path: base, api: 'calendar', scopes: write, query: insertQuery, handle: insertEvent },
  { method: 'GET', path: `${base}/:eventId`, api: 'calendar', scopes: read, query: getQuery, handle: getEvent },
  {
    method: 'GET',
    path: `${base}/:eventId/instances`,
    api: 'calendar',
    scopes: read,
    query: instancesQuery,
    handle: listInstances,
  },
  { method: 'PATCH', path: `${base}/:eventId`, api: 'calendar', scopes: write, query: changeQuery, handle: patchEvent },
  { method: 'PUT', path: `${base}/:eventId`, api: 'calendar', scopes: write, query: changeQuery, handle: updateEvent },
  { method: 'DELETE', path: `${base}/:eventId`, api: 'calendar', scopes: write, query: emitEvent, handle: deleteEvent },
];
