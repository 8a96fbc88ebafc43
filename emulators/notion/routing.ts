// Routes of Notion's API, and what every handler may ask of a request.
import type { z } from 'zod';
import { checkJson } from '../kit/body.ts';
import { findQueryError, getPathParameter } from '../kit/routing.ts';
import type { PathCall, QueryRule } from '../kit/routing.ts';
import type { Reply } from '../kit/wire.ts';
import { createValidationError, createObjectNotFoundError, createNotionError } from './errors.ts';
import type { NotionWorld } from './state.ts';

/** The integration that calls, and the person who installed it, if one did. */
export type Caller = { clientId: string; account: string };

/** Versions of the API that are emulated. Data sources came with the second. */
export const versions = ['2022-06-28', '2025-09-03'] as const;

/** A request on its way to a handler. */
export type Call = PathCall & { world: NotionWorld; caller: Caller; version: (typeof versions)[number] };

/** A route. `since` names the first version that has it, `until` the last. */
export type Route = {
  method: string;
  path: string;
  query?: Record<string, QueryRule>;
  version?: (typeof versions)[number];
  handle(call: Call): Reply;
};

/** The JSON body by its schema. */
export function parseJsonBody<T>(call: PathCall, schema: z.ZodType<T>): T {
  const checked = checkJson(schema, call.body.toString('utf8'));
  if ('value' in checked) return checked.value;
  const { error: queryError } = checked;
  if (queryError.kind === 'malformed') throw createNotionError(400, 'invalid_json', 'Error parsing JSON body.');
  const at = queryError.at ? `body.${queryError.at}` : 'body';
  if (queryError.kind === 'unknown')
    throw createValidationError(`body failed validation: ${at}.${queryError.name} should be not present.`);
  if (queryError.kind === 'missing')
    throw createValidationError(`body failed validation: ${at} should be defined, instead was \`undefined\`.`);
  throw createValidationError(`body failed validation: ${at} is invalid: ${queryError.message}`);
}

/** Refuses parameters that a route does not name. */
export function checkQuery(route: Route, query: URLSearchParams): void {
  const queryError = findQueryError(route.query ?? {}, query);
  if (queryError) throw createValidationError(`query failed validation: query.${queryError.name} (${queryError.kind})`);
}

const hex = /^[0-9a-f]{32}$/i;

/** An id with or without its dashes; throws validation_error. */
export function parseNotionId(value: string, where: string): string {
  const bare = value.replaceAll('-', '');
  if (!hex.test(bare)) throw createValidationError(`${where} should be a valid uuid, instead was \`"${value}"\`.`);
  return bare.toLowerCase().replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** The id of the path. */
export function getPathId(call: Call, name: string): string {
  return parseNotionId(getPathParameter(call, name), `path failed validation: path.${name}`);
}

/** One page of a list; a cursor is the id of the row that comes next. */
export function listReply<T extends { id: string }>(
  rows: T[],
  { start, size, type }: { start?: string | null | undefined; size?: number | undefined; type: string },
  shape: (row: T) => unknown,
): Reply {
  const from = start ? rows.findIndex(({ id }) => id === start) : 0;
  if (from < 0) throw createValidationError(`The start_cursor provided is invalid: ${start ?? ''}`);
  const end = from + (size ?? 100);
  const next = rows[end];
  return {
    json: {
      object: 'list',
      results: rows.slice(from, end).map(shape),
      next_cursor: next?.id ?? null,
      has_more: next !== undefined,
      type,
      [type]: {},
    },
  };
}

/** What exists, or 404. */
export function requireFound<T>(kind: string, id: string, thing: T | undefined): T {
  if (thing === undefined) throw createObjectNotFoundError(kind, id);
  return thing;
}
