// What clients write: the schema of an event, and the checks Google makes on it.
import { z } from 'zod';
import { createLegacyError } from '../errors.ts';
import { splitNames, rfc3339 } from '../../kit/routing.ts';
import { isZone } from '../../kit/zones.ts';
import type { EventContent, EventTime } from './store.ts';
import { toInstant, parseRule } from './time.ts';

const eventTime = z.strictObject({
  date: z.string().optional(),
  dateTime: z.string().optional(),
  timeZone: z.string().optional(),
});

const attendee = z.strictObject({
  email: z.string(),
  displayName: z.string().optional(),
  optional: z.boolean().optional(),
  resource: z.boolean().optional(),
  responseStatus: z.enum(['needsAction', 'declined', 'tentative', 'accepted']).optional(),
  comment: z.string().optional(),
  additionalGuests: z.number().int().optional(),
  id: z.string().optional(),
  organizer: z.boolean().optional(),
  self: z.boolean().optional(),
});

const properties = z.record(z.string(), z.string());

const written = {
  summary: z.string().optional(),
  description: z.string().optional(),
  location: z.string().optional(),
  colorId: z.string().optional(),
  status: z.enum(['confirmed', 'tentative', 'cancelled']).optional(),
  visibility: z.enum(['default', 'public', 'private', 'confidential']).optional(),
  transparency: z.enum(['opaque', 'transparent']).optional(),
  start: eventTime.optional(),
  end: eventTime.optional(),
  recurrence: z.array(z.string()).optional(),
  attendees: z.array(attendee).max(200).optional(),
  reminders: z
    .strictObject({
      useDefault: z.boolean().optional(),
      overrides: z
        .array(z.strictObject({ method: z.enum(['email', 'popup']), minutes: z.number().int().min(0).max(40_320) }))
        .max(5)
        .optional(),
    })
    .optional(),
  extendedProperties: z.strictObject({ private: properties.optional(), shared: properties.optional() }).optional(),
  conferenceData: z.unknown().optional(),
  guestsCanInviteOthers: z.boolean().optional(),
  guestsCanModify: z.boolean().optional(),
  guestsCanSeeOtherGuests: z.boolean().optional(),
  anyoneCanAddSelf: z.boolean().optional(),
  source: z.strictObject({ url: z.string().optional(), title: z.string().optional() }).optional(),
  attachments: z.array(z.unknown()).optional(),
  eventType: z.enum(['default', 'outOfOffice', 'focusTime', 'workingLocation', 'birthday', 'fromGmail']).optional(),
  focusTimeProperties: z.unknown().optional(),
  outOfOfficeProperties: z.unknown().optional(),
  workingLocationProperties: z.unknown().optional(),
  birthdayProperties: z.unknown().optional(),
  gadget: z.unknown().optional(),
  sequence: z.number().int().optional(),
};

/** Google's own fields: a client may send them back without effect. */
const ignored = splitNames(`
  kind etag htmlLink created updated creator organizer iCalUID recurringEventId privateCopy originalStartTime
  attendeesOmitted hangoutLink locked endTimeUnspecified
`);

/** A whole event in a request. */
export const eventInput = z.strictObject({
  ...written,
  id: z.string().optional(),
  ...Object.fromEntries(ignored.map((name) => [name, z.unknown().optional()])),
});

/** Only what the client may write. */
export function pickEventContent(body: Record<string, unknown>): EventContent {
  return Object.fromEntries(Object.entries(body).filter(([name, value]) => name in written && value !== undefined));
}

function refuse(reason: string, message: string) {
  return createLegacyError(400, { reason, message });
}

function checkTime(time: EventTime, what: 'start' | 'end'): void {
  const { date, dateTime, timeZone } = time;
  if (date === undefined && dateTime === undefined) throw refuse('required', `Missing ${what} time.`);
  if (date !== undefined && dateTime !== undefined) throw refuse('invalid', `Invalid ${what} time.`);
  if (timeZone !== undefined && !isZone(timeZone))
    throw refuse('invalid', `Invalid time zone definition for ${what} time.`);
  if (date !== undefined && (!/^\d{4}-\d\d-\d\d$/.test(date) || Number.isNaN(Date.parse(date))))
    throw refuse('invalid', `Invalid ${what} time.`);
  if (dateTime === undefined || rfc3339.test(dateTime)) return;
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?$/.test(dateTime)) throw refuse('badRequest', 'Bad Request');
  if (timeZone === undefined) throw refuse('required', `Missing time zone definition for ${what} time.`);
}

/** Checks an event as a whole; what comes back has both times. */
export function checkContent(content: EventContent, zone: string): EventContent & { start: EventTime; end: EventTime } {
  const { start, end, recurrence, attendees } = content;
  if (!end) throw refuse('required', 'Missing end time.');
  if (!start) throw refuse('required', 'Missing start time.');
  checkTime(start, 'start');
  checkTime(end, 'end');
  if ((start.date === undefined) !== (end.date === undefined)) {
    throw refuse('invalid', 'Start and end times must either both be date or both be dateTime.');
  }
  if (toInstant(start, zone) > toInstant(end, zone)) {
    throw createLegacyError(400, {
      domain: 'calendar',
      reason: 'timeRangeEmpty',
      message: 'The specified time range is empty.',
    });
  }
  if (recurrence && recurrence.length > 0) {
    if (start.dateTime && !start.timeZone) throw refuse('required', 'Missing time zone definition for start time.');
    parseRule(recurrence);
  }
  for (const { email } of attendees ?? []) {
    if (!/^[^\s@<>]+@[^\s@<>]+$/.test(email)) throw refuse('invalid', 'Invalid attendee email.');
  }
  return { ...content, start, end };
}

/** JSON merge patch: null removes, objects merge, lists are replaced. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (patch === null || typeof patch !== 'object' || Array.isArray(patch)) return patch;
  const base: Record<string, unknown> = isObject(target) ? { ...target } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete base[name];
    else base[name] = mergePatch(base[name], value);
  }
  return base;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
