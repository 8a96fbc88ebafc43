// The headers of every answer. A route sets deviations; by default the strict choice applies.
import type { MiddlewareHandler } from 'hono';

/** Answers are for one caller: no proxy and no browser stores them. */
const uncached = 'private, no-store';

/** Adds the headers that an answer's route did not set. A stream is never stored, whatever headers its library sets. */
export function completeHeaders(): MiddlewareHandler {
  return async (c, next) => {
    await next();
    const { headers } = c.res;
    const isStream = headers.get('content-type')?.startsWith('text/event-stream') ?? false;
    if (isStream || !headers.has('cache-control')) headers.set('cache-control', uncached);
    if (!headers.has('cross-origin-resource-policy')) headers.set('cross-origin-resource-policy', 'same-origin');
  };
}
