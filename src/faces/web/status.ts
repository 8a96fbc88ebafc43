import { createHash, timingSafeEqual } from 'node:crypto';
import { AppError } from '#kernel/errors';
import { Hono, type Context } from 'hono';
import { isOnThisMachine, type RestEnvironment } from '#faces/rest';
import type { WebDeps } from './web-deps.ts';

/**
 * Whether the process is alive, and whether it can serve. Metrics are for this machine, or for holders of the token.
 */
export function createStatusRoutes({ ground }: WebDeps): Hono<RestEnvironment> {
  const app = new Hono<RestEnvironment>();
  app.get('/healthz', (c) => c.json({ status: 'ok' }));
  app.get('/readyz', async (c) => {
    const isReady = await ground.isReady();
    return c.json({ status: isReady ? 'ready' : 'not ready' }, isReady ? 200 : 503);
  });
  app.get('/metrics', async (c) => {
    if (!mayReadMetrics(c, ground.config.metricsToken)) {
      throw new AppError(
        'forbidden',
        'Metrics can be read on the machine of the server. From elsewhere, set THALAMUS_METRICS_TOKEN and send it as a bearer token.',
      );
    }
    return c.text(await ground.telemetry.metrics(), 200, { 'content-type': 'text/plain; version=0.0.4' });
  });
  return app;
}

/** `token` lets a program of another machine read the metrics. */
function mayReadMetrics(c: Context, token: string | null): boolean {
  const given = /^Bearer\s+(\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1];
  if (token !== null && given !== undefined && timingSafeEqual(hashText(given), hashText(token))) return true;
  return isOnThisMachine(c);
}

function hashText(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
