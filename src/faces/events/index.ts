import type { Caller } from '#kernel/caller';
import { AppError } from '#kernel/errors';
import { findCaller, type RestEnvironment } from '#faces/rest';
import type { ReportBug } from '#faces/web';
import type { Authenticate } from '#modules/accounts';
import { Hono } from 'hono';
import { streamSSE, type SSEStreamingApi } from 'hono/streaming';
import { readCursor, writeCursor, type Feed } from './feed.ts';

export { createFeed } from './feed.ts';

const signOfLifeMs = 15_000;
const mostStreams = 20;

export type EventOptions = {
  feed: Feed;
  authenticate: Authenticate;
  /** Takes one call from the caller's allowance. */
  limit: (caller: Caller) => Promise<void> | void;
  reportBug: ReportBug;
};

/** `GET /v1/events`: the events of the workspace as server-sent events, which continue from `Last-Event-ID`. */
export function createEventRoutes({ feed, authenticate, limit, reportBug }: EventOptions): Hono<RestEnvironment> {
  const streams = new Map<string, number>();
  const count = (id: string, step: 1 | -1) => streams.set(id, (streams.get(id) ?? 0) + step);
  const app = new Hono<RestEnvironment>();
  app.get('/v1/events', async (c) => {
    const listener = async () => {
      const known = await findCaller(c, authenticate);
      if (!known) throw new AppError('unauthenticated', 'Sign in, or send a key: `Authorization: Bearer cm_…`.');
      if (!known.scopes.has('brains:read')) throw new AppError('forbidden', 'Events need the scope brains:read.');
      return known;
    };
    const caller = await listener();
    await limit(caller);
    if ((streams.get(caller.id) ?? 0) >= mostStreams) {
      throw new AppError('rate_limited', `More than ${mostStreams} event streams are open with this key. Close some.`, {
        retry_after: 60,
      });
    }
    return streamSSE(c, async (stream) => {
      const left = new AbortController();
      stream.onAbort(() => left.abort());
      count(caller.id, 1);
      try {
        await sendBatches(stream, feed(listener, readCursor(c.req.header('last-event-id')), left.signal));
      } catch (error) {
        // In both cases the stream ends and the listener reconnects; an expired key gets its error then.
        if (!(error instanceof AppError)) reportBug(error, { request_id: c.get('requestId'), path: c.req.path });
      } finally {
        count(caller.id, -1);
        if (!streams.get(caller.id)) streams.delete(caller.id);
      }
    });
  });
  return app;
}

/** Sends the events of the feed, and regular comments when there are none. */
async function sendBatches(stream: SSEStreamingApi, batches: ReturnType<Feed>): Promise<void> {
  let sentAt = 0;
  for await (const events of batches) {
    for (const { cursor, name, payload } of events) {
      await stream.writeSSE({ id: writeCursor(cursor), event: name, data: JSON.stringify(payload) });
    }
    if (!events.length && Date.now() - sentAt < signOfLifeMs) continue;
    sentAt = Date.now();
    if (!events.length) await stream.write(': still here\n\n');
  }
}
