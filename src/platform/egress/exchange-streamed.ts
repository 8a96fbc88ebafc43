// One request whose answer is read as it comes, for services that write theirs piece by piece.
import type { Dispatcher } from 'undici';
import { classifyFault } from './classify-fault.ts';
import type { Deadline } from './deadline.ts';
import { Failure } from './egress-error.ts';
import { flattenHeaders, type Hop } from './exchange.ts';

type Limits = { maxBytes: number; deadline: Deadline; onSent: () => void; onEnd: () => void };
type Opened = { status: number; headers: Record<string, string>; body: ReadableStream<Uint8Array<ArrayBuffer>> };

/**
 * Resolves as soon as the headers are there. The body fails with a Failure when it is cut, too large or too late; whoever
 * cancels it closes the connection. The sender is held back while nobody reads. `onEnd` is called once, however it ends.
 */
export function exchangeStreamed(pool: Dispatcher, hop: Hop, limits: Limits): Promise<Opened> {
  const opened = Promise.withResolvers<Opened>();
  let wire: Dispatcher.DispatchController | undefined;
  let reader: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>> | undefined;
  let received = 0;
  let isEnded = false;

  function end(failure?: Failure): void {
    if (isEnded) return;
    isEnded = true;
    limits.onEnd();
    if (!failure) return;
    opened.reject(failure);
    reader?.error(failure);
    wire?.abort(failure);
  }

  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start: (given) => void (reader = given),
    pull: () => wire?.resume(),
    cancel: () => end(new Failure('cancelled', 'Nobody reads the answer any more.')),
  });
  const handler: Dispatcher.DispatchHandler = {
    onRequestStart(given) {
      wire = given;
      if (isEnded) given.abort(new Failure('cancelled', 'The call had been given up.'));
      else limits.onSent();
    },
    onResponseStart(_wire, status, incoming) {
      if (status >= 200) opened.resolve({ status, headers: flattenHeaders(incoming), body });
    },
    onResponseData(given, chunk) {
      if (isEnded) return;
      received += chunk.length;
      if (received > limits.maxBytes) return end(tooLarge(hop, limits.maxBytes));
      reader?.enqueue(new Uint8Array(chunk));
      if ((reader?.desiredSize ?? 0) <= 0) given.pause();
    },
    onResponseEnd() {
      if (isEnded) return;
      end();
      reader?.close();
    },
    onResponseError: (_wire, error) => end(classifyFault(error, hop.url.origin)),
  };
  limits.deadline.listen(end);
  if (!isEnded) dispatch(pool, hop, handler, end);
  return opened.promise;
}

function dispatch(pool: Dispatcher, hop: Hop, handler: Dispatcher.DispatchHandler, end: (failure: Failure) => void) {
  const { url, method, body } = hop;
  const headers = [...hop.headers].flat();
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
    end(classifyFault(error, url.origin));
  }
}

function tooLarge({ url }: Hop, maxBytes: number): Failure {
  return new Failure('too_large', `The answer of ${url.origin} has more than ${maxBytes} bytes and was not read on.`);
}
