// An emulator of "some JSON API": one list of records, reached by every usual style of paging, with ETag and since. See README.md.
import { createHash, randomBytes } from 'node:crypto';
import { startEmulator } from '../kit/emulator.ts';
import type { Emulator, EmulatorOptions } from '../kit/emulator.ts';
import type { OrderedAnswer } from '../kit/failures.ts';
import { createQuotaMeter } from '../kit/quota.ts';
import type { Quota, QuotaMeter } from '../kit/quota.ts';
import { findQueryError } from '../kit/routing.ts';
import type { QueryRule } from '../kit/routing.ts';
import type { Dialect } from '../kit/server.ts';
import { WireError } from '../kit/wire.ts';
import type { IncomingRequest, Reply, World } from '../kit/wire.ts';

/** A record; `updated_at` is set by the emulator. */
export type Item = { id: string; updated_at: string } & Record<string, unknown>;

type Data = { items: Map<string, Item>; keys: Set<string> };

/** A running emulator. */
export type HttpJsonEmulator = Emulator & {
  /** A key for `Authorization: Bearer` or `X-Api-Key`. Until the first key exists, requests need none. */
  key(): string;
  /** Adds a record, or changes the one of the same id. */
  put(item: { id: string } & Record<string, unknown>): Item;
  remove(id: string): void;
  items(): Item[];
  setQuota(quota: Quota | undefined): void;
};

const size: QueryRule = { type: 'integer', min: 1, max: 100 };
const since: QueryRule = { type: 'date-time' };

type Page = { rows: Item[]; from: number; size: number; total: number; more: boolean; url: URL };

type Style = {
  query: Record<string, QueryRule>;
  start(query: URLSearchParams, size: number): number;
  sizeName: string;
  answer(page: Page): Reply;
};

function linkTo(url: URL, changes: Record<string, string>): string {
  const next = new URL(url);
  for (const [name, value] of Object.entries(changes)) next.searchParams.set(name, value);
  return next.href;
}

const encode = (from: number) => Buffer.from(`from:${from}`).toString('base64url');

function decode(cursor: string | null): number {
  if (cursor === null) return 0;
  const found = /^from:(\d+)$/.exec(Buffer.from(cursor, 'base64url').toString());
  if (!found) throw new WireError(400, 'bad cursor', { error: 'bad cursor' });
  return Number(found[1]);
}

const computePageStart = (query: URLSearchParams, length: number) => (Number(query.get('page') ?? 1) - 1) * length;

/** One path for each style of paging. */
const styles: Record<string, Style> = {
  '/items/all': { query: {}, sizeName: 'limit', start: () => 0, answer: ({ rows }) => ({ json: rows }) },
  '/items/page': {
    query: { page: { type: 'integer', min: 1 }, per_page: size },
    sizeName: 'per_page',
    start: computePageStart,
    answer: ({ rows, total }) => ({ json: { items: rows, total } }),
  },
  '/items/offset': {
    query: { offset: { type: 'integer' }, limit: size },
    sizeName: 'limit',
    start: (query) => Number(query.get('offset') ?? 0),
    answer: ({ rows, total, from }) => ({ json: { data: { results: rows }, meta: { total, offset: from } } }),
  },
  '/items/cursor': {
    query: { cursor: { type: 'string' }, limit: size },
    sizeName: 'limit',
    start: (query) => decode(query.get('cursor')),
    answer: ({ rows, from, size: length, more }) => ({
      json: { items: rows, next_cursor: more ? encode(from + length) : null },
    }),
  },
  '/items/link': {
    query: { page: { type: 'integer', min: 1 }, per_page: size },
    sizeName: 'per_page',
    start: computePageStart,
    answer: ({ rows, more, from, size: length, url }) => ({
      json: rows,
      ...(more ? { headers: { link: `<${linkTo(url, { page: String(from / length + 2) })}>; rel="next"` } } : {}),
    }),
  },
  '/items/next': {
    query: { after: { type: 'string' }, limit: size },
    sizeName: 'limit',
    start: (query) => decode(query.get('after')),
    answer: ({ rows, more, from, size: length, url }) => ({
      json: { value: rows, ...(more ? { next: linkTo(url, { after: encode(from + length) }) } : {}) },
    }),
  },
};

