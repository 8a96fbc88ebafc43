// Converts payload fields to form texts and back.
import { listPayloadAddresses, isWholeDay, getPayloadText } from './payload.ts';
import type { Draft, Payload } from './requests.ts';

const addressFields = new Set(['to', 'cc', 'bcc', 'attendees']);
const momentFields = ['start', 'end'];

export function formatFormField(payload: Payload, field: string): string {
  if (isObject(payload, field)) return JSON.stringify(payload[field], null, 2);
  if (isList(payload, field)) return listPayloadAddresses(payload, field).join('\n');
  if (typeof payload[field] === 'boolean') return String(payload[field]);
  const text = getPayloadText(payload, field);
  return findMomentKind(payload, field) === 'clock' ? formatClockTime(text) : text;
}

/** What a form edits: the payload, and the present values of fields that it could change but does not. */
type EditedDraft = Pick<Draft, 'payload' | 'present' | 'editable'>;

/** The changed fields of a form. */
export function listFormChanges(form: FormData, { payload, present, editable }: EditedDraft): Payload {
  const changed = editable.filter((field) => String(form.get(field) ?? '') !== formatFormField(payload, field));
  return Object.fromEntries(
    changed.map((field) => [field, parseFormField(String(form.get(field) ?? ''), field, { ...present, ...payload })]),
  );
}

/** The form text of an untouched field of a change; null: the draft sets it, or creates something. */
export function formatUntouchedField({ payload, present }: EditedDraft, field: string): string | null {
  const isChange = Object.keys(present).length > 0 || 'event_id' in payload || 'file_id' in payload;
  return isChange && payload[field] === undefined ? formatFormField(present, field) : null;
}

function parseFormField(text: string, field: string, payload: Payload): unknown {
  if (isList(payload, field)) return parseEntries(text, isOfAddresses(field));
  if (isObject(payload, field)) return JSON.parse(text) as Payload; // the form accepts nothing else
  if (typeof payload[field] === 'boolean') return text === 'true';
  return findMomentKind(payload, field) === 'clock' && text ? withOffset(text, getPayloadText(payload, field)) : text;
}

export function isOfAddresses(field: string): boolean {
  return addressFields.has(field);
}

export function isList(payload: Payload, field: string): boolean {
  return isOfAddresses(field) || Array.isArray(payload[field]);
}

/** A field with fields of its own, such as the columns of an item. */
export function isObject(payload: Payload, field: string): boolean {
  return isRecord(payload[field]);
}

export function isJson(text: string): boolean {
  try {
    return isRecord(JSON.parse(text));
  } catch {
    return false;
  }
}

function isRecord(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a field is a whole day or a time; a missing end is like the other end. Null: neither can be read. */
export function findMomentKind(payload: Payload, field: string): 'day' | 'clock' | null {
  if (!momentFields.includes(field)) return null;
  const [at = ''] = [field, ...momentFields].map((each) => getPayloadText(payload, each)).filter(Boolean);
  if (isWholeDay(at)) return 'day';
  return Number.isNaN(Date.parse(at)) ? null : 'clock';
}

/** A moment in the reader's time zone, in the form of time fields: `2027-06-01T14:00`. */
function formatClockTime(at: string): string {
  if (!at) return '';
  const date = new Date(at);
  const shifted = new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString();
  return shifted.slice(0, date.getSeconds() ? 19 : 16);
}

/**
 * The same with seconds and the reader's offset at that time: `2027-06-01T14:00:00+02:00`. In an hour that occurs twice
 * the earlier moment counts; an hour that a clock change skips becomes the one after it.
 */
function withOffset(clock: string, before: string): string {
  const typed = new Date(clock);
  const known = [new Date(before), typed].filter((date) => !Number.isNaN(date.getTime()));
  const texts = known.map((date) => `${clock.padEnd(19, ':00')}${formatUtcOffset(date)}`);
  return (
    texts.find((text) => formatClockTime(text) === clock) ?? withOffset(formatClockTime(typed.toISOString()), before)
  );
}

/** The reader's offset at a time: `+02:00`. */
function formatUtcOffset(date: Date): string {
  const east = -date.getTimezoneOffset();
  const parts = [Math.floor(Math.abs(east) / 60), Math.abs(east) % 60].map((part) => String(part).padStart(2, '0'));
  return `${east < 0 ? '-' : '+'}${parts.join(':')}`;
}

/** The new end when a start moves, so that the duration stays the same; both in the form of the fields. */
export function shiftEnd(end: string, start: { from: string; to: string }): string {
  const [from, to, until] = [start.from, start.to, end].map((text) => Date.parse(text.length > 10 ? `${text}Z` : text));
  const moved = new Date((until ?? NaN) + (to ?? NaN) - (from ?? NaN));
  return Number.isNaN(moved.getTime()) ? end : moved.toISOString().slice(0, end.length);
}

/** Pasted addresses may have commas between them; a comma in quotes or angle brackets belongs to its address. */
function parseEntries(text: string, areAddresses: boolean): string[] {
  const lines = text.split('\n');
  const entries = areAddresses ? lines.flatMap((line) => line.match(/(?:"[^"]*"|<[^>]*>|[^,;])+/g) ?? []) : lines;
  return entries.map((entry) => entry.trim()).filter(Boolean);
}
