// A browser keeps cookies and storage for each host name, so pages are only at the public one. Programs may use any
// name.
import { isLoopbackName } from '#kernel/loopback-names';
import type { Context, MiddlewareHandler } from 'hono';

/**
 * Redirects a browser that opens a page under another name of this machine to the public address, if that is on this
 * machine, too.
 */
export function redirectToPublicOrigin(publicUrl: string): MiddlewareHandler {
  const own = new URL(publicUrl);
  const isLocal = isLoopbackName(own.hostname);
  return async (c, next) => {
    const host = c.req.header('host');
    const url = isLocal && host !== undefined && isVisit(c) ? URL.parse(`${own.protocol}//${host}`) : null;
    if (!url || url.host === own.host || url.port !== own.port || !isLoopbackName(url.hostname)) return next();
    const { pathname, search } = new URL(c.req.url);
    c.header('vary', 'Accept, Sec-Fetch-Mode');
    return c.redirect(`${own.origin}${pathname}${search}`, 307); // a browser keeps the fragment, which may be a sign-in link
  };
}

/** Whether a page is opened: current browsers say so, and others ask for HTML. */
function isVisit(c: Context): boolean {
  if (c.req.method !== 'GET' && c.req.method !== 'HEAD') return false;
  const mode = c.req.header('sec-fetch-mode');
  return mode === undefined ? (c.req.header('accept') ?? '').includes('text/html') : mode === 'navigate';
}
