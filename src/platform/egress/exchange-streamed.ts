// One request whose answer is read as it arrives, so that a long answer is never completely in memory.
import type { Dispatcher } from 'undici';
import { classifyNetworkError } from './classify-network-error.ts';
import type { Deadline } from './deadline.ts';
import { Failure } from './egress-error.ts';
import { flattenHeaders, buildWireHeaders, type Hop } from './exchange.ts';
import { watchSilence } from './silence.ts';

/** `idleMs`: the longest wait for data. */
export type StreamLimits = { maxBytes: number; idleMs: number; deadline: Deadline; onSent: () => void };

/** `ended` resolves once the exchange has ended in any way. */
export type OpenedExchange = {
  status: number;
  headers: Record<string, string>;
  body: ReadableStream<Uint8Array<ArrayBuffer>>;
  ended: Promise<void>;
};

/**
 * Resolves as soon as the headers arrive. The body fails with a Failure when it is cut off, too large, too late or
 * silent; cancelling it closes the connection. While the body is not read, the sender is slowed down.
 */
export function exchangeStreamed(pool: Dispatcher, hop: Hop, limits: StreamLimits): Promise<OpenedExchange> {
  const opened = Promise.withResolvers<OpenedExchange>();
  const ended = Promise.withResolvers<void>();
  let wire: Dispatcher.DispatchController | undefined;
  let reader: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>> | undefined;
  let status: number | undefined;
  let received = 0;
  let isEnded = false;
  const silence = watchSilence(limits.idleMs, () => end(createSilenceFailure(limits.idleMs, status)));

  function end(failure?: Failure): void {
    if (isEnded) return;
    isEnded = true;
    silence.end();
    ended.resolve();
    if (!failure) return reader?.close();
    opened.reject(failure);
    reader?.error(failure);
    wire?.abort(failure);
  }

  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start: (given) => void (reader = given),
    pull() {
      silence.restart();
      wire?.resume();
    },
    cancel: () => end(new Failure('cancelled', 'The reader of the answer stopped.')),
  });
  const handler: Dispatcher.DispatchHandler = {
    onRequestStart(given) {
      wire = given;
      if (isEnded) given.abort(new Failure('cancelled', 'The call was cancelled.'));
      else limits.onSent();
    },
    onResponseStart(_wire, code, incoming) {
      if (code < 200 || isEnded) return;
      silence.restart();
      status = code;
      const headers = flattenHeaders(incoming);
      const refusal = findHeaderRefusal(hop, { status, headers }, limits.maxBytes);
      if (refusal) end(refusal);
      else opened.resolve({ status, headers, body, ended: ended.promise });
    },
    onResponseData(given, chunk) {
      // When undici resumes without new data it reports nothing: keeping a chunk back would loop endlessly.
      if (isEnded || chunk.length === 0) return;
      silence.restart();
      received += chunk.length;
      if (received > limits.maxBytes) return end(createTooLargeFailure(hop, limits.maxBytes, status));
      // Read from a socket for this call only: nothing else writes into it, so it need not be copied.
      reader?.enqueue(chunk as Buffer<ArrayBuffer>);
      if ((reader?.desiredSize ?? 0) > 0) return;
      given.pause();
      silence.pause();
    },
    onResponseEnd: () => end(),
    onResponseError: (_wire, error) => end(classifyNetworkError(error, hop.url.origin, status)),
  };
  limits.deadline.listen(end);
  if (!isEnded) dispatch(pool, hop, handler, end);
  return opened.promise;
}

function dispatch(pool: Dispatcher, hop: Hop, handler: Dispatcher.DispatchHandler, end: (failure: Failure) => void) {
  const { url, method, body } = hop;
  // Compressed answers arrive in bursts, and their unpacked size is unknown.
  const headers = [...new Map([...buildWireHeaders(hop), ['accept-encoding', 'identity']])].flat();
  // As in `exchange`: methods were checked before.
  const options = {
    origin: url.origin,
    path: url.pathname + url.search,
    method: method as Dispatcher.HttpMethod,
    headers,
  };
  try {
    pool.dispatch({ ...options, body: body ?? null }, handler);
  } catch (error) {
    end(classifyNetworkError(error, url.origin));
  }
}

/** The headers of an answer show that its body should not be read. */
function findHeaderRefusal(
  hop: Hop,
  { status, headers }: Pick<OpenedExchange, 'status' | 'headers'>,
  maxBytes: number,
) {
  const coding = headers['content-encoding']?.trim().toLowerCase() ?? '';
  if (coding !== '' && coding !== 'identity')
    return new Failure('bad_response', 'The answer is compressed in a way that was not requested.', { status });
  return hop.method !== 'HEAD' && Number(headers['content-length']) > maxBytes
    ? createTooLargeFailure(hop, maxBytes, status)
    : null;
}

function createTooLargeFailure({ url }: Hop, maxBytes: number, status: number | undefined): Failure {
  const message = `The answer of ${url.origin} has more than ${maxBytes} bytes, so reading stopped.`;
  return new Failure('too_large', message, status === undefined ? {} : { status });
}

function createSilenceFailure(ms: number, status: number | undefined): Failure {
  const message = `No data of the answer came for ${ms / 1000} s.`;
  return new Failure('timeout', message, status === undefined ? {} : { status });
}
