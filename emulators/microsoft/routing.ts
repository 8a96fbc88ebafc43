// Routes of Graph, its errors, OData parameters and delta pages.
import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import { checkJson } from '../kit/body.ts';
import { findQueryError, getTextParameter } from '../kit/routing.ts';
import type { PathCall, QueryRule } from '../kit/routing.ts';
import { WireError } from '../kit/wire.ts';
import type { Reply } from '../kit/wire.ts';
import type { Account, MicrosoftWorld } from './state.ts';

/** A request on its way to a handler. */
export type Call = PathCall & { world: MicrosoftWorld; account: Account; scopes: readonly string[] };

/** A route; one of `scopes` is needed. */
export type Route = {
  method: string;
  path: string;
  scopes: readonly string[];
  query?: Record<string, QueryRule>;
  handle(call: Call): Reply;
};

/** Any refusal. */
export function createGraphError(
  status: number,
  code: string,
  message: string,
  headers: Record<string, string> = {},
): WireError {
  const id = randomUUID();
  const innerError = { date: new Date(0).toISOString().slice(0, 19), 'request-id': id, 'client-request-id': id };
  return new WireError(status, message, { error: { code, message, innerError } }, headers);
}

/** 404 of mail and calendars. */
export function createItemNotFoundError(): WireError {
  return createGraphError(404, 'ErrorItemNotFound', 'The specified object was not found in the store.');
}

/** 400 for a value that cannot be used. */
export function createBadRequestError(message: string): WireError {
  return createGraphError(400, 'ErrorInvalidRequest', message);
}

/** OData parameters of lists. */
export const listQuery: Record<string, QueryRule> = {
  $select: { type: 'string' },
  $top: { type: 'integer', min: 1, max: 1000 },
  $skip: { type: 'integer' },
  $filter: { type: 'string' },
  $orderby: { type: 'string' },
  $count: { type: 'boolean' },
};

/** Refuses parameters that a route does not name. */
export function checkQuery(route: Route, query: URLSearchParams): void {
  const queryError = findQueryError(route.query ?? { $select: { type: 'string' } }, query);
  if (queryError)
    throw createGraphError(400, 'BadRequest', `The query parameter '${queryError.name}' is ${queryError.kind}.`);
}

/** The JSON body by its schema. */
export function parseJsonBody<T>(call: PathCall, schema: z.ZodType<T>): T {
  const checked = checkJson(schema, call.body.toString('utf8'));
  if ('value' in checked) return checked.value;
  const { error: queryError } = checked;
  if (queryError.kind === 'malformed')
    throw createGraphError(400, 'BadRequest', 'Unable to read JSON request payload.');
  if (queryError.kind === 'unknown') {
    throw createGraphError(400, 'RequestBodyRead', `The property '${queryError.name}' does not exist on the type.`);
  }
  throw createGraphError(
    400,
    'ErrorInvalidPropertySet',
    `The property '${queryError.at}' is ${queryError.kind}: ${queryError.message}`,
  );
}

/** What Prefer asks for. */
export function findPreference({ headers }: PathCall, what: string): string | undefined {
  const found = new RegExp(`${what.replaceAll('.', '\\.')}\\s*=\\s*"?([^",]+)"?`, 'i').exec(
    String(headers.prefer ?? ''),
  );
  return found?.[1];
}

/** Keeps the selected fields; `id` always is there, and the type where it is one of several. */
const always = ['id', '@odata.etag', '@odata.type', 'singleValueExtendedProperties'];

export function selectFields(call: PathCall, resource: Record<string, unknown>): Record<string, unknown> {
  const names = getTextParameter(call, '$select')
    ?.split(',')
    .map((name) => name.trim());
  if (!names) return resource;
  const unknown = names.find((name) => !Object.hasOwn(resource, name));
  if (unknown) throw createGraphError(400, 'RequestBroker--ParseUri', `Could not find a property named '${unknown}'.`);
  return Object.fromEntries(Object.entries(resource).filter(([name]) => [...always, ...names].includes(name)));
}

const comparisons: Record<string, (own: string, wanted: string) => boolean> = {
  eq: (own, wanted) => own === wanted,
  ne: (own, wanted) => own !== wanted,
  ge: (own, wanted) => own >= wanted,
  gt: (own, wanted) => own > wanted,
  le: (own, wanted) => own <= wanted,
  lt: (own, wanted) => own < wanted,
};

