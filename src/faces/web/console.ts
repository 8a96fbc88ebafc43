import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono } from 'hono';

/** What the console may load: itself alone. */
const contentSecurityPolicy = [
  "default-src 'self'",
  "img-src 'self' data:",
  "style-src 'self' 'unsafe-inline'",
  "object-src 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The built web console: its files, and its page for every address that is nobody else's. */
export function consoleRoutes(folder: string): Hono {
  const app = new Hono();
  const page = join(folder, 'index.html');

  app.use(
    '/assets/*',
    serveStatic({
      root: folder,
      onFound: (_path, c) => void c.header('cache-control', 'public, max-age=31536000, immutable'),
    }),
  );
  app.get('*', serveStatic({ root: folder, rewriteRequestPath: (path) => (path === '/' ? '/none' : path) }));
  app.get('*', (c) => {
    c.header('content-security-policy', contentSecurityPolicy);
    if (!existsSync(page)) return c.text('The console is not built. Run `npm run build:console` and reload.', 503);
    return c.html(readFileSync(page, 'utf8'));
  });
  return app;
}
