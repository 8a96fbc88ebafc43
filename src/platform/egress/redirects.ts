// Decides where redirects lead, and which headers are sent along.
import { Failure } from './egress-error.ts';
import type { Answer, Hop } from './exchange.ts';
import { withoutOriginHeaders, withoutBodyHeaders } from './request-headers.ts';
import { parseLocation } from './target.ts';

const redirectStatuses = new Set([301, 302, 303, 307, 308]);

/** Whether the answer redirects the client. */
export function isRedirect(answer: Pick<Answer, 'status' | 'headers'>): boolean {
  return redirectStatuses.has(answer.status) && answer.headers.location !== undefined;
}

/**
 * The request that follows `hop` after a redirect (RFC 9110 section 15.4, Fetch section 4.4): 303 becomes GET, 301 and
 * 302 turn POST into GET, everything else keeps its method. Only a few harmless headers go to another origin, and never
 * a body. The caller must still check the target. Throws a Failure.
 */
export function buildNextHop(hop: Hop, answer: Pick<Answer, 'status' | 'headers'>): Hop {
  const { status } = answer;
  const url = parseLocation(answer.headers.location ?? '', hop.url);
  if (hop.url.protocol === 'https:' && url.protocol !== 'https:') {
    throw new Failure('blocked', `${hop.url.origin} redirects from https to an unencrypted URL.`, { status });
  }
  const next = isTurnedIntoGet(hop.method, status)
    ? { url, method: 'GET', headers: withoutBodyHeaders(hop.headers), body: undefined }
    : { ...hop, url };
  if (url.origin === hop.url.origin) return next;
  if (next.body !== undefined) {
    throw new Failure('blocked', `${hop.url.origin} redirects a request with a body to another host.`, { status });
  }
  return { ...next, headers: withoutOriginHeaders(next.headers) };
}

function isTurnedIntoGet(method: string, status: number): boolean {
  if (status === 303) return method !== 'GET' && method !== 'HEAD';
  return (status === 301 || status === 302) && method === 'POST';
}
