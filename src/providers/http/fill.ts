// Fills an endpoint's placeholders. Values are escaped for the part they are in: no value can add a path segment, a
// parameter, a header or a field.
import { AppError } from '#kernel/errors';
import { memoize } from '#kernel/memoize';
import type { Endpoint } from './endpoint.ts';
import { splitTemplate } from './endpoint.ts';
import { readValue, type Values } from './values.ts';

/** A request for egress. */
export type FilledRequest = {
  method: Endpoint['method'];
  url: string;
  headers: Record<string, string>;
  body?: string;
};

/** Fills an endpoint. Throws `invalid_input` that names the placeholder without a usable value. */
export function fill(endpoint: Endpoint, values: Values): FilledRequest {
  const { method, url, headers = {}, queryParams = {}, body, form } = endpoint;
  const content = buildContent(body, form, values);
  return {
    method,
    url: withQuery(fillUrl(url, values), listEntries(queryParams, values)),
    headers: { ...(content && { 'content-type': content.type }), ...fillHeaders(headers, values) },
    ...(content && { body: content.text }),
  };
}

/**
 * JSON with its placeholders replaced. `{$each, $as, $of}` becomes a list, with `$of` filled once for each value at the
 * path `$each`. `{$with, $of}` becomes the object `$of`, plus the fields at the path `$with` that `$of` lacks. `{$when,
 * $of}` becomes `$of` if there is a value at the path `$when`. A text that is a single placeholder takes the value with
 * its type, or is left out without a value.
 */
function fillJson(template: unknown, values: Values): unknown {
  if (typeof template === 'string') return fillText(template, values);
  if (Array.isArray(template))
    return template.map((each) => fillJson(each, values)).filter((each) => each !== undefined);
  if (typeof template !== 'object' || template === null) return template;
  if (isLoop(template)) return fillLoop(template, values);
  if (isUnion(template)) return fillUnion(template, values);
  if (isOptional(template)) return isThere(values, template.$when) ? fillJson(template.$of, values) : undefined;
  const filled = Object.entries(template).map(([name, each]) => [name, fillJson(each, values)] as const);
  return Object.fromEntries(filled.filter(([, each]) => each !== undefined));
}

type TemplateLoop = { $each: string; $as: string; $of: unknown };

function isLoop(template: object): template is TemplateLoop {
  return '$each' in template && '$as' in template && '$of' in template && Object.keys(template).length === 3;
}

type Optional = { $when: string; $of: unknown };

function isOptional(template: object): template is Optional {
  return '$when' in template && '$of' in template && Object.keys(template).length === 2;
}

function isThere(values: Values, path: string): boolean {
  const value = readValue(values, path);
  return value !== undefined && value !== null;
}

function fillLoop({ $each, $as, $of }: TemplateLoop, values: Values): unknown {
  const list = readValue(values, $each);
  if (list === undefined || list === null) return undefined;
  return [list].flat().map((each) => fillJson($of, { ...values, [$as]: each }));
}

type Union = { $with: string; $of: object };

function isUnion(template: object): template is Union {
  return '$with' in template && '$of' in template && Object.keys(template).length === 2;
}

function fillUnion({ $with, $of }: Union, values: Values): unknown {
  const given = readValue(values, $with) ?? {};
  if (typeof given !== 'object' || Array.isArray(given)) throw createValueError($with, 'must be an object here');
  return { ...given, ...(fillJson($of, values) as object) }; // an object stays an object
}

function fillText(template: string, values: Values): unknown {
  const [only, ...others] = splitTemplate(template);
  if (only && 'path' in only && others.length === 0) return readValue(values, only.path);
  return fillEscaped(template, values, (value) => value);
}

/** A text with every placeholder written out by `escape`. */
function fillEscaped(template: string, values: Values, escape: (text: string) => string): string {
  return splitTemplate(template)
    .map((part) => ('literal' in part ? part.literal : escape(formatScalar(readValue(values, part.path), part.path))))
    .join('');
}

function formatScalar(value: unknown, path: string): string {
  if (typeof value === 'string') return value.toWellFormed();
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const said = value === undefined || value === null ? 'has no value' : 'must be a text, a number, true or false here';
  throw createValueError(path, said);
}

type UrlParts = { base: string; segments: readonly string[]; query: string };

const partsOfUrl = memoize(2_000, (template): UrlParts => {
  const [, base = '', path = '', query = ''] = /^(https?:\/\/[^/?#]+)([^?#]*)(\?[^#]*)?/i.exec(template) ?? [];
  return { base, segments: path.split('/'), query };
});

function fillUrl(template: string, values: Values): string {
  const { base, segments, query } = partsOfUrl(template);
  const path = segments.map((segment) => fillSegment(segment, values)).join('/');
  return `${base}${path}${fillEscaped(query, values, encodeURIComponent)}`;
}

/** A value stays in its segment: slashes are escaped, and `.` and `..` would leave it. */
function fillSegment(template: string, values: Values): string {
  const named = splitTemplate(template).find((part) => 'path' in part);
  if (!named) return template;
  const segment = fillEscaped(template, values, encodeURIComponent);
  if (segment === '') throw createValueError(named.path, 'must not be empty here');
  if (/^(\.|%2e){1,2}$/i.test(segment)) throw createValueError(named.path, 'must not be «.» or «..» here');
  return segment;
}

/** Names and values. Missing values are left out; the name of a list is repeated for each of its values. */
function listEntries(templates: NonNullable<Endpoint['queryParams']>, values: Values): [string, string][] {
  return Object.entries(templates).flatMap(([name, template]) => {
    const filled = [fillJson(template, values)].flat(2);
    return filled.flatMap((value): [string, string][] =>
      value === undefined || value === null ? [] : [[name, formatScalar(value, name)]],
    );
  });
}

function withQuery(url: string, entries: readonly [string, string][]): string {
  if (entries.length === 0) return url;
  return `${url}${url.includes('?') ? '&' : '?'}${new URLSearchParams([...entries])}`;
}

function fillHeaders(templates: Readonly<Record<string, string>>, values: Values): Record<string, string> {
  const filled = Object.entries(templates).flatMap(([name, template]): [string, string][] => {
    const value = fillText(template, values);
    if (value === undefined || value === null) return [];
    const text = formatScalar(value, name);
    // RFC 9110 section 5.5: a line break would begin another header.
    if (!/^[\t\u0020-\u007e\u0080-\u00ff]*$/.test(text))
      throw createValueError(name, 'must be one line of Latin characters in a header');
    return [[name.toLowerCase(), text]];
  });
  return Object.fromEntries(filled);
}

function buildContent(body: Endpoint['body'], form: Endpoint['form'], values: Values) {
  if (form) {
    return {
      type: 'application/x-www-form-urlencoded',
      text: new URLSearchParams(listEntries(form, values)).toString(),
    };
  }
  const filled = body === undefined ? undefined : fillJson(body, values);
  return filled === undefined ? null : { type: 'application/json', text: JSON.stringify(filled) };
}

function createValueError(path: string, said: string): AppError {
  return new AppError('invalid_input', `${path} ${said}.`, { issues: [{ path, message: said }] });
}
