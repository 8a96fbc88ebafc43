import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono, type Context } from 'hono';
import { compress } from 'hono/compress';
import { isConsolePage } from './console-pages.ts';

/** The console may load content from this server only. */
const contentSecurityPolicy = [
  "default-src 'self'",
  "img-src 'self' data:",
  "style-src 'self' 'unsafe-inline'",
  "object-src 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * The built web console: its files, and its page at the console's paths. At any other path a browser gets the page with
 * the status 404, which says so; a program gets a problem.
 */
export function createConsoleRoutes(folder: string): Hono {
  const app = new Hono();
  const page = join(folder, 'index.html');
  if (existsSync(folder)) {
    app.get(
      '*',
      compress(),
      serveStatic({
        root: folder,
        rewriteRequestPath,
        onFound: (path, c) => c.header('cache-control', chooseCacheControl(path)),
      }),
    );
  }
  app.get('*', (c, next) => {
    const isFound = isConsolePage(c.req.path);
    if (!isFound && (forPrograms.test(c.req.path) || !isOpenedByPerson(c))) return next();
    c.header('content-security-policy', contentSecurityPolicy);
    c.header('cache-control', 'no-cache');
    if (!existsSync(page)) return c.text('The console is not built. Run `npm run build:console` and start again.', 503);
    return c.html(readFileSync(page, 'utf8'), isFound ? 200 : 404);
  });
  return app;
}

/** Paths for programs: a missing one is answered with a problem, and never with a page. */
const forPrograms = /^\/(v1|api|auth|mcp|sse|assets|docs|\.well-known)(\/|$)|\.[a-z0-9]{2,5}$/i;

/** Only the address bar and links request a page; scripts, images and file crawlers accept anything. */
function isOpenedByPerson(c: Context): boolean {
  return (c.req.header('accept') ?? '').includes('text/html');
}

/** The page itself is always sent with its policy, so it cannot be requested as a file. */
function rewriteRequestPath(path: string): string {
  return path === '/' || path === '/index.html' ? '/none' : path;
}

/** Built files have a hash of their content in their name; others may change. */
function chooseCacheControl(path: string): string {
  return path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache';
}
