import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono } from 'hono';
import { compress } from 'hono/compress';

/** The console may load content from this server only. */
const contentSecurityPolicy = [
  "default-src 'self'",
  "img-src 'self' data:",
  "style-src 'self' 'unsafe-inline'",
  "object-src 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Addresses of programs: a missing one is answered with a problem, and never with a page. */
const forPrograms = /^\/(v1|api|auth|mcp|sse|assets|docs|\.well-known)(\/|$)/;

/** The built web console: its files, and its page for every other address that a person may open. */
export function consoleRoutes(folder: string): Hono {
  const app = new Hono();
  const page = join(folder, 'index.html');
  if (existsSync(folder)) {
    app.get(
      '*',
      compress(),
      serveStatic({
        root: folder,
        rewriteRequestPath,
        onFound: (path, c) => c.header('cache-control', lifetime(path)),
      }),
    );
  }
  app.get('*', (c, next) => {
    if (forPrograms.test(c.req.path)) return next();
    c.header('content-security-policy', contentSecurityPolicy);
    c.header('cache-control', 'no-cache');
    if (!existsSync(page)) return c.text('The console is not built. Run `npm run build:console` and start again.', 503);
    return c.html(readFileSync(page, 'utf8'));
  });
  return app;
}

/** The page itself is always sent with its policy, so it is not found as a file. */
function rewriteRequestPath(path: string): string {
  return path === '/' || path === '/index.html' ? '/none' : path;
}

/** Built files have their content in their name; others may change. */
function lifetime(path: string): string {
  return path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache';
}
