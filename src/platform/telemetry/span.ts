// Spans of work (OpenTelemetry semantic conventions). Without an exporter their cost is negligible.
import { AppError, errorStatus } from '#kernel/errors';
import { version } from '#platform/config';
import {
  context,
  INVALID_SPAN_CONTEXT,
  propagation,
  ROOT_CONTEXT,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type Span,
  type SpanKind,
} from '@opentelemetry/api';

/**
 * The name of a piece of work, and its attributes. Attributes never contain input, secrets, or the path or query of an
 * address.
 */
export type SpanSpec = {
  name: string;
  kind?: SpanKind;
  attributes?: Attributes;
  /** The trace that the work continues, in the form of `readTrace`; absent: the trace of the surrounding work. */
  parent?: Context;
};

/** The headers of W3C Trace Context. Baggage is neither read nor passed on, because it may contain anything. */
export type TraceHeaders = { traceparent?: string; tracestate?: string };

const tracer = trace.getTracer('thalamus', version);
const noSpan = trace.wrapSpanContext(INVALID_SPAN_CONTEXT);
let isOn = false;

/** Whether this process exports spans. Otherwise work that only spans need is skipped. */
export function isTracing(): boolean {
  return isOn;
}

/** Called once an exporter has started. */
export function startTracing(): void {
  isOn = true;
}

/** Does work within a span. An error ends the span with its type, never with its message. */
export async function withSpan<T>(spec: SpanSpec, work: (span: Span) => Promise<T>): Promise<T> {
  if (!isOn) return work(noSpan);
  const { span, around } = openSpan(spec);
  try {
    return await context.with(around, () => work(span));
  } catch (error) {
    endWithError(span, error);
    throw error;
  } finally {
    span.end();
  }
}

/** Like `withSpan`, for answers that come in parts: the span ends with the last part, or when reading stops. */
export async function* withStreamedSpan<T>(
  spec: SpanSpec,
  work: (span: Span) => AsyncGenerator<T, void, undefined>,
): AsyncGenerator<T, void, undefined> {
  if (!isOn) return void (yield* work(noSpan));
  const { span, around } = openSpan(spec);
  const parts = work(span);
  try {
    for (;;) {
      const next = await context.with(around, () => parts.next());
      if (next.done) return;
      yield next.value;
    }
  } catch (error) {
    endWithError(span, error);
    throw error;
  } finally {
    await parts.return();
    span.end();
  }
}

function openSpan({ name, kind, attributes, parent }: SpanSpec): { span: Span; around: Context } {
  const within = parent ?? context.active();
  const span = tracer.startSpan(
    name,
    { ...(kind !== undefined && { kind }), ...(attributes && { attributes }) },
    within,
  );
  return { span, around: trace.setSpan(within, span) };
}

/** A refusal is a normal answer. Failures here or at another service are errors. */
function endWithError(span: Span, error: unknown): void {
  noteOutcome(span, getErrorType(error), error instanceof AppError && errorStatus[error.code] < 500);
}

/** Records the outcome of work that returns its errors instead of throwing them. */
export function noteOutcome(span: Span, type: string, isRefusal: boolean): void {
  if (isRefusal) return void span.setAttribute('thalamus.outcome', type);
  span.setAttribute('error.type', type);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

/** The name of an error: our own code or reason, else the name of its class. Messages may contain input. */
export function getErrorType(error: unknown): string {
  if (error instanceof AppError) return error.code;
  const { reason, kind, name } = (error ?? {}) as { reason?: unknown; kind?: unknown; name?: unknown };
  const [type] = [reason, kind, name].filter((each) => typeof each === 'string' && /^\w{1,60}$/.test(each));
  return String(type ?? '_OTHER');
}

/** The trace that a request or a message names; undefined: none. */
export function readTrace(carrier: Readonly<Record<string, unknown>>): Context | undefined {
  const { traceparent, tracestate } = carrier;
  if (!isOn || typeof traceparent !== 'string') return undefined;
  return propagation.extract(ROOT_CONTEXT, { traceparent, ...(typeof tracestate === 'string' && { tracestate }) });
}

/** The headers that let the receiver continue the current trace; empty without an exporter. */
export function traceHeaders(): TraceHeaders {
  if (!isOn) return {};
  const carrier: Record<string, string> = {};
  propagation.inject(context.active(), carrier);
  const { traceparent, tracestate } = carrier;
  return { ...(traceparent !== undefined && { traceparent }), ...(tracestate !== undefined && { tracestate }) };
}
