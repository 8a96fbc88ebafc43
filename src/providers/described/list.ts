// Reads lists with pages by their description.
import { AppError } from '#kernel/errors';
import {
  type Answer,
  type Call,
  holds,
  type Listing,
  pagesOf,
  type Paging,
  valueAt,
  type Values,
  type Version,
} from '#providers/http';

/**
 * The request in place of the described call: an address, where the provider returns that of the next page, or only the
 * changes.
 */
export type Asked = { nextUrl?: string; known?: Version | undefined };

/** Sends a request to a provider. */
export type Ask = (call: Call, values: Values, asked?: Asked) => Promise<Answer>;

/** A page of a list. `version` serves the next request for changes. */
export type ListPage = {
  items: unknown[];
  next: string | null;
  data: unknown;
  version: Version | null;
  isUnchanged: boolean;
};

/** One page of a list, by default the first, and the position of the next. */
export async function listPage(
  ask: Ask,
  { call, nextCall = call, items, paging }: Listing,
  values: Values,
  page: string | null,
  known?: Version,
): Promise<ListPage> {
  const answer = await askFor(ask, page === null ? call : nextCall, { paging, values, page, known });
  const list = answer.isUnchanged ? [] : valueAt(answer.data, items);
  if (!Array.isArray(list)) throw noList(items);
  const next = nextOf(paging, answer, list, page);
  const { data, version, isUnchanged } = answer;
  return { items: list, next, data, version, isUnchanged };
}

type Wanted = { paging: Paging; values: Values; page: string | null; known: Version | undefined };

function askFor(ask: Ask, call: Call, { paging, values, page, known }: Wanted): Promise<Answer> {
  if (paging.by === 'link' || paging.by === 'url') return ask(call, values, { known, ...(page && { nextUrl: page }) });
  if (paging.by === 'page') return ask(call, { ...values, page: Number(page ?? paging.first ?? 1) }, { known });
  if (paging.by === 'offset') return ask(call, { ...values, page: Number(page ?? 0) }, { known });
  return ask(call, { ...values, page: page ?? undefined }, { known });
}

function nextOf(
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
  if (paging.by === 'token' && paging.while && !holds(paging.while, data)) return null;
  const next = valueAt(data, paging.at);
  if (typeof next === 'number') return String(next);
  return typeof next === 'string' && next !== '' ? next : null;
}

/** An answer of another form is no empty list: known items would count as deleted. */
function noList(items: string): AppError {
  const message = `The provider's answer has no list ${items === '' ? 'at its top' : `at ${items}`}, where one should be.`;
  return new AppError('upstream_failed', message, { errorCategory: 'bad_response' });
}

/** All of a list, or the first `most`. For short lists: it is kept in memory. */
export async function listAll(ask: Ask, listing: Listing, values: Values, most = Infinity): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const { items } of pagesOf((page) => listPage(ask, listing, values, page))) {
    all.push(...items);
    if (all.length >= most) break;
  }
  return all.slice(0, most);
}
