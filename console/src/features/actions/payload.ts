import type { Payload } from './requests.ts';

/** Reads a payload, which is open: each action has fields of its own. */
export function getPayloadText(payload: Payload, field: string): string {
  const value = payload[field];
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}

/** The addresses of a field; invited people may be objects with an `email`. */
export function listPayloadAddresses(payload: Payload, field: string): string[] {
  const value = payload[field];
  const entries = Array.isArray(value) ? value : typeof value === 'string' ? value.split(',') : [];
  return entries.map(toAddress).filter(Boolean);
}

function toAddress(entry: unknown): string {
  if (typeof entry === 'string') return entry.trim();
  const hasEmail = typeof entry === 'object' && entry !== null && 'email' in entry && typeof entry.email === 'string';
  return hasEmail ? String(entry.email) : '';
}

/** Whether a moment is a whole day. */
export function isWholeDay(at: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(at);
}

/** The value of any field as text: of a list with commas between, or one on each line where one of them has a comma itself. */
export function formatPayloadField(payload: Payload, field: string): string {
  const value = payload[field];
  if (value === undefined || value === null) return '';
  if (Array.isArray(value)) return joinValues(listPayloadAddresses(payload, field));
  return typeof value === 'object' ? JSON.stringify(value, null, 2) : String(value);
}

function joinValues(values: readonly string[]): string {
  return values.join(values.some((value) => value.includes(',')) ? '\n' : ', ');
}

/** The payload fields that a view does not show. They are listed, so that nothing is sent unseen. */
export function listUnshownFields(payload: Payload, shown: readonly string[]): [string, string][] {
  return Object.entries(payload)
    .filter(([field, value]) => !shown.includes(field) && !isNothing(value))
    .map(([field, value]) => [field.replaceAll('_', ' '), typeof value === 'string' ? value : JSON.stringify(value)]);
}

function isNothing(value: unknown): boolean {
  return value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
}

/** A file as it goes out with a mail; its size in bytes. */
export type SentFile = { name: string; type: string; size: number };

/** The files that are sent with a mail, as far as its draft lists them. */
export function listPayloadFiles(payload: Payload): SentFile[] {
  const files = Array.isArray(payload['attachments']) ? payload['attachments'] : [];
  return files.map((file: { filename?: unknown; mime_type?: unknown; size?: unknown }, at) => ({
    name: String(file.filename ?? `Attachment ${at + 1}`),
    type: String(file.mime_type ?? ''),
    size: Number(file.size ?? 0),
  }));
}

/** What kind of thing a payload is, which decides how it is shown. */
export type PayloadKind = 'email' | 'event' | 'file' | 'other';

export function classifyPayload(payload: Payload): PayloadKind {
  // A change is not shown as a new item.
  if ('event_id' in payload || 'file_id' in payload) return 'other';
  if ('to' in payload && 'subject' in payload) return 'email';
  if ('summary' in payload && ('start' in payload || 'end' in payload)) return 'event';
  return 'name' in payload && 'content' in payload ? 'file' : 'other';
}