function buildBytesReply(content: string, contentType = 'application/json'): Reply {
  return { bytes: { contentType, content: Buffer.from(content) } };
}

const redirect = (status: number, location: string): Reply => ({ status, headers: { location } });

/** Answers that a reader of foreign APIs has to survive. */
const odd: Record<string, (incoming: IncomingRequest) => Reply> = {
  '/redirect': () => redirect(302, '/items/all'),
  '/redirect-permanently': () => redirect(308, '/items/all'),
  '/redirect-loop': () => redirect(302, '/redirect-loop'),
  '/redirect-inside': () => redirect(302, 'http://169.254.169.254/latest/meta-data/'),
  '/redirect-scheme': () => redirect(302, 'file:///etc/passwd'),
  '/bad-json': () => buildBytesReply('{"items": [1, 2'),
  '/html': () => buildBytesReply('<html>Not JSON</html>', 'text/html'),
  '/empty': () => ({ status: 204 }),
  '/null': () => buildBytesReply('null'),
  '/wrong-length': () => ({ ...buildBytesReply('[]'), headers: { 'content-length': '2000', connection: 'close' } }),
  '/latin1': () => ({
    bytes: { contentType: 'application/json; charset=iso-8859-1', content: Buffer.from('["Grüße"]', 'latin1') },
  }),
  '/byte-order-mark': () => buildBytesReply('\uFEFF[{"id":"1"}]'),
  '/deep': () => buildBytesReply('['.repeat(20_000) + ']'.repeat(20_000)),
  '/prototype': () => buildBytesReply('[{"id":"1","__proto__":{"polluted":true}}]'),
  '/echo': ({ method, headers, url, body }) => ({
    json: { method, headers, query: url.search, body: body.toString('utf8') },
  }),
};

type HttpJsonParts = { world: World<Data>; quota: QuotaMeter };

function checkKey({ world, quota }: HttpJsonParts, { headers }: IncomingRequest): void {
  const given = String(headers['x-api-key'] ?? (headers.authorization ?? '').replace(/^Bearer\s+/i, ''));
  if (world.data.keys.size > 0 && !world.data.keys.has(given))
    throw new WireError(401, 'unauthorized', { error: 'unauthorized' });
  const now = world.now();
  const quotaState = quota.count(given, now);
  if (!quotaState?.exceeded) return;
  const seconds = String(Math.max(1, Math.ceil((quotaState.resetsAt.getTime() - now.getTime()) / 1000)));
  throw new WireError(429, 'slow down', { error: 'slow down' }, { 'retry-after': seconds });
}

function listItems({ world }: HttpJsonParts, { url }: IncomingRequest, style: Style): Reply {
  const query = url.searchParams;
  const queryError = findQueryError({ ...style.query, since }, query);
  if (queryError)
    throw new WireError(400, 'bad parameter', { error: `${queryError.kind} parameter`, parameter: queryError.name });
  const after = Date.parse(query.get('since') ?? '1970-01-01T00:00:00Z');
  const all = [...world.data.items.values()].filter((item) => Date.parse(item.updated_at) >= after);
  const length = style.sizeName in style.query ? Number(query.get(style.sizeName) ?? 10) : Math.max(1, all.length);
  const from = style.start(query, length);
  const end = from + length;
  return style.answer({
    rows: all.slice(from, end),
    from,
    size: length,
    total: all.length,
    more: end < all.length,
    url,
  });
}

