// The only place where faces read bodies: with a size limit and, if set, a time limit and shared memory.
import { AppError } from '#kernel/errors';
import type { Context } from 'hono';

export type ReadBody = {
  body: Buffer | null;
  /** Why it was not read. */
  unread: 'too_large' | 'too_slow' | 'too_busy' | null;
};

type Limits = {
  mostBytes: number;
  /** How long it may take to arrive; by default the limit of the server. */
  readMs?: number;
  /** How much memory the bodies that are read at the same time may still use. A returned body keeps its share. */
  room?: { bytes: number };
};

/**
 * The text of a body. Throws `payload_too_large` with `message`, before a longer one is in memory, and closes the
 * connection after the answer: unread bytes must not be read as the next request.
 */
export async function readBodyText(
  c: Context,
  mostBytes: number,
  message = `The body may have at most ${mostBytes} bytes. Send less, or in parts.`,
): Promise<string> {
  const declared = Number(c.req.header('content-length'));
  // The HTTP parser lets through no more bytes than were declared, and reading them at once is several times cheaper.
  if (declared <= mostBytes) return c.req.text();
  const { body } = await readBody(c.req.raw, { mostBytes });
  if (body) return body.toString('utf8');
  c.header('connection', 'close');
  throw new AppError('payload_too_large', message, { max_bytes: mostBytes });
}

/**
 * The bytes of a body; none when they are too many, too slow, or exceed the shared memory. Throws when the body breaks
 * off.
 */
export async function readBody(
  request: Pick<Request, 'body' | 'headers'>,
  { mostBytes, readMs, room = { bytes: Infinity } }: Limits,
): Promise<ReadBody> {
  if (Number(request.headers.get('content-length') ?? 0) > mostBytes) return { body: null, unread: 'too_large' };
  if (!request.body) return { body: Buffer.alloc(0), unread: null };
  const reader = request.body.getReader();
  const late = Promise.withResolvers<'late'>();
  const timer = readMs === undefined ? undefined : setTimeout(() => late.resolve('late'), readMs);
  const chunks: Uint8Array[] = [];
  let size = 0;
  let isPaused = false;
  try {
    for (;;) {
      const next = await Promise.race([reader.read(), late.promise]);
      if (next === 'late') return giveUp(reader, 'too_slow');
      if (next.done) {
        const body = Buffer.concat(chunks);
        isPaused = true;
        return { body, unread: null };
      }
      size += next.value.length;
      room.bytes -= next.value.length;
      if (size > mostBytes) return giveUp(reader, 'too_large');
      if (room.bytes < 0) return giveUp(reader, 'too_busy');
      chunks.push(next.value);
    }
  } finally {
    if (!isPaused) room.bytes += size;
    clearTimeout(timer);
  }
}

function giveUp(reader: ReadableStreamDefaultReader<Uint8Array>, unread: ReadBody['unread']): ReadBody {
  void reader.cancel().catch(() => {});
  return { body: null, unread };
}
