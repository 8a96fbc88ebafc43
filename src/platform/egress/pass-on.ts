// Passes a streamed answer on, redacted, with errors in the form for callers.
import type { EgressStream } from './egress.ts';
import { createRemover, removeFromHeaders, type Values } from './remove-values.ts';

/** The same bytes, redacted. Errors of reading are converted by `asError`. */
export function passOn(
  body: EgressStream['body'],
  values: Values,
  asError: (error: unknown) => unknown,
): EgressStream['body'] {
  const reader = body.getReader();
  const remover = values.length ? createRemover(values) : null;
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        try {
          for (;;) {
            const { done, value } = await reader.read();
            const clean = done ? remover?.rest() : (remover?.pass(value) ?? value);
            if (clean?.length) controller.enqueue(clean);
            if (done) return controller.close();
            if (clean?.length) return;
          }
        } catch (error) {
          controller.error(asError(error));
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    // Nothing is read before the reader asks for it.
    { highWaterMark: 0 },
  );
}

/** The headers without the values. The length of the body is dropped when something was redacted. */
export function streamHeaders(headers: Record<string, string>, values: Values): Record<string, string> {
  if (!values.length) return headers;
  const { 'content-length': _length, ...clean } = removeFromHeaders(headers, values, 0);
  return clean;
}
