// What stands now in the fields that a write changes, so that people see from what to what.
import { isDeepStrictEqual } from 'node:util';
import { partsOf } from '../executor/endpoint.ts';
import { valueAt } from '../executor/values.ts';
import { listed, type Payload } from './payload.ts';
import { textOf } from './text.ts';
import type { Comparison, Field, Lookup, Write } from './write.ts';

/** What is longer is not told: a part of it would look like a change. */
const most = 60_000;
const nothing = 'None';

/** Of the fields that are said something about, by their labels, what an item has in the places which they are compared with. */
export function standingIn({ fields }: Write, { where = [] }: Lookup, item: unknown, payload: Payload) {
  return Object.entries(fields).flatMap(([name, field]) => {
    const places = where.filter((comparison) => isOf(comparison, name)).flatMap(({ at }) => at);
    if (payload[name] === undefined || places.length === 0) return [];
    const there = places.map((place) => valueAt(item, place)).find((value) => textOf(value) !== '');
    const found = field.kind === 'time' ? asDay(textOf(there), String(payload[name])) : there;
    if (isSame(field, found, payload[name])) return [];
    const text = shownAs(field, found, String(payload[name]));
    return text.length > most ? [] : [{ label: field.label, text }];
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
