// The address that others POST to: it reads the bytes as they arrive, within limits of size and time, and passes them
// on.
import { getClientAddress, readBody, type ReadBody, type RestEnvironment } from '#faces/rest';
import { createNotFoundError } from '#kernel/errors';
import { getWebhookIntake, type WebhookReceive } from '#modules/webhooks';
import { now } from '#platform/clock';
import { Hono, type Context } from 'hono';
import { createShare } from './address-limits.ts';
import { usualReadMs } from './slow-bodies.ts';
import type { WebDeps } from './web-deps.ts';

type Options = {
  receive: WebhookReceive;
  /** Whether a connector has this address. */
  isKnown(slug: string): Promise<boolean>;
  mostBytes: number;
  /** How long a body may take to arrive. */
  readMs?: number;
  /** Requests of one address in a minute. */
  perMinute: number;
  now: () => Date;
};

/** Requests of one client to unknown addresses in a minute, so that addresses cannot be guessed. */
const unknownPerMinute = 300;
/** The limit for all bodies that this process holds while they arrive and are stored. */
const mostBytesAtOnce = 128_000_000;

/** The address of each webhook connector. */
export function createWebhookRoutes({ ground }: WebDeps): Hono<RestEnvironment> {
  return createIntakeRoutes({ ...getWebhookIntake(ground), perMinute: ground.config.rateLimit, now });
}

/** `POST /v1/webhook/:slug`, and `HEAD` and `GET`, with which a sender or a person tests the address. */
export function createIntakeRoutes(options: Options): Hono<RestEnvironment> {
  const { receive, isKnown, mostBytes, readMs = usualReadMs, perMinute, now } = options;
  const app = new Hono<RestEnvironment>();
  const take = createShare(perMinute, now);
  const takeUnknown = createShare(unknownPerMinute, now);
  const room = { bytes: mostBytesAtOnce };
  app.post('/v1/webhook/:slug', async (c) => {
    const address = getClientAddress(c);
    take(address);
    const rest = describeRequest(c);
    if (!(await isKnown(rest.slug))) {
      c.header('connection', 'close'); // the unread body must not be read as the next request
      takeUnknown(address);
      throw createNotFoundError('address');
    }
    const read = await readBody(c.req.raw, { mostBytes, readMs, room }).catch(
      (): ReadBody => ({ body: null, unread: 'too_slow' }), // the body broke off
    );
    try {
      if (read.unread) c.header('connection', 'close');
      const { status, json } = await receive({ ...read, ...rest, receivedAt: now() });
      return json ? c.json(json, status as 200) : c.body(null, 204); // an answer without a body has this status
    } finally {
      room.bytes += read.body?.length ?? 0;
    }
  });
  app.get('/v1/webhook/:slug', async (c) => {
    const address = getClientAddress(c);
    take(address);
    if (await isKnown(c.req.param('slug'))) return c.text('This address receives webhooks. Send events with POST.');
    takeUnknown(address);
    throw createNotFoundError('address');
  });
  return app;
}

function describeRequest(c: Context) {
  const { pathname, search } = new URL(c.req.url);
  return {
    slug: c.req.param('slug') ?? '',
    method: c.req.method,
    target: `${pathname}${search}`,
    headers: c.req.header(),
    query: c.req.query(),
  };
}
