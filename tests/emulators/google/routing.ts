// Routes are data: path, scopes and parameters as in Google's discovery documents. What they do not name is refused.
import type { IncomingHttpHeaders } from 'node:http';
import type { z } from 'zod';
import type { Account, Client, World } from './accounts.ts';
import { apiError, invalidArgument, legacyError, modernError } from './errors.ts';
import type { Api, GoogleError } from './errors.ts';
import type { Effects } from './ledger.ts';

/** How one query parameter may look. */
export type QueryRule = {
  type: 'string' | 'boolean' | 'integer' | 'date-time';
  repeated?: true;
  required?: true;
  values?: readonly string[];
  /** Bounds of an integer; Google refuses what lies outside. */
  min?: number;
  max?: number;
};

/** Who is calling, by the bearer token. */
export type Caller = { account: Account; client: Client; scopes: readonly string[] };

/** A request on its way to a handler. */
export type Call = {
  world: World;
  api: Api;
  now: Date;
  url: URL;
  params: Record<string, string>;
  headers: IncomingHttpHeaders;
  body: Buffer;
  effects: Effects;
};

/** A request with a live token. */
export type ApiCall = Call & { caller: Caller };

/** What a handler answers: JSON unless it gives bytes. */
export type Reply = {
  status?: number;
  headers?: Record<string, string>;
  json?: unknown;
  bytes?: { contentType: string; content: Uint8Array };
};

type RouteBase = { method: string; path: string; api: Api };

/** A route that needs a token with one of `scopes`. */
export type ApiRoute = RouteBase & {
  scopes: readonly string[];
  query?: Record<string, QueryRule>;
  handle(call: ApiCall): Reply;
};

/** A route that anyone may call, and that checks its own parameters. */
export type OpenRoute = RouteBase & { open: true; handle(call: Call): Reply };

/** Any route. */
export type Route = ApiRoute | OpenRoute;

/** The words of a text: discovery documents name many fields. */
export function namesIn(source: string): string[] {
  return source.split(/\s+/).filter(Boolean);
}

/** Parameters that every Google API takes. */
const standardQuery: Record<string, QueryRule> = {
  alt: { type: 'string', values: ['json', 'media'] },
  fields: { type: 'string' },
  key: { type: 'string' },
  prettyPrint: { type: 'boolean' },
  quotaUser: { type: 'string' },
  userIp: { type: 'string' },
  '$.xgafv': { type: 'string', values: ['1', '2'] },
};

/** The values of a path that fits a route, decoded; undefined when it does not fit. */
export function matchPath(pattern: string, path: string): Record<string, string> | undefined {
  const wanted = pattern.split('/');
  const given = path.split('/');
  if (wanted.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const value = given[index] ?? '';
    if (part.startsWith(':')) {
      if (value === '') return undefined;
      const decoded = decodeSegment(value);
      if (decoded === undefined) return undefined;
      params[part.slice(1)] = decoded;
    } else if (part !== value) return undefined;
  }
  return params;
}

function decodeSegment(value: string): string | undefined {
  try {
    return decodeURIComponent(value);
  } catch {
    return undefined;
  }
}

