// Replaces handles with the values of secrets: only where each may be used, and only for its hosts.
import { normalizePath } from './canonical-url.ts';
import { Failure } from './egress-error.ts';
import type { Hop } from './exchange.ts';
import { fillForm, fillHeader, fillJson, fillPath, fillQuery, listHandles, type Fill } from './fill-places.ts';
import { isHostAllowed, canStandInPlace, type PlacementKind } from './placement.ts';
import { checkHeader } from './request-headers.ts';
import { listSecretForms } from './secret-forms.ts';

/** A secret that one call may use, looked up for its caller before. */
export type Handle = {
  /** Its stand-in in the request: `sec_` and 24 letters and digits. */
  handle: string;
  value: string;
  /** `header`, `query:api_key`, `path`, `form:code`, `json:auth.token`, … */
  placements: readonly string[];
  /** `api.example.com`, `*.example.com`, `host:port`. */
  hosts: readonly string[];
};

/**
 * Refuses a request that contains an unknown handle, before anything is sent. With `only`, just these headers are
 * searched.
 */
export function checkKnown(hop: Hop, handles: readonly Handle[], only?: ReadonlySet<string>): void {
  const known = new Set(handles.map(({ handle }) => handle));
  const headers = [...hop.headers].filter(([name]) => !only || only.has(name));
  const texts = headers.flatMap(([name, value]) => [name, value, decodeBasicCredentials(value)]);
  if (!only) texts.push(hop.url.href, typeof hop.body === 'string' ? hop.body : toLatin1(hop.body));
  for (const handle of texts.flatMap(listHandles)) {
    if (!known.has(handle))
      throw createSecretFailure(handle, 'is not a handle that this caller can use. See list_variables');
  }
}

/**
 * The request to send, and the secrets it contains. Throws a Failure when a secret may not be used in that place or for
 * that host. With `only`, just these headers are filled in.
 */
export function fillHop(
  hop: Hop,
  handles: readonly Handle[],
  only?: ReadonlySet<string>,
): { hop: Hop; used: Handle[] } {
  if (!handles.length) return { hop, used: [] };
  const used = new Set<Handle>();
  const fillAt = createFill(handles, hop.url, used);
  const url = only ? hop.url : fillTemplate(hop.url, fillAt);
  const fillOne = (name: string, value: string) =>
    !only || only.has(name) ? fillHeader(value, fillAt('header', name)) : value;
  const headers = new Map([...hop.headers].map(([name, value]) => [name, fillOne(name, value)]));
  for (const [name, value] of headers) checkHeader(name, value);
  const body = only ? hop.body : fillBody(hop, fillAt);
  return { hop: { ...hop, url, headers, body }, used: [...used] };
}

/** The address of a request as it is sent. Throws like `fillHop`. */
export function fillUrl(template: URL, handles: readonly Handle[]): URL {
  return fillTemplate(template, createFill(handles, template, new Set()));
}

type FillAt = (kind: PlacementKind, name?: string) => Fill;

function createFill(handles: readonly Handle[], to: URL, used: Set<Handle>): FillAt {
  const byName = new Map(handles.map((each) => [each.handle, each]));
  return (kind, name) => (handle) => {
    const secret = byName.get(handle);
    if (!secret) return null;
    if (!canStandInPlace(secret.placements, kind, name)) throw createMisplacedFailure(secret, kind, name);
    if (!isHostAllowed(secret.hosts, to)) throw createHostRefusedFailure(secret, to);
    used.add(secret);
    return secret.value;
  };
}

function fillTemplate(template: URL, fillAt: FillAt): URL {
  if (listHandles(template.href).length === 0) return template;
  const url = new URL(template);
  const path = fillPath(template.pathname, fillAt('path'));
  url.pathname = normalizePath(path);
  // A value of dots would change the path, and a value after a `%` would form an escape.
  if (url.pathname !== path) throw new Failure('invalid_request', "This secret's value cannot be part of a path.");
  url.search = fillQuery(template.search, (name) => fillAt('query', name));
  return url;
}

function fillBody({ body, headers }: Hop, fillAt: FillAt): Hop['body'] {
  if (body === undefined) return body;
  const text = typeof body === 'string' ? body : toLatin1(body);
  const [first] = listHandles(text);
  if (first === undefined) return body;
  const type = headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? '';
  if (typeof body === 'string' && type === 'application/x-www-form-urlencoded')
    return fillForm(body, (name) => fillAt('form', name));
  if (typeof body === 'string' && /^application\/([\w.-]+\+)?json$/.test(type))
    return fillJson(body, (name) => fillAt('json', name));
  throw createSecretFailure(first, 'is in a body that is neither a form nor JSON');
}

/** A `Location` that repeats a value gets the handle instead, so that the next request is checked like the first. */
export function replaceValuesByHandles(location: string, used: readonly Handle[]): string {
  let text = location;
  for (const { handle, value } of used) {
    for (const form of listSecretForms(value).toSorted((a, b) => b.length - a.length))
      text = text.replaceAll(form, handle);
  }
  return text;
}

function toLatin1(body: Uint8Array | undefined): string {
  return Buffer.from(body ?? '').toString('latin1');
}

function decodeBasicCredentials(header: string): string {
  const coded = /^basic\s+(\S+)$/i.exec(header)?.[1];
  return coded === undefined ? '' : Buffer.from(coded, 'base64').toString();
}

function createMisplacedFailure(
  { handle, placements }: Handle,
  kind: PlacementKind,
  name: string | undefined,
): Failure {
  const where = name === undefined ? kind : `${kind} ${name.slice(0, 60)}`;
  return createSecretFailure(handle, `may not be in the ${where}. Allowed: ${placements.join(', ')}`);
}

function createHostRefusedFailure({ handle, hosts }: Handle, url: URL): Failure {
  const to = hosts.length ? `allowed hosts: ${hosts.join(', ')}` : 'has no hosts yet';
  return createSecretFailure(handle, `may not be sent to ${url.host}; ${to}`);
}

function createSecretFailure(handle: string, why: string): Failure {
  return new Failure('secret', `The secret ${handle} ${why}.`);
}
