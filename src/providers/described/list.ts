// Reads lists with pages by their description.
import {
  type Answer,
  type Call,
  isFulfilled,
  type Listing,
  type Paging,
  readValue,
  type Values,
  type Version,
} from '#providers/http';
import { findItems, type ListPage } from '#providers/reading';

/**
 * Replaces the described call: the address of the next page, where the provider returns it, or a request for changes
 * only.
 */
export type RequestOptions = { nextUrl?: string; known?: Version | undefined };

/** Sends a request to a provider. */
export type AskEndpoint = (call: Call, values: Values, options?: RequestOptions) => Promise<Answer>;

/** One page of a list, by default the first, and the position of the next. */
export async function readListPage(
  ask: AskEndpoint,
  { call, nextCall = call, items, paging }: Listing,
  values: Values,
  page: string | null,
  known?: Version,
): Promise<ListPage & { data: unknown }> {
  const answer = await askPage(ask, page === null ? call : nextCall, { paging, values, page, known });
  const list = answer.isUnchanged ? [] : findItems(answer.data, items);
  const next = findNext(paging, answer, list, page);
  const { data, version, isUnchanged } = answer;
  return { items: list, next, data, version, isUnchanged };
}

type PageRequest = { paging: Paging; values: Values; page: string | null; known: Version | undefined };

function askPage(ask: AskEndpoint, call: Call, { paging, values, page, known }: PageRequest): Promise<Answer> {
  if (paging.by === 'link' || paging.by === 'url') return ask(call, values, { known, ...(page && { nextUrl: page }) });
  if (paging.by === 'page') return ask(call, { ...values, page: Number(page ?? paging.first ?? 1) }, { known });
  if (paging.by === 'offset') return ask(call, { ...values, page: Number(page ?? 0) }, { known });
  return ask(call, { ...values, page: page ?? undefined }, { known });
}

function findNext(
  paging: Paging,
  { data, nextUrl }: Answer,
  items: readonly unknown[],
  page: string | null,
): string | null {
  if (paging.by === 'none') return null;
  if (paging.by === 'link') return nextUrl;
  if ('size' in paging && paging.size !== undefined && items.length < paging.size) return null;
  if (paging.by === 'page') return String(Number(page ?? paging.first ?? 1) + 1);
  if (paging.by === 'offset') return String(Number(page ?? 0) + items.length);
  if (paging.by === 'token' && paging.while && !isFulfilled(paging.while, data)) return null;
  const next = readValue(data, paging.at);
  if (typeof next === 'number') return String(next);
  return typeof next === 'string' && next !== '' ? next : null;
}
