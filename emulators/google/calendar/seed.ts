// Puts events into a calendar without inviting anybody.
import type { Account } from '../accounts.ts';
import { checkContent } from './content.ts';
import { createEventKey, putEvent } from './store.ts';
import type { EventContent, EventTime, StoredEvent } from './store.ts';

/** An event to seed. Times may be dates, RFC 3339 strings, or days (`2026-03-02`). */
export type SeedEvent = Omit<EventContent, 'start' | 'end'> & {
  id?: string;
  calendarId?: string;
  summary: string;
  start: Date | string | EventTime;
  end: Date | string | EventTime;
  organizer?: string;
};

function toEventTime(value: Date | string | EventTime, zone: string): EventTime {
  if (value instanceof Date) return { dateTime: value.toISOString(), timeZone: zone };
  if (typeof value !== 'string') return value;
  return /^\d{4}-\d\d-\d\d$/.test(value) ? { date: value } : { dateTime: value, timeZone: zone };
}

/** Seeds one event, by default in the primary calendar. */
export function seedEvent(account: Account, input: SeedEvent, now: Date): StoredEvent {
  const { id, calendarId, start, end, organizer, ...content } = input;
  const calendar = account.calendars.calendars.get(
    !calendarId || calendarId === 'primary' ? account.email : calendarId,
  );
  if (!calendar) throw new Error(`${account.email} has no calendar ${calendarId ?? ''}`);
  const zone = calendar.timeZone;
  const checked = checkContent({ ...content, start: toEventTime(start, zone), end: toEventTime(end, zone) }, zone);
  return putEvent(
    calendar,
    {
      id: id ?? createEventKey(),
      content: checked,
      organizer: organizer ?? (calendar.primary ? account.email : calendar.id),
    },
    now,
  );
}
