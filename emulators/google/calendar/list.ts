// events.list: filters, series, order and sync tokens.
import { z } from 'zod';
import { createLegacyError } from '../errors.ts';
import { getFlagParameter, getIntegerParameter, list, getTextParameter } from '../../kit/routing.ts';
import { cutPage } from '../routing.ts';
import type { QueryRule } from '../../kit/routing.ts';
import type { Reply } from '../../kit/wire.ts';
import type { ApiCall } from '../routing.ts';
import { buildEventResource, buildInstanceEvent } from './resource.ts';
import type { Calendar, StoredEvent } from './store.ts';
import { expandInstances, toInstant } from './time.ts';

/** The parameters of events.list. */
export const listQuery: Record<string, QueryRule> = {
  alwaysIncludeEmail: { type: 'boolean' },
  eventTypes: { type: 'string', repeated: true },
  iCalUID: { type: 'string' },
  maxAttendees: { type: 'integer', min: 1 },
  maxResults: { type: 'integer', min: 1 },
  orderBy: { type: 'string', values: ['startTime', 'updated'] },
  pageToken: { type: 'string' },
  privateExtendedProperty: { type: 'string', repeated: true },
  q: { type: 'string' },
  sharedExtendedProperty: { type: 'string', repeated: true },
  showDeleted: { type: 'boolean' },
  showHiddenInvitations: { type: 'boolean' },
  singleEvents: { type: 'boolean' },
  syncToken: { type: 'string' },
  timeMax: { type: 'date-time' },
  timeMin: { type: 'date-time' },
  timeZone: { type: 'string' },
  updatedMin: { type: 'date-time' },
};

/** Parameters that cannot stand beside a sync token. */
const notWithSync = [
  'iCalUID',
  'orderBy',
  'privateExtendedProperty',
  'q',
  'sharedExtendedProperty',
  'timeMin',
  'timeMax',
  'updatedMin',
];

/** A list made with these gives no sync token. */
const noSyncAfter = ['iCalUID', 'orderBy', 'privateExtendedProperty', 'q', 'sharedExtendedProperty', 'updatedMin'];

const syncPoint = z.object({ calendarId: z.string(), changes: z.number(), singleEvents: z.boolean() });
type SyncPoint = z.infer<typeof syncPoint>;

function writeSyncToken(point: SyncPoint): string {
  return `C${Buffer.from(JSON.stringify(point)).toString('base64url')}`;
}

function createFullSyncError() {
  return createLegacyError(410, {
    domain: 'calendar',
    reason: 'fullSyncRequired',
    message: 'Sync token is no longer valid, a full sync is required.',
    location: 'syncToken',
    locationType: 'parameter',
  });
}

function readSyncToken(token: string, calendar: Calendar): SyncPoint {
  let point: SyncPoint;
  try {
    point = syncPoint.parse(JSON.parse(Buffer.from(token.slice(1), 'base64url').toString()));
  } catch (cause) {
    const error = createFullSyncError();
    error.cause = cause;
    throw error;
  }
  const current =
    point.calendarId === calendar.id && point.changes >= calendar.syncFloor && point.changes <= calendar.changes;
  if (!current) throw createFullSyncError();
  return point;
}

function checkCombination(call: ApiCall): void {
  const query = call.url.searchParams;
  const clash =
    query.has('syncToken') && (notWithSync.some((name) => query.has(name)) || query.get('showDeleted') === 'false');
  if (clash) {
    throw createLegacyError(400, {
      reason: 'badRequest',
      message: 'The specified parameters are not compatible with syncToken.',
    });
  }
  if (getTextParameter(call, 'orderBy') === 'startTime' && !getFlagParameter(call, 'singleEvents')) {
    throw createLegacyError(400, {
      reason: 'badRequest',
      message: 'The requested ordering is not available for the particular query.',
    });
  }
  const [from, to] = [getTextParameter(call, 'timeMin'), getTextParameter(call, 'timeMax')];
  if (from && to && Date.parse(from) >= Date.parse(to)) {
    throw createLegacyError(400, {
      domain: 'calendar',
      reason: 'timeRangeEmpty',
      message: 'The specified time range is empty.',
      location: 'timeMax',
      locationType: 'parameter',
    });
  }
}

type Range = { from: number; to: number };

function isInRange(event: StoredEvent, calendar: Calendar, range: Range): boolean {
  const start = toInstant(event.content.start, calendar.timeZone).getTime();
  const end = toInstant(event.content.end, calendar.timeZone).getTime();
  return start < range.to && (end > range.from || (start === end && start >= range.from));
}

/** The occurrences of a series inside a range; changed ones stand for themselves and are left out. */
export function listSeriesOccurrences(calendar: Calendar, series: StoredEvent, range: Range, now: Date): StoredEvent[] {
  const horizon = new Date(Math.min(range.to, now.getTime() + 2 * 366 * 86_400_000));
  return expandInstances(series, calendar.timeZone, horizon)
    .filter((instance) => !calendar.events.has(instance.id))
    .map((instance) => buildInstanceEvent(series, instance))
    .filter((event) => isInRange(event, calendar, range));
}

function isSeries(event: StoredEvent): boolean {
  return (event.content.recurrence ?? []).some((line) => line.startsWith('RRULE:'));
}

