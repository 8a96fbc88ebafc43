// calendarList, calendars and freeBusy, and finding the calendar a path means.
import { z } from 'zod';
import { createLegacyError } from '../errors.ts';
import { getIntegerParameter, getPathParameter, rfc3339, getTextParameter } from '../../kit/routing.ts';
import { parseJsonBody, cutPage } from '../routing.ts';
import type { QueryRule } from '../../kit/routing.ts';
import type { Reply } from '../../kit/wire.ts';
import type { ApiCall, ApiRoute } from '../routing.ts';
import { formatInZone } from '../../kit/zones.ts';
import { listSeriesOccurrences } from './list.ts';
import { buildCalendarListEntry, buildCalendarResource } from './resource.ts';
import type { Calendar, StoredEvent } from './store.ts';
import { toInstant } from './time.ts';

const prefix = 'https://www.googleapis.com/auth/calendar';

/** Scopes of Calendar. */
export const scope = {
  all: prefix,
  readonly: `${prefix}.readonly`,
  events: `${prefix}.events`,
  eventsReadonly: `${prefix}.events.readonly`,
  eventsOwned: `${prefix}.events.owned`,
  list: `${prefix}.calendarlist`,
  listReadonly: `${prefix}.calendarlist.readonly`,
  calendars: `${prefix}.calendars`,
  calendarsReadonly: `${prefix}.calendars.readonly`,
  freebusy: `${prefix}.freebusy`,
} as const;

/** 404 of Calendar. */
export function createCalendarNotFoundError() {
  return createLegacyError(404, { reason: 'notFound', message: 'Not Found' });
}

/** The calendar of `:calendarId`; `primary` is the account's own. */
export function getCalendar(call: ApiCall): Calendar {
  const { account } = call.caller;
  const id = getPathParameter(call, 'calendarId');
  const calendar = account.calendars.calendars.get(id === 'primary' ? account.email : id);
  if (!calendar) throw createCalendarNotFoundError();
  return calendar;
}

/** The same, for writing. */
export function getWritableCalendar(call: ApiCall): Calendar {
  const calendar = getCalendar(call);
  if (calendar.accessRole === 'owner' || calendar.accessRole === 'writer') return calendar;
  throw createLegacyError(403, {
    domain: 'calendar',
    reason: 'requiredAccessLevel',
    message: 'You need to have writer access to this calendar.',
  });
}

function listCalendars(call: ApiCall): Reply {
  const roles = ['freeBusyReader', 'reader', 'writer', 'owner'];
  const least = roles.indexOf(getTextParameter(call, 'minAccessRole') ?? 'freeBusyReader');
  const all = [...call.caller.account.calendars.calendars.values()].filter(
    (item) => roles.indexOf(item.accessRole) >= least,
  );
  const { items, nextPageToken } = cutPage(call, all, Math.min(250, getIntegerParameter(call, 'maxResults', 100)));
  return {
    json: {
      kind: 'calendar#calendarList',
      etag: `"p${all.length}"`,
      ...(nextPageToken
        ? { nextPageToken }
        : { nextSyncToken: Buffer.from(`list:${all.length}`).toString('base64url') }),
      items: items.map(buildCalendarListEntry),
    },
  };
}

const busyInput = z.strictObject({
  timeMin: z.string().regex(rfc3339),
  timeMax: z.string().regex(rfc3339),
  timeZone: z.string().optional(),
  groupExpansionMax: z.number().optional(),
  calendarExpansionMax: z.number().optional(),
  items: z.array(z.strictObject({ id: z.string() })),
});

/** A secondary calendar of one's own; the primary one can only be cleared. */
function deleteCalendar(call: ApiCall): Reply {
  const calendar = getCalendar(call);
  const refused = (reason: string, message: string) => createLegacyError(403, { domain: 'calendar', reason, message });
  if (calendar.accessRole !== 'owner')
    throw refused('requiredAccessLevel', 'You need to be the owner of this calendar.');
  if (calendar.id === call.caller.account.email)
    throw refused('cannotDeletePrimaryCalendar', 'The primary calendar of an account cannot be deleted.');
  call.caller.account.calendars.calendars.delete(calendar.id);
  return { status: 204 };
}

function listBusyEvents(calendar: Calendar, from: number, to: number, now: Date): StoredEvent[] {
  const opaque = [...calendar.events.values()].filter(
    (event) => event.status !== 'cancelled' && event.content.transparency !== 'transparent',
  );
  const moment = (time: StoredEvent['content']['start']) => toInstant(time, calendar.timeZone).getTime();
  return opaque
    .flatMap((event) =>
      event.content.recurrence?.length ? listSeriesOccurrences(calendar, event, { from, to }, now) : [event],
    )
    .filter((event) => moment(event.content.start) < to && moment(event.content.end) > from)
    .sort((one, other) => moment(one.content.start) - moment(other.content.start));
}

function queryBusy(call: ApiCall): Reply {
  const body = parseJsonBody(call, busyInput);
  const zone = body.timeZone ?? 'UTC';
  const { account } = call.caller;
  const calendars = body.items.map(({ id }) => {
    const calendar = account.calendars.calendars.get(id === 'primary' ? account.email : id);
    if (!calendar) return [id, { errors: [{ domain: 'global', reason: 'notFound' }], busy: [] }];
    const busy = listBusyEvents(calendar, Date.parse(body.timeMin), Date.parse(body.timeMax), call.now).map(
      (event) => ({
        start: formatInZone(toInstant(event.content.start, calendar.timeZone), zone),
        end: formatInZone(toInstant(event.content.end, calendar.timeZone), zone),
      }),
    );
    return [id, { busy }];
  });
  const { timeMin, timeMax } = body;
  return { json: { kind: 'calendar#freeBusy', timeMin, timeMax, calendars: Object.fromEntries(calendars) } };
}

const listQuery: Record<string, QueryRule> = {
  maxResults: { type: 'integer', min: 1 },
  minAccessRole: { type: 'string', values: ['freeBusyReader', 'owner', 'reader', 'writer'] },
  pageToken: { type: 'string' },
  showDeleted: { type: 'boolean' },
  showHidden: { type: 'boolean' },
};
const listScopes = [scope.all, scope.readonly, scope.list, scope.listReadonly];
const calendarScopes = [scope.all, scope.readonly, scope.calendars, scope.calendarsReadonly];

/** The routes of calendars. */
export const calendarRoutes: ApiRoute[] = [
  {
    method: 'GET',
    path: '/calendar/v3/users/me/calendarList',
    api: 'calendar',
    scopes: listScopes,
    query: listQuery,
    handle: listCalendars,
  },
  {
    method: 'GET',
    path: '/calendar/v3/users/me/calendarList/:calendarId',
    api: 'calendar',
    scopes: listScopes,
    handle: (call) => ({ json: buildCalendarListEntry(getCalendar(call)) }),
  },
  {
    method: 'GET',
    path: '/calendar/v3/calendars/:calendarId',
    api: 'calendar',
    scopes: calendarScopes,
    handle: (call) => ({ json: buildCalendarResource(getCalendar(call)) }),
  },
  {
    method: 'DELETE',
    path: '/calendar/v3/calendars/:calendarId',
    api: 'calendar',
    scopes: [scope.all, scope.calendars],
    handle: deleteCalendar,
  },
  {
    method: 'POST',
    path: '/calendar/v3/freeBusy',
    api: 'calendar',
    scopes: [scope.all, scope.readonly, scope.freebusy],
    handle: queryBusy,
  },
];
