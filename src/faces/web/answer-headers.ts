// The headers of every answer. A route says where it differs; what it does not say is the strict choice.
import type { MiddlewareHandler } from 'hono';

/** Answers are for one caller, and no proxy and no browser keeps them. */
const uncached = 'private, no-store';

/**
 * Gives an answer the headers that its route did not choose. A stream is never kept, whatever the library that writes it
 * says.
 */
export function completeHeaders(): MiddlewareHandler {
  return async (c, next) => {
    await next();
    const { headers } = c.res;
    const isStream = headers.get('content-type')?.startsWith('text/event-stream') ?? false;
    if (isStream || !headers.has('cache-control')) headers.set('cache-control', uncached);
    if (!headers.has('cross-origin-resource-policy')) headers.set('cross-origin-resource-policy', 'same-origin');
  };
}