function hasMention(event: StoredEvent, q: string): boolean {
  const { summary, description, location, attendees } = event.content;
  const people = (attendees ?? []).flatMap((attendee) => [attendee.email, attendee.displayName]);
  const haystack = [summary, description, location, event.organizer, ...people].join(' ').toLowerCase();
  return q
    .toLowerCase()
    .split(/\s+/)
    .every((word) => haystack.includes(word));
}

function hasProperties(given: Record<string, string> | undefined, wanted: string[]): boolean {
  return wanted.every((pair) => given?.[pair.slice(0, pair.indexOf('='))] === pair.slice(pair.indexOf('=') + 1));
}

function select(call: ApiCall, calendar: Calendar, since: SyncPoint | undefined): StoredEvent[] {
  const single = getFlagParameter(call, 'singleEvents');
  const showDeleted =
    since !== undefined || getFlagParameter(call, 'showDeleted') || getTextParameter(call, 'updatedMin') !== undefined;
  const range = {
    from: Date.parse(getTextParameter(call, 'timeMin') ?? '') || -Infinity,
    to: Date.parse(getTextParameter(call, 'timeMax') ?? '') || Infinity,
  };
  const updatedMin = Date.parse(getTextParameter(call, 'updatedMin') ?? '') || -Infinity;
  const types = list(call, 'eventTypes');
  const kept = [...calendar.events.values()].filter((event) => {
    // A cancelled occurrence shows in a list of series, so that the client can take it out of the series.
    const shown = event.status !== 'cancelled' || showDeleted || (event.recurringEventId !== undefined && !single);
    if (!shown || event.updated < updatedMin) return false;
    if (since && event.changed <= since.changes) return false;
    if (types.length > 0 && !types.includes(String(event.content.eventType ?? 'default'))) return false;
    const uid = getTextParameter(call, 'iCalUID');
    const properties = event.content.extendedProperties;
    return (
      (!uid || event.iCalUID === uid) &&
      hasMention(event, getTextParameter(call, 'q') ?? '') &&
      hasProperties(properties?.private, list(call, 'privateExtendedProperty')) &&
      hasProperties(properties?.shared, list(call, 'sharedExtendedProperty'))
    );
  });
  return kept.flatMap((event) => {
    if (!isSeries(event)) return isInRange(event, calendar, range) ? [event] : [];
    if (single) return event.status === 'cancelled' ? [] : listSeriesOccurrences(calendar, event, range, call.now);
    return event.status === 'cancelled' || listSeriesOccurrences(calendar, event, range, call.now).length > 0
      ? [event]
      : [];
  });
}

function sortEvents(events: StoredEvent[], calendar: Calendar, by: string | undefined): StoredEvent[] {
  const start = (event: StoredEvent) => toInstant(event.content.start, calendar.timeZone).getTime();
  if (by === 'startTime') return events.sort((one, other) => start(one) - start(other));
  if (by === 'updated') return events.sort((one, other) => one.updated - other.updated || one.changed - other.changed);
  return events;
}

/** A deleted event in a list carries little more than its id. */
function buildListedEvent(calendar: Calendar, event: StoredEvent, zone: string) {
  const resource = buildEventResource(calendar, event, zone);
  if (event.status !== 'cancelled') return resource;
  const { kind, etag, id, status, recurringEventId, originalStartTime } = resource;
  return {
    kind,
    etag,
    id,
    status,
    ...(recurringEventId ? { recurringEventId } : {}),
    ...(originalStartTime ? { originalStartTime } : {}),
  };
}

/** Answers events.list. */
export function listEvents(call: ApiCall, calendar: Calendar): Reply {
  checkCombination(call);
  const token = getTextParameter(call, 'syncToken');
  const since = token === undefined ? undefined : readSyncToken(token, calendar);
  const singleEvents = getFlagParameter(call, 'singleEvents');
  if (since && since.singleEvents !== singleEvents) {
    throw createLegacyError(400, {
      reason: 'badRequest',
      message: 'The specified parameters are not compatible with syncToken.',
    });
  }
  const events = sortEvents(select(call, calendar, since), calendar, getTextParameter(call, 'orderBy'));
  const { items, nextPageToken } = cutPage(call, events, Math.min(2500, getIntegerParameter(call, 'maxResults', 250)));
  const canSync = !noSyncAfter.some((name) => call.url.searchParams.has(name));
  const nextSyncToken = writeSyncToken({ calendarId: calendar.id, changes: calendar.changes, singleEvents });
  const zone = getTextParameter(call, 'timeZone') ?? calendar.timeZone;
  return {
    json: {
      kind: 'calendar#events',
      etag: `"p${calendar.changes}"`,
      summary: calendar.summary,
      description: calendar.description ?? '',
      updated: new Date(Math.max(0, ...[...calendar.events.values()].map((event) => event.updated))).toISOString(),
      timeZone: calendar.timeZone,
      accessRole: calendar.accessRole,
      defaultReminders: calendar.primary ? [{ method: 'popup', minutes: 30 }] : [],
      ...(nextPageToken ? { nextPageToken } : {}),
      ...(!nextPageToken && canSync ? { nextSyncToken } : {}),
      items: items.map((event) => buildListedEvent(calendar, event, zone)),
    },
  };
}
