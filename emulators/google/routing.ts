// Routes are data: path, scopes and parameters as in Google's discovery documents. Unknown paths and parameters are
// refused.
import type { z } from 'zod';
import { checkJson } from '../kit/body.ts';
import type { Client } from '../kit/oauth/store.ts';
import { findQueryError, getTextParameter } from '../kit/routing.ts';
import type { PathCall, QueryRule } from '../kit/routing.ts';
import type { Reply, WireError } from '../kit/wire.ts';
import type { Account, World } from './accounts.ts';
import { createApiError, createInvalidArgumentError, createLegacyError, createModernError } from './errors.ts';
import type { Api } from './errors.ts';
import type { Effects } from './ledger.ts';

/** Who is calling, by the bearer token. */
export type Caller = { account: Account; client: Client; scopes: readonly string[] };

/** A request on its way to a handler. */
export type Call = PathCall & { world: World; api: Api; effects: Effects };

/** A request with a live token. */
export type ApiCall = Call & { caller: Caller };

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

function createUnknownParameterError(api: Api, name: string): WireError {
  const message = `Invalid JSON payload received. Unknown name "${name}": Cannot bind query parameter. Field '${name}' could not be found in request message.`;
  if (api !== 'gmail') {
    return createApiError(api, 400, {
      reason: 'unknownParameter',
      message: `Unknown parameter: ${name}`,
      location: name,
      locationType: 'parameter',
    });
  }
  return createModernError(
    400,
    { reason: 'invalid', message },
    {
      details: [{ '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations: [{ description: message }] }],
    },
  );
}

function createInvalidParameterError(api: Api, name: string, value: string, hint = ''): WireError {
  if (api === 'gmail') return createInvalidArgumentError(`Invalid value at '${toSnakeCase(name)}', "${value}"`);
  return createLegacyError(400, {
    reason: 'invalidParameter',
    message: `Invalid value '${value}'.${hint}`,
    location: name,
    locationType: 'parameter',
  });
}

function toSnakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function formatRangeHint({ values, min = 0, max = 2 ** 31 - 1, type }: QueryRule): string {
  if (values) return ` Allowed values are: [${values.join(', ')}]`;
  return type === 'integer' ? ` Values must be within the range: [${min}, ${max}]` : '';
}

/** Refuses parameters the method does not have, repeats, bad values and missing ones. */
export function checkQuery(route: ApiRoute, query: URLSearchParams): void {
  const queryError = findQueryError({ ...standardQuery, ...route.query }, query);
  if (!queryError) return;
  const { kind, name, value, rule } = queryError;
  if (kind === 'unknown') throw createUnknownParameterError(route.api, name);
  if (kind === 'missing') throw createMissingParameterError(route.api, name);
  if (kind === 'invalid' && rule?.type === 'date-time') {
    throw createApiError(route.api, 400, { reason: 'badRequest', message: 'Bad Request' });
  }
  throw createInvalidParameterError(route.api, name, value, kind === 'invalid' && rule ? formatRangeHint(rule) : '');
}

function createMissingParameterError(api: Api, name: string): WireError {
  if (api === 'gmail') return createInvalidArgumentError(`Missing required parameter: ${name}`);
  return createLegacyError(400, {
    reason: 'required',
    message: `Required parameter: ${name}`,
    location: name,
    locationType: 'parameter',
  });
}

/** The JSON body by its schema; a field the schema lacks is refused in Google's words. */
export function parseJsonBody<T>(call: Call, schema: z.ZodType<T>): T {
  const type = call.headers['content-type'] ?? '';
  if (call.body.length > 0 && !type.includes('json')) {
    throw createApiError(call.api, 400, { reason: 'badContent', message: `Unsupported content with type: ${type}` });
  }
  return checkBody(call.api, schema, call.body.toString('utf8'));
}

/** Checks a JSON text by a schema, for bodies that arrive inside a multipart upload too. */
export function checkBody<T>(api: Api, schema: z.ZodType<T>, source: string): T {
  const checked = checkJson(schema, source);
  if ('value' in checked) return checked.value;
  const { error: queryError } = checked;
  if (queryError.kind === 'malformed') {
    const error = createApiError(api, 400, { reason: 'parseError', message: 'Parse Error' });
    error.cause = queryError.cause;
    throw error;
  }
  if (queryError.kind === 'unknown') {
    const where = queryError.at ? ` at '${queryError.at}'` : '';
    const message = `Invalid JSON payload received. Unknown name "${queryError.name}"${where}: Cannot find field.`;
    throw createApiError(api, 400, { reason: 'badRequest', message });
  }
  throw createApiError(api, 400, {
    reason: 'invalid',
    message: `Invalid value at '${queryError.at}': ${queryError.message}`,
  });
}

/** Cuts one page out of a list; the token is opaque to clients, and a foreign one is refused. */
export function cutPage<T>(call: Call, items: T[], size: number): { items: T[]; nextPageToken?: string } {
  const token = getTextParameter(call, 'pageToken');
  const start = token === undefined ? 0 : parsePageStart(call.api, token);
  const end = start + size;
  const more = end < items.length;
  return {
    items: items.slice(start, end),
    ...(more ? { nextPageToken: Buffer.from(`page:${end}`).toString('base64url') } : {}),
  };
}

function parsePageStart(api: Api, token: string): number {
  const found = /^page:(\d+)$/.exec(Buffer.from(token, 'base64url').toString());
  if (!found) {
    throw createApiError(api, 400, {
      reason: 'invalid',
      message: api === 'gmail' ? 'Invalid pageToken' : 'Invalid Value',
      location: 'pageToken',
      locationType: 'parameter',
    });
  }
  return Number(found[1]);
}
