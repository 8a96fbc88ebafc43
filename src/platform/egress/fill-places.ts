// The parts of a request where a handle can be, each with the encoding of that part.
import { Failure } from './egress-error.ts';
import { unescapeInSegment } from './secret-forms.ts';

/** The value for a handle; null for a text that is not a handle. Throws when the handle may not be in this place. */
export type Fill = (handle: string) => string | null;

const handleForm = /sec_[A-Za-z0-9]{24}/g;

/** Every handle in a text, once for each time it appears. */
export function listHandles(text: string): string[] {
  return text.match(handleForm) ?? [];
}

function fillText(text: string, fill: Fill, encode: (value: string) => string): string {
  return text.replaceAll(handleForm, (handle) => {
    const value = fill(handle);
    return value === null ? handle : encode(value);
  });
}

/** A header's value; a handle inside the base64 of `Basic` is replaced, too. */
export function fillHeader(value: string, fill: Fill): string {
  const [, scheme = '', coded = ''] = /^(basic\s+)(\S+)$/i.exec(value) ?? [];
  const plain = Buffer.from(coded, 'base64').toString();
  if (scheme && listHandles(plain).length)
    return scheme + Buffer.from(fillText(plain, fill, keepUnchanged)).toString('base64');
  return fillText(value, fill, keepUnchanged);
}

/** A path. Characters that RFC 3986 allows unescaped in a segment stay unescaped. */
export function fillPath(path: string, fill: Fill): string {
  return fillText(path, fill, (value) => unescapeInSegment(encodeComponent(value)));
}

/** A query string with its `?`. A handle in a parameter's name is never filled in. */
export function fillQuery(search: string, getFill: (name: string) => Fill): string {
  const mark = search.startsWith('?') ? '?' : '';
  return mark + fillPairs(search.slice(mark.length), getFill, encodeComponent);
}

/** The body of a form. */
export function fillForm(body: string, getFill: (name: string) => Fill): string {
  return fillPairs(body, getFill, (value) => new URLSearchParams({ v: value }).toString().slice(2));
}

function fillPairs(text: string, getFill: (name: string) => Fill, encode: (value: string) => string): string {
  return text
    .split('&')
    .map((pair) => {
      const equals = pair.indexOf('=');
      const name = equals === -1 ? pair : pair.slice(0, equals);
      refuseInName(name);
      return equals === -1 ? pair : `${name}=${fillText(pair.slice(equals + 1), getFill(decodeName(name)), encode)}`;
    })
    .join('&');
}

/**
 * A JSON body, otherwise unchanged. Each handle must be in the text of a field. A handle in a field name, or in a field
 * that a later one with the same name overrides, is refused.
 */
export function fillJson(body: string, getFill: (path: string) => Fill): string {
  const places = new Map<string, { count: number; paths: Set<string> }>();
  const counts = new Map<string, number>();
  for (const handle of listHandles(body)) counts.set(handle, (counts.get(handle) ?? 0) + 1);
  walk({ value: parse(body), path: null, depth: 0 }, (path, handle) => {
    const there = places.get(handle) ?? { count: 0, paths: new Set() };
    places.set(handle, { count: there.count + 1, paths: there.paths.add(path) });
  });
  for (const [handle, count] of counts) {
    if (places.get(handle)?.count !== count)
      throw new Failure('secret', `The secret ${handle} is in the JSON body, but not in the text of a field.`);
  }
  // Every place is checked, because a handle in a forbidden place is refused.
  const values = new Map([...places].map(([handle, { paths }]) => [handle, findFillValue(handle, paths, getFill)]));
  return body.replaceAll(handleForm, (handle) => {
    const value = values.get(handle) ?? null;
    return value === null ? handle : JSON.stringify(value).slice(1, -1);
  });
}

function findFillValue(handle: string, paths: ReadonlySet<string>, getFill: (path: string) => Fill): string | null {
  const [value = null] = [...paths].map((path) => getFill(path)(handle));
  return value;
}

/** Deeper than any API accepts, and far less deep than recursion allows. */
const deepest = 200;

type Node = { value: unknown; path: string | null; depth: number };

function walk({ value, path, depth }: Node, onHandle: (path: string, handle: string) => void): void {
  if (typeof value === 'string') for (const handle of listHandles(value)) onHandle(path ?? '', handle);
  if (typeof value !== 'object' || value === null) return;
  if (depth > deepest)
    throw new Failure('invalid_request', 'The JSON body is nested too deeply. Send JSON with fewer levels.');
  // Items of a list have the name of the list.
  for (const [name, field] of Object.entries(value)) {
    const inside = Array.isArray(value) ? path : path === null ? name : `${path}.${name}`;
    walk({ value: field, path: inside, depth: depth + 1 }, onHandle);
  }
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw new Failure('invalid_request', 'The body is declared as JSON, but it is not JSON.');
  }
}

function refuseInName(name: string): void {
  const [handle] = listHandles(name);
  if (handle !== undefined) throw new Failure('secret', `The secret ${handle} is in the name of a parameter.`);
}

function keepUnchanged(value: string): string {
  return value;
}

function encodeComponent(value: string): string {
  return encodeURIComponent(value.toWellFormed());
}

function decodeName(name: string): string {
  try {
    return decodeURIComponent(name.replaceAll('+', ' '));
  } catch {
    return name;
  }
}
