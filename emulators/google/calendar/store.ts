// Calendars and their events, with the order of changes that sync tokens count by.
import { randomBytes } from 'node:crypto';

/** A day, or a moment; a moment without an offset needs its zone. */
export type EventTime = { date?: string | undefined; dateTime?: string | undefined; timeZone?: string | undefined };

/** Somebody who is invited. */
export type Attendee = {
  email: string;
  displayName?: string | undefined;
  optional?: boolean | undefined;
  resource?: boolean | undefined;
  responseStatus?: string | undefined;
  comment?: string | undefined;
  additionalGuests?: number | undefined;
};

/** What a client may write. Everything else of an event is Google's. */
export type EventContent = {
  summary?: string | undefined;
  description?: string | undefined;
  location?: string | undefined;
  colorId?: string | undefined;
  status?: 'confirmed' | 'tentative' | 'cancelled' | undefined;
  visibility?: string | undefined;
  transparency?: string | undefined;
  start?: EventTime | undefined;
  end?: EventTime | undefined;
  endTimeUnspecified?: boolean | undefined;
  recurrence?: string[] | undefined;
  attendees?: Attendee[] | undefined;
  reminders?: unknown;
  extendedProperties?:
    | { private?: Record<string, string> | undefined; shared?: Record<string, string> | undefined }
    | undefined;
  conferenceData?: unknown;
  sequence?: number | undefined;
  [other: string]: unknown;
};

/** A stored event. */
export type StoredEvent = {
  id: string;
  content: EventContent & { start: EventTime; end: EventTime };
  status: 'confirmed' | 'tentative' | 'cancelled';
  organizer: string;
  iCalUID: string;
  created: number;
  updated: number;
  /** Grows with every change of the event; the etag is made of it. */
  version: number;
  sequence: number;
  /** The calendar's change count when this event last changed. */
  changed: number;
  /** Set on a changed instance of a series. */
  recurringEventId?: string;
  originalStartTime?: EventTime;
};

/** A calendar in one account's list. */
export type Calendar = {
  id: string;
  summary: string;
  description?: string;
  timeZone: string;
  accessRole: 'owner' | 'writer' | 'reader' | 'freeBusyReader';
  primary: boolean;
  colorId: string;
  events: Map<string, StoredEvent>;
  changes: number;
  /** Sync tokens from before this change count are answered 410. */
  syncFloor: number;
};

/** All calendars of an account. */
export type CalendarStore = { calendars: Map<string, Calendar> };

/** A calendar to add. */
export type CalendarInput = {
  id?: string;
  summary: string;
  description?: string;
  timeZone?: string;
  accessRole?: Calendar['accessRole'];
};

/** The store of a new account, with its primary calendar. */
export function createCalendarStore(owner: { email: string; timeZone: string }): CalendarStore {
  const store: CalendarStore = { calendars: new Map() };
  addCalendar(store, { id: owner.email, summary: owner.email, timeZone: owner.timeZone }, true);
  return store;
}

/** Adds a calendar to the account's list. */
export function addCalendar(store: CalendarStore, input: CalendarInput, primary = false): Calendar {
  const calendar: Calendar = {
    id: input.id ?? `c_${randomBytes(32).toString('hex')}@group.calendar.google.com`,
    summary: input.summary,
    ...(input.description ? { description: input.description } : {}),
    timeZone: input.timeZone ?? 'UTC',
    accessRole: input.accessRole ?? 'owner',
    primary,
    colorId: String(14 + store.calendars.size),
    events: new Map(),
    changes: 0,
    syncFloor: 0,
  };
  store.calendars.set(calendar.id, calendar);
  return calendar;
}

/** Letters a to v and digits, as Google makes ids. */
export function createEventKey(): string {
  return Array.from(randomBytes(26), (byte) => (byte % 32).toString(32)).join('');
}

/** Notes a change: time, version and the calendar's count. */
export function touch(calendar: Calendar, event: StoredEvent, at: Date): void {
  calendar.changes += 1;
  event.changed = calendar.changes;
  event.version += 1;
  event.updated = at.getTime();
}

/** Puts an event in. */
export function putEvent(
  calendar: Calendar,
  input: Pick<StoredEvent, 'id' | 'content' | 'organizer'> & Partial<StoredEvent>,
  at: Date,
): StoredEvent {
  const event: StoredEvent = {
    status: input.content.status ?? 'confirmed',
    iCalUID: `${input.id}@google.com`,
    created: at.getTime(),
    updated: at.getTime(),
    version: 0,
    sequence: 0,
    changed: 0,
    ...input,
  };
  touch(calendar, event, at);
  calendar.events.set(event.id, event);
  return event;
}

/** The etag, quotes included. */
export function computeEventEtag(event: StoredEvent): string {
  return `"${event.created * 2}${String(event.version).padStart(3, '0')}"`;
}
