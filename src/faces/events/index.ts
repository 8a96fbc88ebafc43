import { AppError } from '#kernel/errors';
import { callerOf } from '#faces/rest';
import type { Authenticate } from '#modules/accounts';
import { Hono } from 'hono';
import { streamSSE } from 'hono/streaming';
import { readCursor, writeCursor, type Feed } from './feed.ts';

export { createFeed } from './feed.ts';

const signOfLifeMs = 15_000;
const recheckMs = 5_000;

/** `GET /v1/events`: what happens in the workspace, as server-sent events that go on from `Last-Event-ID`. */
export function eventRoutes({ feed, authenticate }: { feed: Feed; authenticate: Authenticate }): Hono {
  const app = new Hono();
  app.get('/v1/events', async (c) => {
    const caller = await callerOf(c, authenticate);
    if (!caller) throw new AppError('unauthenticated', 'Sign in, or send a key: `Authorization: Bearer cm_…`.');
    if (!caller.scopes.has('brains:read')) throw new AppError('forbidden', 'Listening needs the scope brains:read.');
    return streamSSE(c, async (stream) => {
      const left = new AbortController();
      stream.onAbort(() => left.abort());
      let toldAt = 0;
      let checkedAt = Date.now();
      for await (const events of feed(caller, readCursor(c.req.header('last-event-id')), left.signal)) {
        if (Date.now() - checkedAt > recheckMs) {
          checkedAt = Date.now();
          await callerOf(c, authenticate); // throws, and so ends the stream, once the key or session was ended
        }
        for (const { cursor, name, payload } of events) {
          await stream.writeSSE({ id: writeCursor(cursor), event: name, data: JSON.stringify(payload) });
        }
        if (!events.length && Date.now() - toldAt < signOfLifeMs) continue;
        toldAt = Date.now();
        if (!events.length) await stream.write(': still here\n\n');
      }
    });
  });
  return app;
}
