// One request and its answer, with the bytes counted while they arrive.
import type { IncomingHttpHeaders } from 'node:http';
import { traceHeaders } from '#platform/telemetry';
import type { Dispatcher } from 'undici';
import { classifyNetworkError } from './classify-network-error.ts';
import type { Deadline } from './deadline.ts';
import { Failure } from './egress-error.ts';
import type { RequestHeaders } from './request-headers.ts';

/** The request to send: already checked, and complete except for HTTP's own headers. */
export type Hop = {
  url: URL;
  method: string;
  headers: RequestHeaders;
  body: string | Uint8Array | undefined;
};

/** The answer, with its body still in its content encoding. */
export type Answer = { status: number; headers: Record<string, string>; body: Buffer };

/** `onSent` is called just before the first byte goes to a socket; never for a request that is not sent. */
type Limits = { maxBytes: number; deadline: Deadline; onSent: () => void };

/**
 * Sends `hop` through `pool` and reads the whole answer. Rejects with a Failure. The handler uses undici's lowest
 * interface, because only there is it known what was sent.
 */
export function exchange(pool: Dispatcher, hop: Hop, limits: Limits): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const collector = collectAnswer(hop, limits, resolve, reject);
    limits.deadline.listen(collector.stop);
    if (collector.isFinished()) return;
    const { url, method, body } = hop;
    const path = url.pathname + url.search;
    const headers = buildWireHeaders(hop).flat();
    // undici types methods as a closed list; ours was checked by checkMethod and may be any other token.
    const options = { origin: url.origin, path, method: method as Dispatcher.HttpMethod, headers, body: body ?? null };
    try {
      pool.dispatch(options, collector.handler);
    } catch (error) {
      collector.stop(classifyNetworkError(error, url.origin));
    }
  });
}

type Collector = { handler: Dispatcher.DispatchHandler; stop: (failure: Failure) => void; isFinished: () => boolean };

function collectAnswer(
  hop: Hop,
  limits: Limits,
  resolve: (answer: Answer) => void,
  reject: (failure: Failure) => void,
): Collector {
  const chunks: Buffer[] = [];
  let received = 0;
  let status: number | undefined;
  let headers: Record<string, string> = {};
  let isOver = false;
  let controller: Dispatcher.DispatchController | undefined;

  function stop(failure: Failure): void {
    if (isOver) return;
    isOver = true;
    reject(failure);
    controller?.abort(failure);
  }
  function refuseSize(): void {
    const message = `The answer of ${hop.url.origin} has more than ${limits.maxBytes} bytes, so reading stopped.`;
    stop(new Failure('too_large', message, status === undefined ? {} : { status }));
  }

  const handler: Dispatcher.DispatchHandler = {
    onRequestStart(given) {
      controller = given;
      // A call that was cancelled while it waited for a socket must not be sent.
      if (isOver) given.abort(new Failure('cancelled', 'The call was cancelled.'));
      else limits.onSent();
    },
    onResponseStart(_controller, statusCode, incoming) {
      if (statusCode < 200) return;
      status = statusCode;
      headers = flattenHeaders(incoming);
      if (hop.method !== 'HEAD' && Number(headers['content-length']) > limits.maxBytes) refuseSize();
    },
    onResponseData(_controller, chunk) {
      received += chunk.length;
      if (received > limits.maxBytes) refuseSize();
      else chunks.push(chunk);
    },
    onResponseEnd() {
      if (isOver || status === undefined) return;
      isOver = true;
      const answer = { status, headers, body: Buffer.concat(chunks, received) };
      // undici frees the socket one turn of the event loop later: without this wait, the caller's next request would
      // open another one.
      queueMicrotask(() => setImmediate(resolve, answer));
    },
    onResponseError(_controller, error) {
      stop(classifyNetworkError(error, hop.url.origin, status));
    },
  };
  return { handler, stop, isFinished: () => isOver };
}

/** The headers to send, with the trace of the current work unless the request has one. */
export function buildWireHeaders({ headers }: Pick<Hop, 'headers'>): [string, string][] {
  const traced = headers.has('traceparent') ? {} : traceHeaders();
  return [...headers, ...Object.entries(traced)];
}

/** Several headers with one name become one, joined by a comma and a space (RFC 9110 section 5.3). */
export function flattenHeaders(incoming: IncomingHttpHeaders): Record<string, string> {
  const pairs: [string, string][] = [];
  for (const [name, value] of Object.entries(incoming)) {
    if (value !== undefined) pairs.push([name, typeof value === 'string' ? value : value.join(', ')]);
  }
  return Object.fromEntries(pairs);
}
