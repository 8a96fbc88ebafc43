import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Context, Handler } from 'hono';

const pack = promisify(gzip);

/**
 * Serves a text that does not change while the server runs: with an ETag, 304 for a client that has it, and gzip for a
 * client that accepts it. It is compressed once, at the first such request.
 */
export function answerFixedText(makeText: () => string | Buffer, headers: Readonly<Record<string, string>>): Handler {
  let made: { text: string | Buffer; etag: string } | undefined;
  let packed: Promise<Buffer<ArrayBuffer>> | undefined;
  return async function answer(c) {
    const { text, etag } = (made ??= withTag(makeText()));
    // Both forms have the same text, so the tag is weak: it names the text, not the bytes.
    const all = { ...headers, etag: `W/${etag}`, vary: 'accept-encoding' };
    if (hasTag(c, etag)) return c.body(null, 304, all);
    if (!canReadGzip(c)) return c.body(typeof text === 'string' ? text : Uint8Array.from(text), 200, all);
    packed ??= pack(text);
    return c.body(await packed, 200, { ...all, 'content-encoding': 'gzip' });
  };
}

function withTag(text: string | Buffer): { text: string | Buffer; etag: string } {
  return { text, etag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"` };
}

function hasTag(c: Context, etag: string): boolean {
  const known = c.req.header('if-none-match') ?? '';
  return known.trim() === '*' || known.split(',').some((each) => each.trim() === etag || each.trim() === `W/${etag}`);
}

function canReadGzip(c: Context): boolean {
  const offers = (c.req.header('accept-encoding') ?? '').split(',').map((offer) => offer.split(';'));
  return offers.some(([name = '', quality = '']) => packedNames.has(name.trim().toLowerCase()) && !isZero(quality));
}

const packedNames = new Set(['gzip', 'x-gzip', '*']);

/** `q=0` means that a client does not accept it. */
function isZero(quality: string): boolean {
  const [, value] = quality.split('=');
  return value !== undefined && Number(value) === 0;
}
