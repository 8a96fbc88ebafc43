// Compares what a provider has with what an action was given, and shows a person from what to what a field changes.
import { isDeepStrictEqual } from 'node:util';
import { textOf } from '#providers/http';
import { sentAs, type Field, type FieldTable } from './fields.ts';
import type { Payload } from './payload.ts';
import { listed } from './texts.ts';

/** The present values of an item, by the fields that change them: in the provider's form, `values` as an object. */
export type Has<Item, Name extends string = string> = { readonly [Each in Name]?: (item: Item) => unknown };

type Compared<Item> = { fields: FieldTable; has: Has<Item>; item: Item; input: Payload };

/** Longer texts are not shown: a part of one would look like a change. */
const longest = 60_000;
const none = 'None';

/** Whether the item has all requested values. */
export function isAsWished<Item>({ fields, has, item, input }: Compared<Item>): boolean {
  return named(has, input).every(([name, read]) => isField(fields[name], read(item), input[name]));
}

function named<Item>(has: Has<Item>, input: Payload): [string, (item: Item) => unknown][] {
  return Object.entries(has).flatMap(([name, read]) => (read && input[name] !== undefined ? [[name, read]] : []));
}

function isField(field: Field | undefined, found: unknown, wished: unknown): boolean {
  if (field?.kind === 'time') return secondOf(asDay(textOf(found), String(wished))) === secondOf(String(wished));
  if (field?.kind === 'values') {
    const there = Object(found) as Record<string, unknown>; // what has no values has none of them
    return Object.entries(wished ?? {}).every(([name, value]) => comparable(there[name]) === saidBy(value));
  }
  return comparable(found) === comparable(field?.kind === 'choice' ? sentAs(field, String(wished)) : wished);
}

/** Providers end lines in their own way, and use null for nothing. */
export function comparable(value: unknown): string {
  const said = Array.isArray(value) ? value.map(textOf).toSorted().join('\n') : textOf(value);
  return said.replaceAll('\r\n', '\n').trim();
}

const signs: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: '' };

/** Whether two texts are the same but for white space and for how HTML writes signs. */
export function isLoosely(found: unknown, wished: unknown): boolean {
  return loose(found) === loose(wished);
}

function loose(value: unknown): string {
  return comparable(value)
    .replaceAll(/&(amp|lt|gt|quot|nbsp);/g, (_written, sign: string) => signs[sign] ?? '')
    .replaceAll(/\s+/g, '');
}

/** Of an object, such as `{"label": "Done"}`, what it says. */
function saidBy(value: unknown): string {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return comparable(isObject ? Object.values(value).map(textOf).join(' ') : value);
}

/** The present values in the places that change; two drafts of the same change are compared by them. */
export function overwrittenIn<Item>({ fields, has, item, input }: Compared<Item>): Record<string, unknown> {
  return Object.fromEntries(
    named(has, input).flatMap(([name, read]) =>
      fields[name]?.kind === 'values'
        ? valuesIn(read(item), input[name]).map(([key, value]) => [`${name} ${key}`, value] as const)
        : [[name, read(item)] as const],
    ),
  );
}

/** The named values that change. */
function valuesIn(found: unknown, wished: unknown): [string, string][] {
  const there = Object(found) as Record<string, unknown>; // what has no values has none of them
  return Object.keys(wished ?? {}).map((name) => [name, textOf(there[name])]);
}

/** Longer texts are not kept beside a field that does not change. */
const longestPresent = 2_000;

/** The present values of fields that could change and do not, by their names, as text. */
export function presentIn<Item>(
  { fields, has, item, input }: Compared<Item>,
  editable: readonly string[],
): Record<string, string> {
  const untouched = Object.entries(has).filter(([name]) => input[name] === undefined && editable.includes(name));
  const texts = untouched.map(([name, read]) => {
    const value = read?.(item);
    const text = Array.isArray(value) ? listed(value.map(textOf)) : textOf(value);
    return [name, fields[name]?.kind === 'time' ? withZone(text) : text] as const;
  });
  return Object.fromEntries(texts.filter(([, text]) => text !== '' && text.length <= longestPresent));
}

/** The present values of the changing fields, by their labels, as people read them. */
export function standingIn<Item>({ fields, has, item, input }: Compared<Item>): { label: string; text: string }[] {
  return named(has, input).flatMap(([name, read]) => {
    const field = fields[name];
    if (!field) return [];
    const text = standingOf(field, read(item), input[name]);
    return text === undefined || text.length > longest ? [] : [{ label: field.label, text }];
  });
}

/** The same of what is known in words: `was`, by the names of fields. */
export function standingBefore(fields: FieldTable, was: Readonly<Record<string, string>>, input: Payload) {
  return Object.entries(was).flatMap(([name, text]) =>
    input[name] === undefined || text === '' || text.length > longest
      ? []
      : [{ label: fields[name]?.label ?? name, text }],
  );
}

/** Undefined where the value is already present, in any notation. */
function standingOf(field: Field, found: unknown, wished: unknown): string | undefined {
  if (field.kind === 'values') {
    const there = valuesIn(found, wished);
    return there.length === 0 ? undefined : JSON.stringify(Object.fromEntries(there), null, 2);
  }
  if (field.kind === 'time') {
    const at = asDay(textOf(found), String(wished));
    return momentOf(at) === momentOf(String(wished)) ? undefined : inOffsetOf(String(wished), at) || none;
  }
  if (Array.isArray(found)) return isSameList(found, wished) ? undefined : listed(found) || none;
  if (field.kind !== 'choice') return textOf(found) || none;
  const option = Object.keys(field.options).find((each) => sentAs(field, each) === found);
  return option === undefined ? textOf(found) || none : (field.options[option] ?? option);
}

function isSameList(found: readonly unknown[], wished: unknown): boolean {
  if (!Array.isArray(wished)) return false;
  return isDeepStrictEqual(found.map(textOf).toSorted(), wished.map(textOf).toSorted());
}

/** Some providers have the midnight of whole days. */
function asDay(found: string, wished: string): string {
  return !wished.includes('T') && /T00:00:00(?:\.0+)?$/.test(found) ? found.slice(0, 10) : found;
}

/** A time without a zone is in UTC. Whole days and other texts unchanged. */
function withZone(text: string): string {
  return text.includes('T') && !/(?:Z|[+-]\d\d:\d\d)$/.test(text) ? `${text}Z` : text;
}

/** A time in the zone of another one; whole days unchanged. */
function inOffsetOf(other: string, moment: string): string {
  const at = momentOf(moment);
  if (typeof at === 'string') return at;
  const [offset = 'Z', sign, hours, minutes] = /([+-])(\d\d):(\d\d)$/.exec(other) ?? [];
  const shiftMs = offset === 'Z' ? 0 : Number(`${sign}1`) * (Number(hours) * 60 + Number(minutes)) * 60_000;
  return `${new Date(at + shiftMs).toISOString().slice(0, 19)}${offset}`;
}

/** Parts of seconds are not sent. */
function secondOf(text: string): number | string {
  const at = momentOf(text);
  return typeof at === 'string' ? at : Math.floor(at / 1000);
}

/** In milliseconds; a time without a zone is in UTC. Whole days and other texts unchanged. */
function momentOf(text: string): number | string {
  const at = Date.parse(withZone(text));
  return !text.includes('T') || Number.isNaN(at) ? text : at;
}
