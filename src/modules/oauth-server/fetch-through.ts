// The fetch by which oidc-provider reads clients' documents: through egress, with tighter limits.
import { EgressError, type Egress } from '#platform/egress';

const maxBytes = 8_192;
const timeoutMs = 3_000;

/**
 * Reads documents of clients, from public hosts only, without following redirects. Rejects with `TypeError`, like
 * `fetch`.
 */
export function fetchThrough(
  egress: Egress,
): (url: string | URL | Request, options?: RequestInit) => Promise<Response> {
  return async function fetchDocument(url, options = {}) {
    const headers = Object.fromEntries(new Headers(options.headers));
    try {
      const answer = await egress.request({
        method: 'GET',
        url: url instanceof Request ? url.url : String(url),
        headers: { accept: headers['accept'] ?? 'application/json' },
        redirects: 'refuse',
        readsOnly: true,
        maxBytes,
        timeoutMs,
      });
      return new Response(Buffer.from(answer.body), { status: answer.status, headers: cacheHeaders(answer.headers) });
    } catch (cause) {
      if (cause instanceof EgressError) throw new TypeError('the document could not be read', { cause });
      throw cause;
    }
  };
}

function cacheHeaders(headers: Record<string, string>): Record<string, string> {
  const kept = ['cache-control', 'expires', 'content-type'];
  return Object.fromEntries(Object.entries(headers).filter(([name]) => kept.includes(name)));
}