function unknownParameter(api: Api, name: string): GoogleError {
  const message = `Invalid JSON payload received. Unknown name "${name}": Cannot bind query parameter. Field '${name}' could not be found in request message.`;
  if (api !== 'gmail') {
    return apiError(api, 400, {
      reason: 'unknownParameter',
      message: `Unknown parameter: ${name}`,
      location: name,
      locationType: 'parameter',
    });
  }
  return modernError(
    400,
    { reason: 'invalid', message },
    {
      details: [{ '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations: [{ description: message }] }],
    },
  );
}

function invalidParameter(api: Api, name: string, value: string, hint = ''): GoogleError {
  if (api === 'gmail') return invalidArgument(`Invalid value at '${snakeCase(name)}', "${value}"`);
  return legacyError(400, {
    reason: 'invalidParameter',
    message: `Invalid value '${value}'.${hint}`,
    location: name,
    locationType: 'parameter',
  });
}

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** RFC 3339 with an offset, as Google wants every date-time parameter. */
export const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i;

function checkValue(api: Api, name: string, rule: QueryRule, value: string): void {
  if (rule.values && !rule.values.includes(value)) {
    throw invalidParameter(api, name, value, ` Allowed values are: [${rule.values.join(', ')}]`);
  }
  if (rule.type === 'boolean' && !['true', 'false'].includes(value)) throw invalidParameter(api, name, value);
  if (rule.type === 'date-time' && (!rfc3339.test(value) || Number.isNaN(Date.parse(value)))) {
    throw apiError(api, 400, { reason: 'badRequest', message: 'Bad Request' });
  }
  if (rule.type !== 'integer') return;
  const number = Number(value);
  const { min = 0, max = 2 ** 31 - 1 } = rule;
  if (!/^-?\d+$/.test(value) || number < min || number > max) {
    throw invalidParameter(api, name, value, ` Values must be within the range: [${min}, ${max}]`);
  }
}

/** Refuses parameters the method does not have, repeats, bad values and missing ones. */
export function checkQuery(route: ApiRoute, query: URLSearchParams): void {
  const rules: Record<string, QueryRule> = { ...standardQuery, ...route.query };
  for (const name of new Set(query.keys())) {
    const rule = rules[name];
    if (!rule) throw unknownParameter(route.api, name);
    const values = query.getAll(name);
    if (values.length > 1 && !rule.repeated) throw invalidParameter(route.api, name, values.join(','));
    for (const value of values) checkValue(route.api, name, rule, value);
  }
  for (const [name, rule] of Object.entries(rules)) {
    if (rule.required && !query.has(name)) throw missingParameter(route.api, name);
  }
}

function missingParameter(api: Api, name: string): GoogleError {
  if (api === 'gmail') return invalidArgument(`Missing required parameter: ${name}`);
  return legacyError(400, {
    reason: 'required',
    message: `Required parameter: ${name}`,
    location: name,
    locationType: 'parameter',
  });
}

/** A path parameter; the route's pattern guarantees it. */
export function param(call: Call, name: string): string {
  const value = call.params[name];
  if (value === undefined) throw new Error(`The route has no :${name}`);
  return value;
}

/** A query parameter as text. */
export function text(call: Call, name: string): string | undefined {
  return call.url.searchParams.get(name) ?? undefined;
}

/** A boolean query parameter. */
export function flag(call: Call, name: string, fallback = false): boolean {
  const value = call.url.searchParams.get(name);
  return value === null ? fallback : value === 'true';
}

/** An integer query parameter. */
export function integer(call: Call, name: string, fallback: number): number {
  const value = call.url.searchParams.get(name);
  return value === null ? fallback : Number(value);
}

/** A repeated query parameter. */
export function list(call: Call, name: string): string[] {
  return call.url.searchParams.getAll(name);
}

/** The JSON body by its schema; a field the schema lacks is refused in Google's words. */
export function jsonBody<T>(call: Call, schema: z.ZodType<T>): T {
  const type = call.headers['content-type'] ?? '';
  if (call.body.length > 0 && !type.includes('json')) {
    throw apiError(call.api, 400, { reason: 'badContent', message: `Unsupported content with type: ${type}` });
  }
  return checkBody(call.api, schema, call.body.toString('utf8'));
}

/** Checks a JSON text by a schema, for bodies that arrive inside a multipart upload too. */
export function checkBody<T>(api: Api, schema: z.ZodType<T>, source: string): T {
  let value: unknown;
  try {
    value = source.trim() === '' ? {} : JSON.parse(source);
  } catch (cause) {
    const error = apiError(api, 400, { reason: 'parseError', message: 'Parse Error' });
    error.cause = cause;
    throw error;
  }
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const at = issue?.path.join('.') ?? '';
  if (issue?.code === 'unrecognized_keys') {
    const where = at ? ` at '${at}'` : '';
    const message = `Invalid JSON payload received. Unknown name "${issue.keys[0] ?? ''}"${where}: Cannot find field.`;
    throw apiError(api, 400, { reason: 'badRequest', message });
  }
  throw apiError(api, 400, { reason: 'invalid', message: `Invalid value at '${at}': ${issue?.message ?? ''}` });
}

/** Cuts one page out of a list; the token is opaque to clients, and a foreign one is refused. */
export function page<T>(call: Call, items: T[], size: number): { items: T[]; nextPageToken?: string } {
  const token = text(call, 'pageToken');
  const start = token === undefined ? 0 : pageStart(call.api, token);
  const end = start + size;
  const more = end < items.length;
  return {
    items: items.slice(start, end),
    ...(more ? { nextPageToken: Buffer.from(`page:${end}`).toString('base64url') } : {}),
  };
}

function pageStart(api: Api, token: string): number {
  const found = /^page:(\d+)$/.exec(Buffer.from(token, 'base64url').toString());
  if (!found) {
    throw apiError(api, 400, {
      reason: 'invalid',
      message: api === 'gmail' ? 'Invalid pageToken' : 'Invalid Value',
      location: 'pageToken',
      locationType: 'parameter',
    });
  }
  return Number(found[1]);
}
