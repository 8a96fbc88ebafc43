// The headers of a request, at first and after a redirect to another origin.
import { validateHeaderName, validateHeaderValue } from 'node:http';
import { findUnsendable } from '#kernel/pasted-secret';
import { Failure } from './egress-error.ts';
import { isMethodOverride, isOverridingHeader } from './overrides.ts';

/** Headers that this server sets itself; a caller's values are dropped silently, as in the Fetch standard. */
const setByUs = new Set([
  'host',
  'connection',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'content-length',
  'accept-encoding',
  'upgrade',
  'http2-settings',
  'expect',
  'te',
  'trailer',
]);

/** The only headers that may go to another origin. A list of headers to drop would miss the next `X-Api-Key`. */
const safeAcrossOrigins = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'content-language',
  'content-type',
  'range',
  'user-agent',
]);

export type RequestHeaders = ReadonlyMap<string, string>;

/**
 * The headers to send, with names in lower case. Requests compressed answers, except with `range`, because a piece of a
 * compressed body cannot be read. Throws a Failure that names the header, never its value.
 */
export function prepareHeaders(given: Readonly<Record<string, string>>, userAgent: string): RequestHeaders {
  const headers = new Map([['user-agent', userAgent]]);
  for (const [givenName, value] of Object.entries(given)) {
    const name = givenName.toLowerCase();
    if (setByUs.has(name)) continue;
    if (isOverridingHeader(name)) throw createOverrideFailure(name);
    checkHeader(name, value);
    headers.set(name, value);
  }
  headers.set('accept-encoding', headers.has('range') ? 'identity' : 'gzip, br');
  return headers;
}

function createOverrideFailure(name: string): Failure {
  const message = isMethodOverride(name)
    ? `The header ${name} asks for another method than the request has. Send the request with that method.`
    : `The header ${name} overrides the address or method of the request. Send the request as intended, without this header.`;
  return new Failure('invalid_request', message);
}

/** The headers for a redirect to another origin. */
export function withoutOriginHeaders(headers: RequestHeaders): RequestHeaders {
  return new Map([...headers].filter(([name]) => safeAcrossOrigins.has(name)));
}

/** The headers for a request without its former body. */
export function withoutBodyHeaders(headers: RequestHeaders): RequestHeaders {
  return new Map([...headers].filter(([name]) => !name.startsWith('content-')));
}

/** Throws a Failure that names the header, never its value, unless HTTP allows both. */
export function checkHeader(name: string, value: string): void {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
  } catch {
    const shown = /^[\w-]{1,60}$/.test(name) ? `The header ${name}` : 'A header';
    const odd = findUnsendable(value);
    const why = odd ? `character ${odd.place} of its value is ${odd.name}` : 'its name has characters';
    const message = `${shown} cannot be sent: ${why}, which HTTP does not allow there.`;
    throw new Failure('invalid_request', message);
  }
}
