import { Hono } from 'hono';

/** Whether the process lives, and whether it can serve. */
export function statusRoutes(options: { isReady: () => Promise<boolean>; metrics: () => Promise<string> }): Hono {
  const app = new Hono();
  app.get('/healthz', (c) => c.json({ status: 'ok' }));
  app.get('/readyz', async (c) => {
    const isReady = await options.isReady();
    return c.json({ status: isReady ? 'ready' : 'not ready' }, isReady ? 200 : 503);
  });
  app.get('/metrics', async (c) =>
    c.text(await options.metrics(), 200, { 'content-type': 'text/plain; version=0.0.4' }),
  );
  return app;
}