/** A test of `$filter`: comparisons joined by `and`, on these fields only. */
export function parseFilter(call: PathCall, fields: readonly string[]): (resource: Record<string, unknown>) => boolean {
  const source = getTextParameter(call, '$filter');
  if (!source) return () => true;
  const tests = source.split(/\s+and\s+/i).map((part) => {
    const [, field = '', operator = '', value = ''] = /^(\w+)\s+(eq|ne|ge|gt|le|lt)\s+(.+)$/.exec(part.trim()) ?? [];
    const compare = comparisons[operator];
    if (!compare || !fields.includes(field))
      throw createGraphError(400, 'ErrorInvalidUrlQueryFilter', `Invalid filter clause: ${part}`);
    const wanted = value.replace(/^'(.*)'$/, '$1').replaceAll("''", "'");
    return (resource: Record<string, unknown>) => compare(String(resource[field]), wanted);
  });
  return (resource) => tests.every((passes) => passes(resource));
}

/** One page of a list with `@odata.nextLink`. */
export function listReply(call: Call, rows: Record<string, unknown>[]): Reply {
  const top = Number(getTextParameter(call, '$top') ?? 10);
  const skip = Number(getTextParameter(call, '$skip') ?? 0);
  const next = new URL(call.url);
  next.searchParams.set('$skip', String(skip + top));
  const more = skip + top < rows.length ? { '@odata.nextLink': next.href } : {};
  const count = getTextParameter(call, '$count') === 'true' ? { '@odata.count': rows.length } : {};
  return { json: { ...count, value: rows.slice(skip, skip + top).map((row) => selectFields(call, row)), ...more } };
}

type Token = { seq: number; until: number; from: number; query: string };

function readToken(call: Call, source: string): Token {
  let token: Token;
  try {
    token = JSON.parse(Buffer.from(source, 'base64url').toString()) as Token;
  } catch (cause) {
    throw Object.assign(createGraphError(400, 'BadRequest', 'Badly formed token.'), { cause });
  }
  // Links issued since then are valid, including those of the first round.
  if (token.until < call.account.floor) {
    throw createGraphError(
      410,
      'SyncStateNotFound',
      'The sync state generation is not found; continue with a full synchronization.',
    );
  }
  return token;
}

/** Names of parameters that delta links carry. */
const linkNames = ['$deltatoken', '$skiptoken'];

/**
 * A round of a delta query: first everything, then what changed, each round ending in a deltaLink. Parameters of the first
 * request are kept in the links; sending them again is refused.
 */
export function buildDeltaReply(
  call: Call,
  folder: string,
  parts: { all(): string[]; show(id: string, query: URLSearchParams): Record<string, unknown> | undefined },
): Reply {
  const source = getTextParameter(call, '$skiptoken') ?? getTextParameter(call, '$deltatoken');
  const names = [...call.url.searchParams.keys()];
  if (source && names.some((name) => !linkNames.includes(name)))
    throw createBadRequestError('A delta link must be followed as it is.');
  const own = call.url.searchParams.toString();
  const { lastSeq } = call.world.data;
  // seq 0 is the first round; `until` is fixed when a round begins.
  const token = source ? readToken(call, source) : { seq: 0, until: lastSeq, from: 0, query: own };
  if (getTextParameter(call, '$deltatoken')) Object.assign(token, { seq: token.until, until: lastSeq, from: 0 });
  const changed = call.account.changes.filter(
    (change) => change.folder === folder && change.seq > token.seq && change.seq <= token.until,
  );
  const ids = token.seq === 0 ? parts.all() : [...new Set(changed.map(({ id }) => id))];
  const size = Math.min(1000, Math.max(1, Number(findPreference(call, 'odata.maxpagesize') ?? 10)));
  const query = new URLSearchParams(token.query);
  const immutable = findPreference(call, 'IdType')?.toLowerCase() === 'immutableid';
  const removed = (id: string) => {
    const last = changed.findLast((change) => change.id === id);
    return { '@removed': { reason: 'deleted' }, id: immutable ? id : (last?.shownId ?? id) };
  };
  const rows = ids.slice(token.from, token.from + size).map((id) => parts.show(id, query) ?? removed(id));
  const link = (name: string, next: Token) => {
    const url = new URL(call.url.pathname, call.world.url);
    url.searchParams.set(name, Buffer.from(JSON.stringify(next)).toString('base64url'));
    return url.href;
  };
  const more = token.from + size < ids.length;
  return {
    json: {
      value: rows,
      ...(more
        ? { '@odata.nextLink': link('$skiptoken', { ...token, from: token.from + size }) }
        : { '@odata.deltaLink': link('$deltatoken', { ...token, from: 0 }) }),
    },
  };
}
