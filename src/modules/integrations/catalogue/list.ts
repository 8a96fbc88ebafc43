// Reads lists that come in pages, as their description says.
import { valueAt, type Values } from '../executor/values.ts';
import { holds } from './conditions.ts';
import type { Call, Listing } from './descriptor.ts';

/** Asks a provider; `nextUrl` is the address of the next page where a header tells it, and is asked in place of the call. */
export type Ask = (call: Call, values: Values, nextUrl?: string) => Promise<{ data: unknown; nextUrl: string | null }>;

/** One page of a list, the first unless told, and what tells the next. */
export async function listPage(
  ask: Ask,
  { call, items, paging }: Listing,
  values: Values,
  page: string | null,
): Promise<{ items: unknown[]; next: string | null; data: unknown }> {
  const isUrl = page !== null && (paging.by === 'link' || paging.by === 'url');
  const answer = await (isUrl ? ask(call, values, page) : ask(call, { ...values, page: page ?? undefined }));
  const found = valueAt(answer.data, items);
  return { items: Array.isArray(found) ? found : [], next: nextOf(paging, answer), data: answer.data };
}

function nextOf(paging: Listing['paging'], { data, nextUrl }: Awaited<ReturnType<Ask>>): string | null {
  if (paging.by === 'none') return null;
  if (paging.by === 'link') return nextUrl;
  if (paging.by === 'token' && paging.while && !holds(paging.while, data)) return null;
  const next = valueAt(data, paging.at);
  return typeof next === 'string' && next !== '' ? next : null;
}

/** All of a list. For what is short: it is held in memory. */
export async function listAll(ask: Ask, listing: Listing, values: Values): Promise<unknown[]> {
  const all: unknown[] = [];
  let page: string | null = null;
  do {
    const { items, next } = await listPage(ask, listing, values, page);
    all.push(...items);
    page = next;
  } while (page !== null);
  return all;
}