/** Adds ETag and Last-Modified, and answers 304 to a client that has the version. */
function withCacheHeaders({ world }: HttpJsonParts, { headers }: IncomingRequest, reply: Reply): Reply {
  const etag = `"${createHash('sha256').update(JSON.stringify(reply.json)).digest('hex').slice(0, 32)}"`;
  const times = [...world.data.items.values()].map((item) => Date.parse(item.updated_at));
  const changed = Math.floor(Math.max(0, ...times) / 1000) * 1000;
  const own = { ...reply.headers, etag, 'last-modified': new Date(changed).toUTCString() };
  const match = headers['if-none-match'];
  const modified = Date.parse(headers['if-modified-since'] ?? '');
  const same =
    match === undefined ? modified >= changed : match.split(/,\s*/).some((item) => item.replace(/^W\//, '') === etag);
  return same ? { status: 304, headers: own } : { ...reply, headers: own };
}

/** A JSON list of about this many bytes, for readers with a limit. */
function buildBigReply(url: URL): Reply {
  const wanted = Number(url.searchParams.get('bytes') ?? 1_000_000);
  const row = JSON.stringify({ id: 'x', text: 'a'.repeat(980) });
  return buildBytesReply(
    `[${Array.from({ length: Math.max(1, Math.floor(wanted / (row.length + 1))) }, () => row).join(',')}]`,
  );
}

/** `POST /items`, and `PUT`, `PATCH` and `DELETE` of one of them. Nothing is idempotent but by its id. */
function write({ world }: HttpJsonParts, { url, method, body }: IncomingRequest): Reply {
  const { items } = world.data;
  const id = /^\/items\/by-id\/([^/]+)$/.exec(url.pathname)?.[1];
  const known = id === undefined ? undefined : items.get(id);
  if (id !== undefined && !known) throw new WireError(404, 'not found', { error: 'not found' });
  if (method === 'DELETE' && known) {
    items.delete(known.id);
    return { status: 204 };
  }
  const allowed = id === undefined ? url.pathname === '/items' && method === 'POST' : method !== 'POST';
  if (!allowed) throw new WireError(405, 'method not allowed', { error: 'method not allowed' });
  const given = JSON.parse(body.toString('utf8')) as Record<string, unknown>; // the kit answers 500 to what is none
  const base = method === 'PATCH' ? known : undefined;
  const item: Item = {
    ...base,
    ...given,
    id: id ?? randomBytes(8).toString('hex'),
    updated_at: world.now().toISOString(),
  };
  items.set(item.id, item);
  return { status: id === undefined ? 201 : 200, json: item };
}

function answer(parts: HttpJsonParts, incoming: IncomingRequest): Reply {
  const { url, method } = incoming;
  checkKey(parts, incoming);
  const strange = odd[url.pathname];
  if (strange) return strange(incoming);
  if (method !== 'GET' && url.pathname.startsWith('/items')) return write(parts, incoming);
  if (method !== 'GET')
    throw new WireError(405, 'method not allowed', { error: 'method not allowed' }, { allow: 'GET' });
  if (url.pathname === '/big') return buildBigReply(url);
  const style = styles[url.pathname];
  if (style) return withCacheHeaders(parts, incoming, listItems(parts, incoming, style));
  const item = parts.world.data.items.get(/^\/items\/by-id\/([^/]+)$/.exec(url.pathname)?.[1] ?? '');
  if (!item) throw new WireError(404, 'not found', { error: 'not found' });
  return withCacheHeaders(parts, incoming, { json: item });
}

function buildOrderedReply(order: OrderedAnswer): Reply {
  const status = order.kind === 'status' ? order.status : order.kind === 'rate_limited' ? 429 : 401;
  const retryAfter = order.kind === 'status' ? order.retryAfter : order.kind === 'rate_limited' ? 5 : undefined;
  const headers: Record<string, string> = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
  return { status, headers, json: { error: (order.kind === 'status' && order.reason) || 'ordered' } };
}

/** Starts the emulator on the loopback, without a record. */
export async function startHttpJsonEmulator(
  options: EmulatorOptions & { quota?: Quota } = {},
): Promise<HttpJsonEmulator> {
  const data: Data = { items: new Map(), keys: new Set() };
  const world: World<Data> = { url: '', now: options.now ?? (() => new Date()), data };
  const quota = createQuotaMeter(options.quota);
  const dialect: Dialect = {
    findAccount: () => undefined,
    answer: (incoming) => answer({ world, quota }, incoming),
    ordered: buildOrderedReply,
    internalError: (detail) => ({ status: 500, json: { error: 'emulatorFault', detail } }),
  };
  const emulator = await startEmulator(world, dialect, options);
  return {
    ...emulator,
    key() {
      const key = `key_${randomBytes(16).toString('hex')}`;
      data.keys.add(key);
      return key;
    },
    put(given) {
      const item: Item = { ...given, updated_at: world.now().toISOString() };
      data.items.set(item.id, item);
      return item;
    },
    remove: (id) => void data.items.delete(id),
    items: () => [...data.items.values()],
    setQuota: quota.set,
  };
}
