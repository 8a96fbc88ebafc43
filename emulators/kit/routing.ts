// Routes are data: path and parameters as in the provider's API description. Unknown paths and parameters are refused.
import type { IncomingHttpHeaders } from 'node:http';

/** How one query parameter may look. */
export type QueryRule = {
  type: 'string' | 'boolean' | 'integer' | 'date-time';
  repeated?: true;
  required?: true;
  values?: readonly string[];
  /** Bounds of an integer. */
  min?: number;
  max?: number;
};

/** The error of a query. */
export type QueryError = {
  kind: 'unknown' | 'repeated' | 'missing' | 'invalid';
  name: string;
  value: string;
  rule?: QueryRule;
};

/** The part of a request that every handler gets. */
export type PathCall = {
  now: Date;
  url: URL;
  params: Record<string, string>;
  headers: IncomingHttpHeaders;
  body: Buffer;
};

/** The words of a text: API descriptions name many fields. */
export function splitNames(source: string): string[] {
  return source.split(/\s+/).filter(Boolean);
}

/** The values of a path that fits a route, decoded; undefined when it does not fit. */
function matchPath(pattern: string, path: string): Record<string, string> | undefined {
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

/** The first route that fits; literal paths have to stand before patterns that would take them. */
export function findRoute<R extends { method: string; path: string }>(
  routes: readonly R[],
  request: { method: string; url: URL },
): { route: R; params: Record<string, string> } | undefined {
  for (const route of routes) {
    const params = route.method === request.method ? matchPath(route.path, request.url.pathname) : undefined;
    if (params) return { route, params };
  }
  return undefined;
}

/** RFC 3339 with an offset. */
export const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i;

function isValid(rule: QueryRule, value: string): boolean {
  if (rule.values && !rule.values.includes(value)) return false;
  if (rule.type === 'boolean') return ['true', 'false'].includes(value);
  if (rule.type === 'date-time') return rfc3339.test(value) && !Number.isNaN(Date.parse(value));
  if (rule.type !== 'integer') return true;
  const { min = 0, max = 2 ** 31 - 1 } = rule;
  return /^-?\d+$/.test(value) && Number(value) >= min && Number(value) <= max;
}

/** The first thing wrong with a query: a parameter the method lacks, a repeat, a bad value, a missing one. */
export function findQueryError(rules: Record<string, QueryRule>, query: URLSearchParams): QueryError | undefined {
  for (const name of new Set(query.keys())) {
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    const values = query.getAll(name);
    if (!rule) return { kind: 'unknown', name, value: values.join(',') };
    if (values.length > 1 && !rule.repeated) return { kind: 'repeated', name, value: values.join(','), rule };
    const bad = values.find((value) => !isValid(rule, value));
    if (bad !== undefined) return { kind: 'invalid', name, value: bad, rule };
  }
  for (const [name, rule] of Object.entries(rules)) {
    if (rule.required && !query.has(name)) return { kind: 'missing', name, value: '', rule };
  }
  return undefined;
}

/** A path parameter; the route's pattern guarantees it. */
export function getPathParameter(call: PathCall, name: string): string {
  const value = call.params[name];
  if (value === undefined) throw new Error(`The route has no :${name}`);
  return value;
}

/** A query parameter as text. */
export function getTextParameter(call: PathCall, name: string): string | undefined {
  return call.url.searchParams.get(name) ?? undefined;
}

/** A boolean query parameter. */
export function getFlagParameter(call: PathCall, name: string, fallback = false): boolean {
  const value = call.url.searchParams.get(name);
  return value === null ? fallback : value === 'true';
}

/** An integer query parameter. */
export function getIntegerParameter(call: PathCall, name: string, fallback: number): number {
  const value = call.url.searchParams.get(name);
  return value === null ? fallback : Number(value);
}

/** A repeated query parameter. */
export function list(call: PathCall, name: string): string[] {
  return call.url.searchParams.getAll(name);
}
