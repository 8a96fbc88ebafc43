// Slack's methods are data: their arguments, content types and scopes. Refusals answer 200 with `ok: false`.
import type { IncomingHttpHeaders } from 'node:http';
import { WireError } from '../kit/wire.ts';
import type { IncomingRequest, Reply } from '../kit/wire.ts';
import type { Member, SlackWorld } from './state.ts';

/** How one argument may look. `json` is text in a form, and a value in JSON. */
export type ArgumentRule = { type: 'string' | 'boolean' | 'integer' | 'json' | 'ts'; required?: true; max?: number };

/** Who is calling: the token's person or bot. */
export type Caller = { member: Member; scopes: readonly string[]; token: string; clientId: string };

/** Arguments as they were read. */
export type Arguments = Record<string, unknown>;

/** A request on its way to a handler. */
export type Call = { world: SlackWorld; now: Date; args: Arguments; headers: IncomingHttpHeaders };

/** A request with a live token. */
export type ApiCall = Call & { caller: Caller };

/** A method. Only writing methods take JSON. */
export type Method = {
  name: string;
  args: Record<string, ArgumentRule>;
  /** All of these; methods whose scope depends on the conversation check it themselves. */
  scopes?: readonly string[];
  takesJson?: true;
  handle(call: ApiCall): Reply;
};

/** `ok: false` with status 200. */
export function createSlackError(error: string, more: Record<string, unknown> = {}): WireError {
  return new WireError(200, error, { ok: false, error, ...more });
}

/** 429 with Retry-After. */
export function createRateLimitError(retryAfter: number): WireError {
  return new WireError(429, 'ratelimited', { ok: false, error: 'ratelimited' }, { 'retry-after': String(retryAfter) });
}

/** `ok: true` with these fields. */
export function buildOkReply(fields: Record<string, unknown> = {}): Reply {
  return { json: { ok: true, ...fields } };
}

/** Refuses a caller whose token lacks a scope. */
export function requireScope({ scopes }: Caller, needed: string): void {
  if (!scopes.includes(needed)) throw createSlackError('missing_scope', { needed, provided: scopes.join(',') });
}

function createArgumentError(name: string, why: string): WireError {
  return createSlackError('invalid_arguments', {
    response_metadata: { messages: [`[ERROR] ${why} [json-pointer:/${name}]`] },
  });
}

function parseFormArguments(source: URLSearchParams): Arguments {
  return Object.fromEntries(source);
}

/** Reads arguments from the query, a form, or, where the method takes it, JSON. */
export function readArguments(incoming: IncomingRequest, takesJson: boolean): Arguments {
  const query = parseFormArguments(incoming.url.searchParams);
  if (incoming.method === 'GET') return query;
  const type = incoming.headers['content-type'] ?? '';
  const source = incoming.body.toString('utf8');
  if (type.includes('x-www-form-urlencoded')) return { ...query, ...parseFormArguments(new URLSearchParams(source)) };
  if (source === '') return query;
  if (!type.includes('application/json') || !takesJson) throw createSlackError('invalid_post_type');
  try {
    const value = JSON.parse(source) as unknown;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw createSlackError('json_not_object');
    // A token in a JSON body is not looked at.
    return { ...query, ...value, token: undefined };
  } catch (error) {
    throw error instanceof WireError ? error : createSlackError('invalid_json');
  }
}

function parseJsonArgument(name: string, value: string): unknown {
  try {
    return JSON.parse(value) as unknown;
  } catch {
    throw createArgumentError(name, 'must be valid JSON');
  }
}

function readValue(name: string, rule: ArgumentRule, value: unknown): unknown {
  if (rule.type === 'json') return typeof value === 'string' ? parseJsonArgument(name, value) : value;
  if (rule.type === 'boolean') {
    if (![true, false, 'true', 'false', '1', '0', 1, 0].includes(value as string))
      throw createArgumentError(name, 'must be a boolean');
    return [true, 'true', '1', 1].includes(value as string);
  }
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string') throw createArgumentError(name, 'must be a string');
  if (rule.type === 'ts' && !/^\d+(\.\d+)?$/.test(text))
    throw createSlackError(name === 'ts' ? 'invalid_arguments' : `invalid_ts_${name}`);
  if (rule.type !== 'integer') return text;
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1 || number > (rule.max ?? 1000)) throw createSlackError('invalid_limit');
  return number;
}

/** The arguments of a method, checked. Unknown arguments are refused, though Slack ignores them. */
export function checkArguments(method: Method, given: Arguments): Arguments {
  const args: Arguments = {};
  for (const [name, value] of Object.entries(given)) {
    if (name === 'token' || value === undefined) continue;
    const rule = Object.hasOwn(method.args, name) ? method.args[name] : undefined;
    if (!rule) throw createArgumentError(name, `unknown argument: ${name}`);
    if (value !== '' && value !== null) args[name] = readValue(name, rule, value);
  }
  for (const [name, rule] of Object.entries(method.args)) {
    if (rule.required && args[name] === undefined) throw createArgumentError(name, `missing required field: ${name}`);
  }
  return args;
}

/** A text argument. */
export function getTextArgument({ args }: Call, name: string): string | undefined {
  const value = args[name];
  return typeof value === 'string' ? value : undefined;
}

/** One page by cursor. Slack cuts a page first and filters it after, so a page can be short or empty. */
export function cutCursorPage<T>(call: Call, items: T[], size: number): { items: T[]; next: string } {
  const cursor = getTextArgument(call, 'cursor');
  const found = cursor === undefined ? undefined : /^next:(\d+)$/.exec(Buffer.from(cursor, 'base64').toString());
  if (cursor !== undefined && !found) throw createSlackError('invalid_cursor');
  const start = Number(found?.[1] ?? 0);
  const end = start + size;
  const next = end < items.length ? Buffer.from(`next:${end}`).toString('base64') : '';
  return { items: items.slice(start, end), next };
}
