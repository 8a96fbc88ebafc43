// Compares an item's present values with the input of an action, and shows a person both values of each changing field.
import { isDeepStrictEqual } from 'node:util';
import { formatText } from '#providers/http';
import { mapOption, type Field, type FieldTable } from './fields.ts';
import type { Payload } from './payload.ts';
import { formatList } from './texts.ts';

/** An item's present values, by the fields that change them, in the provider's form; `values` is an object. */
export type FieldReaders<Item, Name extends string = string> = { readonly [Each in Name]?: (item: Item) => unknown };

type Comparison<Item> = { fields: FieldTable; has: FieldReaders<Item>; item: Item; input: Payload };

/** Longer texts are not shown: a part of one would look like a change. */
const longest = 60_000;
const none = 'None';

/** Whether the item has all requested values. */
export function isAsRequested<Item>({ fields, has, item, input }: Comparison<Item>): boolean {
  return listGivenFields(has, input).every(([name, read]) => isField(fields[name], read(item), input[name]));
}

function listGivenFields<Item>(has: FieldReaders<Item>, input: Payload): [string, (item: Item) => unknown][] {
  return Object.entries(has).flatMap(([name, read]) => (read && input[name] !== undefined ? [[name, read]] : []));
}

function isField(field: Field | undefined, found: unknown, requested: unknown): boolean {
  if (field?.kind === 'time')
    return parseSecond(convertToDay(formatText(found), String(requested))) === parseSecond(String(requested));
  if (field?.kind === 'values') {
    const there = Object(found) as Record<string, unknown>; // an item without values has none of the requested ones
    return Object.entries(requested ?? {}).every(([name, value]) => normalizeValue(there[name]) === readLabel(value));
  }
  return (
    normalizeValue(found) === normalizeValue(field?.kind === 'choice' ? mapOption(field, String(requested)) : requested)
  );
}

/** Providers write line ends differently, and use null for empty values. */
export function normalizeValue(value: unknown): string {
  const said = Array.isArray(value) ? value.map(formatText).toSorted().join('\n') : formatText(value);
  return said.replaceAll('\r\n', '\n').trim();
}

const signs: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: '' };

/** Whether two texts are equal except for white space and HTML's ways to write characters. */
export function isLoosely(found: unknown, requested: unknown): boolean {
  return stripMarkup(found) === stripMarkup(requested);
}

function stripMarkup(value: unknown): string {
  return normalizeValue(value)
    .replaceAll(/&(amp|lt|gt|quot|nbsp);/g, (_written, sign: string) => signs[sign] ?? '')
    .replaceAll(/\s+/g, '');
}

/** The values of an object, such as `{"label": "Done"}`, as text. */
function readLabel(value: unknown): string {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return normalizeValue(isObject ? Object.values(value).map(formatText).join(' ') : value);
}

/** The present values of the fields that change; two drafts of the same change are compared by them. */
export function readOverwritten<Item>({ fields, has, item, input }: Comparison<Item>): Record<string, unknown> {
  return Object.fromEntries(
    listGivenFields(has, input).flatMap(([name, read]) =>
      fields[name]?.kind === 'values'
        ? pickValues(read(item), input[name]).map(([key, value]) => [`${name} ${key}`, value] as const)
        : [[name, read(item)] as const],
    ),
  );
}

/** The named values that change. */
function pickValues(found: unknown, requested: unknown): [string, string][] {
  const there = Object(found) as Record<string, unknown>; // an item without values has none of the requested ones
  return Object.keys(requested ?? {}).map((name) => [name, formatText(there[name])]);
}

/** Longer values of unchanged fields are not stored. */
const longestPresent = 2_000;

/** The present values of fields that could change but do not, by name, as text. */
export function readPresent<Item>(
  { fields, has, item, input }: Comparison<Item>,
  editable: readonly string[],
): Record<string, string> {
  const untouched = Object.entries(has).filter(([name]) => input[name] === undefined && editable.includes(name));
  const texts = untouched.map(([name, read]) => {
    const value = read?.(item);
    const text = Array.isArray(value) ? formatList(value.map(formatText)) : formatText(value);
    return [name, fields[name]?.kind === 'time' ? withZone(text) : text] as const;
  });
  return Object.fromEntries(texts.filter(([, text]) => text !== '' && text.length <= longestPresent));
}

/** The present values of the changing fields, by label, as people read them. */
export function readPresentValues<Item>({
  fields,
  has,
  item,
  input,
}: Comparison<Item>): { label: string; text: string }[] {
  return listGivenFields(has, input).flatMap(([name, read]) => {
    const field = fields[name];
    if (!field) return [];
    const text = describePresentValue(field, read(item), input[name]);
    return text === undefined || text.length > longest ? [] : [{ label: field.label, text }];
  });
}

/** The same, for values that are known as text: `was`, by field name. */
export function formatPresentValues(fields: FieldTable, was: Readonly<Record<string, string>>, input: Payload) {
  return Object.entries(was).flatMap(([name, text]) =>
    input[name] === undefined || text === '' || text.length > longest
      ? []
      : [{ label: fields[name]?.label ?? name, text }],
  );
}

/** Undefined when the item already has the value, in any notation. */
function describePresentValue(field: Field, found: unknown, requested: unknown): string | undefined {
  if (field.kind === 'values') {
    const there = pickValues(found, requested);
    return there.length === 0 ? undefined : JSON.stringify(Object.fromEntries(there), null, 2);
  }
  if (field.kind === 'time') {
    const at = convertToDay(formatText(found), String(requested));
    return parseMoment(at) === parseMoment(String(requested))
      ? undefined
      : convertOffset(String(requested), at) || none;
  }
  if (Array.isArray(found)) return isSameList(found, requested) ? undefined : formatList(found) || none;
  if (field.kind !== 'choice') return formatText(found) || none;
  const option = Object.keys(field.options).find((each) => mapOption(field, each) === found);
  return option === undefined ? formatText(found) || none : (field.options[option] ?? option);
}

function isSameList(found: readonly unknown[], requested: unknown): boolean {
  if (!Array.isArray(requested)) return false;
  return isDeepStrictEqual(found.map(formatText).toSorted(), requested.map(formatText).toSorted());
}

/** Some providers write whole days as midnights. */
function convertToDay(found: string, requested: string): string {
  return !requested.includes('T') && /T00:00:00(?:\.0+)?$/.test(found) ? found.slice(0, 10) : found;
}

/** A time without a zone is in UTC. Whole days and other texts unchanged. */
function withZone(text: string): string {
  return text.includes('T') && !/(?:Z|[+-]\d\d:\d\d)$/.test(text) ? `${text}Z` : text;
}

/** A time in the zone of another time; whole days unchanged. */
function convertOffset(other: string, moment: string): string {
  const at = parseMoment(moment);
  if (typeof at === 'string') return at;
  const [offset = 'Z', sign, hours, minutes] = /([+-])(\d\d):(\d\d)$/.exec(other) ?? [];
  const shiftMs = offset === 'Z' ? 0 : Number(`${sign}1`) * (Number(hours) * 60 + Number(minutes)) * 60_000;
  return `${new Date(at + shiftMs).toISOString().slice(0, 19)}${offset}`;
}

/** Fractions of seconds are not sent. */
function parseSecond(text: string): number | string {
  const at = parseMoment(text);
  return typeof at === 'string' ? at : Math.floor(at / 1000);
}

/** In milliseconds; a time without a zone is in UTC. Whole days and other texts unchanged. */
function parseMoment(text: string): number | string {
  const at = Date.parse(withZone(text));
  return !text.includes('T') || Number.isNaN(at) ? text : at;
}
