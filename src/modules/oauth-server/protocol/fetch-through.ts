// The fetch with which oidc-provider reads clients' documents: through egress, with tighter limits.
import { AsyncLocalStorage } from 'node:async_hooks';
import { EgressError, type Egress, type EgressResponse } from '#platform/egress';

const maxBytes = 8_192;
const timeoutMs = 3_000;

/** The documents that the current request has asked for, by address, including unreadable ones. */
const asked = new AsyncLocalStorage<Map<string, Promise<EgressResponse>>>();

/**
 * Answers one request of the protocol. Each document is requested once: oidc-provider would ask again after a failure,
 * and a slow host would be asked twice.
 */
export function askDocumentsOnce<T>(work: () => Promise<T>): Promise<T> {
  return asked.run(new Map(), work);
}

/**
 * Reads documents of clients, from public hosts only, without following redirects. Rejects with `TypeError`, like
 * `fetch`.
 */
export function fetchThrough(
  egress: Egress,
): (url: string | URL | Request, options?: RequestInit) => Promise<Response> {
  const read = (url: string, accept: string) =>
    egress.request({
      method: 'GET',
      url,
      headers: { accept },
      redirects: 'refuse',
      readsOnly: true,
      maxBytes,
      timeoutMs,
    });
  return async function fetchDocument(resource, options = {}) {
    const url = resource instanceof Request ? resource.url : String(resource);
    const headers = Object.fromEntries(new Headers(options.headers));
    const documents = asked.getStore();
    const reading = documents?.get(url) ?? read(url, headers['accept'] ?? 'application/json');
    documents?.set(url, reading);
    try {
      const answer = await reading;
      return new Response(Buffer.from(answer.body), {
        status: answer.status,
        headers: pickCacheHeaders(answer.headers),
      });
    } catch (cause) {
      if (cause instanceof EgressError) throw new TypeError('the document could not be read', { cause });
      throw cause;
    }
  };
}

function pickCacheHeaders(headers: Record<string, string>): Record<string, string> {
  const kept = ['cache-control', 'expires', 'content-type'];
  return Object.fromEntries(Object.entries(headers).filter(([name]) => kept.includes(name)));
}
