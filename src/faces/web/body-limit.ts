import { AppError } from '#kernel/errors';
import { readJsonBody } from '#faces/rest';
import type { Context, MiddlewareHandler } from 'hono';
import { mostFormBytes } from './multipart.ts';

/** Signing in needs a token or an address, and anybody may send one. */
const signInBytes = 10_000;
/** The limit of forms, and of bodies without their own limit. */
const usualBytes = 1_000_000;
/** Routes that count bytes themselves, because they store a row for a body that is too large. */
const countedByRoute = '/v1/webhook/';
const operationPaths = /^\/(v1\/.*|mcp|sse|sse\/.*)?$/;

/**
 * Refuses a body that is too large before it is read, on every route and for every caller. `operationBytes` is the
 * largest limit of all operations; each has its own smaller limit.
 */
export function limitBodies({ operationBytes }: { operationBytes: number }): MiddlewareHandler {
  return async (c, next) => {
    if (c.req.path.startsWith(countedByRoute)) return next();
    const most = findBodyLimit(c.req, operationBytes);
    const declared = c.req.header('content-length');
    if (declared !== undefined) {
      if (Number(declared) > most) throw createBodyTooLargeError(c, most);
    } else if (c.req.header('transfer-encoding') !== undefined && c.req.raw.body) {
      c.req.raw = new Request(c.req.raw, { body: limitStream(c.req.raw.body, c, most), duplex: 'half' } as RequestInit); // Node needs `duplex`, which the DOM's type lacks
    }
    await next();
  };
}

/** The JSON of a small body; null: there is none. Throws `unsupported_media_type`, `malformed_json` or `payload_too_large`. */
export async function readJson(c: Context): Promise<unknown> {
  const text = await c.req.text();
  return text.trim() ? readJsonBody(text, c.req.header('content-type')) : null;
}

function findBodyLimit(req: Context['req'], operationBytes: number): number {
  const { path } = req;
  if (path.startsWith('/auth/')) return signInBytes;
  if (path === '/v1/documents' && isForm(req.header('content-type'))) return Math.max(operationBytes, mostFormBytes);
  return operationPaths.test(path) ? operationBytes : usualBytes;
}

function isForm(contentType = ''): boolean {
  return /^multipart\/form-data/i.test(contentType);
}

function limitStream(body: ReadableStream<Uint8Array>, c: Context, most: number): ReadableStream<Uint8Array> {
  let size = 0;
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        size += chunk.length;
        if (size > most) throw createBodyTooLargeError(c, most);
        controller.enqueue(chunk);
      },
    }),
  );
}

function createBodyTooLargeError(c: Context, most: number): AppError {
  c.header('connection', 'close'); // the rest of the body must not be read as the next request
  const message = `The body may have at most ${most} bytes. Send less, or in parts.`;
  return new AppError('payload_too_large', message, { max_bytes: most });
}
