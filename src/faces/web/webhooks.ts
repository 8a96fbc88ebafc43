// The address that others POST to: it reads the bytes as they come, within a size and a time, and hands them on.
import { clientAddress, type RestEnvironment } from '#faces/rest';
import { AppError } from '#kernel/errors';
import type { WebhookReceive } from '#modules/webhooks';
import { Hono, type Context } from 'hono';
import { createShare } from './shares.ts';

type Options = {
  receive: WebhookReceive;
  mostBytes: number;
  /** How long a body may take to arrive. */
  readMs?: number;
  /** Requests of one address in a minute. */
  perMinute: number;
  now: () => Date;
};

const usualReadMs = 15_000;
/** Of one address to addresses that nobody has, so that none is found by trying. */
const unknownPerMinute = 300;

/** `POST /v1/webhook/:slug`. */
export function webhookRoutes(options: Options): Hono<RestEnvironment> {
  const { receive, mostBytes, readMs = usualReadMs, perMinute, now } = options;
  const app = new Hono<RestEnvironment>();
  const take = createShare(perMinute, now);
  const takeUnknown = createShare(unknownPerMinute, now);
  app.post('/v1/webhook/:slug', async (c) => {
    const address = clientAddress(c);
    take(address);
    const read = await readBody(c.req.raw, { mostBytes, readMs });
    if (read.unread) c.header('connection', 'close'); // what was not read must not be taken for the next request
    const delivery = { ...read, ...whatElse(c), receivedAt: now() };
    const { status, json } = await receive(delivery).catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'not_found') takeUnknown(address);
      throw error;
    });
    return json ? c.json(json, status as 200) : c.body(null, 204); // an answer without a body has this status
  });
  return app;
}

function whatElse(c: Context) {
  const { pathname, search } = new URL(c.req.url);
  return {
    slug: c.req.param('slug') ?? '',
    method: c.req.method,
    target: `${pathname}${search}`,
    headers: c.req.header(),
    query: c.req.query(),
  };
}

type Read = { body: Buffer | null; unread: 'too_large' | 'too_slow' | null };

/** The bytes of a body; none when they are too many, or do not come in time. */
export async function readBody(
  request: Pick<Request, 'body' | 'headers'>,
  { mostBytes, readMs }: { mostBytes: number; readMs: number },
): Promise<Read> {
  if (Number(request.headers.get('content-length') ?? 0) > mostBytes) return { body: null, unread: 'too_large' };
  if (!request.body) return { body: Buffer.alloc(0), unread: null };
  const reader = request.body.getReader();
  const late = Promise.withResolvers<'late'>();
  const timer = setTimeout(() => late.resolve('late'), readMs);
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for (;;) {
      const next = await Promise.race([reader.read(), late.promise]);
      if (next === 'late') return giveUp(reader, 'too_slow');
      if (next.done) return { body: Buffer.concat(chunks), unread: null };
      size += next.value.length;
      if (size > mostBytes) return giveUp(reader, 'too_large');
      chunks.push(next.value);
    }
  } catch {
    return { body: null, unread: 'too_slow' }; // it was broken off
  } finally {
    clearTimeout(timer);
  }
}

function giveUp(reader: ReadableStreamDefaultReader<Uint8Array>, unread: Read['unread']): Read {
  void reader.cancel().catch(() => {});
  return { body: null, unread };
}
