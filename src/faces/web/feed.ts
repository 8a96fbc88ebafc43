// Where a feed is read: its token is all that a reader needs.
import type { RestEnvironment } from '#faces/rest';
import { AppError } from '#kernel/errors';
import { createOutputFeed } from '#modules/outputs';
import { Hono } from 'hono';
import { z } from 'zod';
import type { WebDeps } from './web-deps.ts';

const query = z.strictObject({
  cursor: z.coerce.number().int().min(0).max(2_147_483_647).default(0),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});

/** `GET /v1/feed`. */
export function createFeedRoutes({ ground }: WebDeps): Hono<RestEnvironment> {
  const app = new Hono<RestEnvironment>();
  const read = createOutputFeed(ground);
  app.get('/v1/feed', async (c) => {
    const asked = query.safeParse(c.req.query());
    if (!asked.success)
      throw new AppError('invalid_input', 'cursor is the next_cursor of the page before; limit is 1 to 200.');
    const token = /^Bearer (\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1] ?? '';
    c.header('cache-control', 'no-store');
    return c.json(await read(token, asked.data));
  });
  return app;
}
