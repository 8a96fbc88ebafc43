import { AppError, createNotFoundError } from '#kernel/errors';
import type { ReportBug } from '#faces/web';
import { readRequestBody } from '@modelcontextprotocol/server';
import type { Context } from 'hono';
import { streamSSE } from 'hono/streaming';
import { randomUUID } from 'node:crypto';
import { readFrames } from './event-frames.ts';
import type { McpRequest } from './tool.ts';

/** Answers one message in the form of Streamable HTTP: with JSON or with an event stream. */
export type ServeMessage = (message: Request, request: McpRequest) => Promise<Response>;

/** The deprecated HTTP+SSE transport of 2024-11-05: one stream for answers, and an address for posted messages. */
export type Streams = {
  open(c: Context, request: McpRequest): Response;
  post(c: Context, streamId: string, request: McpRequest): Promise<Response>;
  close(): void;
};

type OpenStream = { callerId: string; waiting: number; write(frame: string): Promise<unknown>; end(): void };

const maxStreams = 1_000;
/** One caller must leave streams to others. */
const mostOfCaller = 20;
/** Answers that the reader of a stream has not read yet. */
const mostWaiting = 100;
const keepAliveMs = 15_000;

/**
 * Builds the transport on the stateless one: a posted message is served like any other, and its answer goes to the
 * stream. Only open sockets are kept, which no other process could write to. With several server processes the load
 * balancer must route `/sse/{stream}` to the process of the stream.
 */
export function createStreams(options: {
  serve: ServeMessage;
  basePath: string;
  maxBodyBytes: number;
  reportBug: ReportBug;
}): Streams {
  const { serve, basePath, maxBodyBytes, reportBug } = options;
  const streams = new Map<string, OpenStream>();

  return {
    open(c, { caller }) {
      checkRoom([...streams.values()], caller.id);
      const id = randomUUID();
      c.header('x-accel-buffering', 'no');
      const response = streamSSE(c, async (stream) => {
        const ended = Promise.withResolvers<void>();
        streams.set(id, { callerId: caller.id, waiting: 0, write: (frame) => stream.write(frame), end: ended.resolve });
        stream.onAbort(ended.resolve);
        const beat = setInterval(() => void stream.write(': keep-alive\n\n'), keepAliveMs);
        await stream.writeSSE({ event: 'endpoint', data: `${basePath}/sse/${id}${new URL(c.req.url).search}` });
        await ended.promise;
        clearInterval(beat);
        streams.delete(id);
      });
      response.headers.set('connection', 'close'); // otherwise the idle connection would delay the server's stop
      return response;
    },

    async post(c, streamId, request) {
      const stream = streams.get(streamId);
      if (!stream || stream.callerId !== request.caller.id) throw createNotFoundError('event stream');
      if (stream.waiting >= mostWaiting)
        throw createTooManyError('Too many answers wait in this event stream. Read them first.', 1);
      const body = await readRequestBody(c.req.raw, maxBodyBytes);
      if (body.tooLarge) {
        throw new AppError(
          'payload_too_large',
          `A message may have at most ${maxBodyBytes} bytes. Send less, or in parts.`,
        );
      }
      const answer = await serve(toStreamableHttp(c, body.text), request);
      const where = { request_id: request.requestId, path: '/sse/{stream}' };
      stream.waiting += 1;
      forward(answer, stream)
        .catch((error: unknown) => reportBug(error, where))
        .finally(() => (stream.waiting -= 1));
      return c.text('Accepted', 202);
    },

    close() {
      for (const stream of streams.values()) stream.end();
    },
  };
}

function checkRoom(streams: readonly OpenStream[], callerId: string): void {
  if (streams.length >= maxStreams) {
    throw new AppError('unavailable', 'Too many event streams are open. Use Streamable HTTP at /mcp instead.');
  }
  const own = streams.filter((stream) => stream.callerId === callerId).length;
  if (own >= mostOfCaller)
    throw createTooManyError(`This key has ${mostOfCaller} event streams open. Close some first.`, 60);
}

function createTooManyError(message: string, seconds: number): AppError {
  return new AppError('rate_limited', message, { retry_after: seconds });
}

function toStreamableHttp(c: Context, body: string): Request {
  const headers = new Headers({
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  });
  const version = c.req.header('mcp-protocol-version');
  if (version) headers.set('mcp-protocol-version', version);
  return new Request(c.req.url, { method: 'POST', headers, body });
}

async function forward(answer: Response, stream: OpenStream): Promise<void> {
  if (answer.headers.get('content-type')?.startsWith('text/event-stream')) {
    for await (const frame of readFrames(answer)) await stream.write(frame);
    return;
  }
  const message = await answer.text();
  if (message) await stream.write(`event: message\ndata: ${message}\n\n`);
}
