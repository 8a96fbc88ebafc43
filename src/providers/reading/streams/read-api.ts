// The API that reading functions use: requests below its base address, and paged lists.
import { AppError } from '#kernel/errors';
import {
  resolveAtApi,
  isWithheld,
  walkPages,
  pickRefusals,
  readValue,
  type Answer,
  type Api,
  type FilledRequest,
  type Version,
} from '#providers/http';
import { z } from 'zod';
import type { Reader, Source } from '../source.ts';
import type { ListPage } from './stream.ts';

type Scalar = string | number | boolean;

/** A reading request below the base address of an API. Undefined parts are left out. */
export type ReadRequest = {
  /** Built by `writePath`, so that a value stays in its segment. */
  path: string;
  query?: Readonly<Record<string, Scalar | undefined>>;
  headers?: Readonly<Record<string, string>>;
  /** Sent as JSON, with POST. */
  body?: unknown;
  /** Sent as a form, with POST. */
  form?: Readonly<Record<string, Scalar | undefined>>;
};

/** The structure of a list: where an answer has its items, and the position of the next page. */
export type ListForm = {
  /** The path of the items; absent: the answer itself is the list. */
  items?: string;
  /**
   * The position of the next page, after the page at `page`; null or empty: there is none. Absent: the address in the
   * `Link` header.
   */
  next?(data: unknown, items: readonly unknown[], page: string | null): unknown;
};

/** `page`: the position of the requested page. `url`: its address, which replaces that of the request. */
type PageOptions = { page?: string | null; url?: string | null; known?: Version | undefined };

/** An API that is read in the name of one account. */
export type ReadApi = {
  /** The parsed answer. */
  ask(request: ReadRequest): Promise<unknown>;
  /** A page of a list, with the answer that contains it. */
  askPage(request: ReadRequest, form: ListForm, options?: PageOptions): Promise<ListPage & { data: unknown }>;
  /**
   * All items of a list, or the first `most`. The items are held in memory. `buildRequest` makes the request for a
   * page.
   */
  listAll(buildRequest: (page: string | null) => ReadRequest, form: ListForm, most?: number): Promise<unknown[]>;
  /** The same for a list whose answers contain the address of the next page. */
  listAllByUrl(request: ReadRequest, form: ListForm, most?: number): Promise<unknown[]>;
};

/** The API of a provider, read by `reader`. */
export function createReadApi(api: Api, reader: Pick<Reader, 'ask'>): ReadApi {
  async function send(request: ReadRequest, { url, known }: PageOptions = {}): Promise<Answer> {
    const filled = buildRequest(api, request);
    const asked = url ? { ...filled, url: resolveAtApi(url, api.baseUrl) } : filled;
    return reader.ask(asked, { ...pickRefusals(api), known });
  }

  const askPage: ReadApi['askPage'] = async (request, { items: path = '', next }, options = {}) => {
    const { data, nextUrl, version, isUnchanged } = await send(request, options);
    const items = isUnchanged ? [] : findItems(data, path);
    const position = next ? readPosition(next(data, items, options.page ?? null)) : nextUrl;
    return { items, next: position, data, version, isUnchanged };
  };

  async function listAll(ask: (page: string | null) => Promise<ListPage>, most: number): Promise<unknown[]> {
    const all: unknown[] = [];
    for await (const { items } of walkPages(ask)) {
      all.push(...items);
      if (all.length >= most) break;
    }
    return all.slice(0, most);
  }

  return {
    ask: async (request) => (await send(request)).data,
    askPage,
    listAll: (getBuild, form, most = Infinity) => listAll((page) => askPage(getBuild(page), form, { page }), most),
    listAllByUrl: (request, form, most = Infinity) => listAll((url) => askPage(request, form, { url }), most),
  };
}

/** A position as text; null: there is none. */
function readPosition(next: unknown): string | null {
  if (typeof next === 'number') return String(next);
  return typeof next === 'string' && next !== '' ? next : null;
}

function buildRequest({ baseUrl, headers }: Api, request: ReadRequest): FilledRequest {
  const { path, query = {}, body, form } = request;
  const search = listEntries(query);
  const content = form
    ? { type: 'application/x-www-form-urlencoded', text: new URLSearchParams(listEntries(form)).toString() }
    : body !== undefined && { type: 'application/json', text: JSON.stringify(body) };
  return {
    method: content ? 'POST' : 'GET',
    url: `${baseUrl}${path}${search.length ? `?${new URLSearchParams([...search])}` : ''}`,
    headers: { ...(content && { 'content-type': content.type }), ...headers, ...request.headers },
    ...(content && { body: content.text }),
  };
}

function listEntries(values: NonNullable<ReadRequest['query']>): [string, string][] {
  return Object.entries(values).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value).toWellFormed()]],
  );
}

/**
 * The items of a list in an answer. Throws for an answer of another form: an empty list would delete the known items.
 */
export function findItems(data: unknown, path: string): unknown[] {
  const items = readValue(data, path);
  if (Array.isArray(items)) return items;
  const message = `The provider's answer has no list ${path === '' ? 'at its top' : `at ${path}`}, where a list was expected.`;
  throw new AppError('upstream_failed', message, { errorCategory: 'bad_response' });
}

/** The answer to a reading request; null when the item does not exist, or this account may not read it. */
export async function allowWithheld<Found>(found: Promise<Found>): Promise<Found | null> {
  try {
    return await found;
  } catch (error) {
    if (isWithheld(error)) return null;
    throw error;
  }
}

const fileHandle = z.object({ url: z.string(), headers: z.record(z.string(), z.string()) });

/** Fetches files by a handle that contains their address and headers, from the API itself. */
export function createReadFile({ baseUrl }: Api): NonNullable<Source['file']> {
  return (reader, handle, maxBytes, read) => {
    const { url, headers } = fileHandle.parse(handle);
    return reader.stream({ method: 'GET', url: resolveAtApi(url, baseUrl), headers }, maxBytes, read);
  };
}
