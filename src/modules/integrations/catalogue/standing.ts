// What stands now in the fields that a write changes, so that people see from what to what.
import { isDeepStrictEqual } from 'node:util';
import { partsOf } from '../executor/endpoint.ts';
import { valueAt, type Values } from '../executor/values.ts';
import { listed, type Payload } from './payload.ts';
import { textOf, written } from './text.ts';
import type { Comparison, Field, Lookup, Write } from './write.ts';

/** What is longer is not told: a part of it would look like a change. */
const most = 60_000;
const nothing = 'None';

/** Of fields by their labels, what stands there until they are sent. */
export type Standing = { label: string; text: string }[];

/** Of the fields that are said something about, by their labels, what an item has in the places which they are compared with. */
export function standingIn({ fields }: Write, { where = [] }: Lookup, item: unknown, payload: Payload): Standing {
  return Object.entries(fields).flatMap(([name, field]) => {
    if (field.kind === 'values') return entriesStanding(field.label, where, item, { name, wished: payload[name] });
    const places = where.filter((comparison) => isOf(comparison, name)).flatMap(({ at }) => at);
    if (payload[name] === undefined || places.length === 0) return [];
    const there = places.map((place) => valueAt(item, place)).find((value) => textOf(value) !== '');
    const found = field.kind === 'time' ? asDay(textOf(there), String(payload[name])) : there;
    if (isSame(field, found, payload[name])) return [];
    const text = shownAs(field, found, String(payload[name]));
    return text.length > most ? [] : [{ label: field.label, text }];
  });
}

/** Of values by their names those that are to change, as people read the wish. */
function entriesStanding(
  label: string,
  where: readonly Comparison[],
  item: unknown,
  { name, wished }: { name: string; wished: unknown },
): Standing {
  return where.flatMap(({ at, entries }) => {
    if (entries?.of !== `input.${name}`) return [];
    const there = entriesAt(item, at, entries, wished);
    return there.length === 0 ? [] : [{ label, text: JSON.stringify(Object.fromEntries(there), null, 2) }];
  });
}

/** Of a list that has its values by names, those of the names that a wish has. */
export function entriesAt(
  item: unknown,
  at: Comparison['at'],
  { name, value }: NonNullable<Comparison['entries']>,
  wished: unknown,
): [string, string][] {
  const lists = [at].flat().map((place) => valueAt(item, place));
  const entries = lists.flatMap((list) => (Array.isArray(list) ? list : []));
  const entryOf = (wanted: string) => entries.find((entry) => textOf(valueAt(entry, name)) === wanted);
  return Object.keys(wished ?? {}).map((wanted) => [wanted, textOf(valueAt(entryOf(wanted), value))]);
}

/** What is known of fields that have no place to compare: `was` of their templates, where it is something else. */
export function knownStanding({ fields, known = {} }: Write, values: Values, payload: Payload): Standing {
  return Object.entries(known.was ?? {}).flatMap(([name, template]) => {
    const [label, text] = [fields[name]?.label ?? name, written(template, values)];
    return payload[name] === undefined || text === '' || text.length > most ? [] : [{ label, text }];
  });
}

/** Of whole days some have their midnight. */
function asDay(found: string, wished: string): string {
  return !wished.includes('T') && /T00:00:00(?:\.0+)?$/.test(found) ? found.slice(0, 10) : found;
}

/** Whether it stands there already, however it is written. */
function isSame({ kind }: Field, found: unknown, wished: unknown): boolean {
  if (kind === 'time') return momentOf(textOf(found)) === momentOf(String(wished));
  if (!Array.isArray(found) || !Array.isArray(wished)) return false;
  return isDeepStrictEqual(found.map(textOf).toSorted(), wished.map(textOf).toSorted());
}

/** Whether it compares with that field alone, as it was given or in a form of it; of a time what is there may be more exact. */
function isOf({ is, contains = '' }: Comparison, name: string): boolean {
  const [only, ...others] = partsOf(is ?? (contains.startsWith('{{time.') ? contains : ''));
  if (!only || !('path' in only) || others.length > 0) return false;
  const [form = '', field] = only.path.split('.');
  return ['input', 'sent', 'time'].includes(form) && field === name;
}

function shownAs(field: Field, found: unknown, wished: string): string {
  if (field.kind === 'time') return inOffsetOf(wished, textOf(found)) || nothing;
  if (field.kind === 'choice') {
    const { options, sent = {} } = field;
    const option = Object.keys(options).find((each) => (sent[each] ?? each) === found);
    return option === undefined ? textOf(found) || nothing : (options[option] ?? option);
  }
  return (Array.isArray(found) ? listed(found) : textOf(found)) || nothing;
}

/** A moment as the clocks of another one show it; whole days as they are. */
function inOffsetOf(other: string, moment: string): string {
  const at = momentOf(moment);
  if (typeof at === 'string') return at;
  const [offset = 'Z', sign, hours, minutes] = /([+-])(\d\d):(\d\d)$/.exec(other) ?? [];
  const shiftMs = offset === 'Z' ? 0 : Number(`${sign}1`) * (Number(hours) * 60 + Number(minutes)) * 60_000;
  return `${new Date(at + shiftMs).toISOString().slice(0, 19)}${offset}`;
}

/** In milliseconds; what has no zone is in UTC. Whole days, and what is no time, as they are. */
function momentOf(text: string): number | string {
  const at = Date.parse(/T.*(?:Z|[+-]\d\d:\d\d)$/.test(text) ? text : `${text}Z`);
  return !text.includes('T') || Number.isNaN(at) ? text : at;
}
