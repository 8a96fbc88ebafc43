// Finds one thing at a provider, as a description says: by its address, or among a list.
import { AppError } from '#kernel/errors';
import { valueAt, type Values } from '../executor/values.ts';
import { ProviderFault } from '../provider-fault.ts';
import { holds } from './conditions.ts';
import { listPage, type Ask } from './list.ts';
import { textOf, valueOf } from './text.ts';
import type { Comparison, Sought } from './write.ts';

/** So many of a list are looked at. */
const mostLookedAt = 5_000;

/** What is sought. Undefined: it is surely not there. */
export async function find(ask: Ask, sought: Sought, values: Values): Promise<unknown> {
  const { one, listing, only, where = [] } = sought;
  if (one) {
    const item = await oneOf(ask, one, values);
    return item !== undefined && fits(where, item, values) ? item : undefined;
  }
  if (!listing) throw new Error('what is sought has an address, or is in a list');
  for await (const item of itemsOf(ask, listing, only, values)) if (fits(where, item, values)) return item;
  return undefined;
}

/** All of a list that it fits. */
export async function findAll(ask: Ask, { listing, only, where = [] }: Sought, values: Values): Promise<unknown[]> {
  if (!listing) throw new Error('all that fit are in a list');
  const all: unknown[] = [];
  for await (const item of itemsOf(ask, listing, only, values)) if (fits(where, item, values)) all.push(item);
  return all;
}

/** Whether it is sought here at all. */
export function isSought({ when }: Sought, values: Values): boolean {
  return !when || holds(when, values);
}

async function oneOf(ask: Ask, { call, at }: NonNullable<Sought['one']>, values: Values): Promise<unknown> {
  try {
    return valueAt((await ask(call, values)).data, at) ?? undefined;
  } catch (error) {
    if (error instanceof ProviderFault && error.category === 'not_found') return undefined;
    throw error;
  }
}

async function* itemsOf(
  ask: Ask,
  listing: NonNullable<Sought['listing']>,
  only: Sought['only'],
  values: Values,
): AsyncGenerator<unknown> {
  let page: string | null = null;
  let seen = 0;
  do {
    const { items, next } = await listPage(ask, listing, values, page);
    yield* only ? items.filter((item) => holds(only, item)) : items;
    seen += items.length;
    page = next;
  } while (page !== null && seen < mostLookedAt);
  if (page !== null)
    throw new AppError('upstream_failed', `The provider lists more than ${mostLookedAt} to look through.`);
}

/** Whether it is as all of these say. */
export function fits(where: readonly Comparison[], item: unknown, values: Values): boolean {
  return where.every((comparison) => isAs(comparison, item, values));
}

function isAs(comparison: Comparison, item: unknown, values: Values): boolean {
  const { at, is, contains, has, lacks, entries, isLoose = false } = comparison;
  const found = (typeof at === 'string' ? [at] : at).map((place) => valueAt(item, place));
  if (entries) return found.some((list) => hasEach(list, entries, values));
  const wanted = valueOf(is ?? contains ?? has ?? lacks ?? '', values);
  if (wanted === undefined || wanted === null) return true;
  const lists = found.flatMap(listsIn);
  if (has !== undefined) return lists.every((list) => listOf(wanted).every((one) => list.includes(one)));
  if (lacks !== undefined) return !lists.some((list) => listOf(wanted).some((one) => list.includes(one)));
  const form = isLoose ? loose : comparable;
  const text = form(wanted);
  return found.map(form).some((each) => (is === undefined ? each.includes(text) : each === text));
}

/** A list, or the lists in it. */
function listsIn(value: unknown): unknown[][] {
  const list = listOf(value);
  return list.some(Array.isArray) ? list.map(listOf) : [list];
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [value];
}

function hasEach(list: unknown, { of, name, value }: NonNullable<Comparison['entries']>, values: Values): boolean {
  const there = Array.isArray(list) ? list : [];
  const isThere = (wanted: string, text: string) =>
    there.some((each) => comparable(valueAt(each, name)) === wanted && comparable(valueAt(each, value)) === text);
  return Object.entries(valueAt(values, of) ?? {}).every(([each, wanted]) => isThere(each, saidBy(wanted)));
}

/** Of an object, such as `{"label": "Done"}`, what it says. */
function saidBy(value: unknown): string {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return comparable(isObject ? Object.values(value).map(textOf).join(' ') : value);
}

/** Providers end lines in their own way, and have null where there is nothing. */
function comparable(value: unknown): string {
  const said = Array.isArray(value) ? value.map(textOf).toSorted().join('\n') : textOf(value);
  return said.replaceAll('\r\n', '\n').trim();
}

const signs: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: '' };

function loose(value: unknown): string {
  return comparable(value)
    .replaceAll(/&(amp|lt|gt|quot|nbsp);/g, (_written, sign: string) => signs[sign] ?? '')
    .replaceAll(/\s+/g, '');
}
