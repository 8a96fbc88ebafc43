// A job continues the trace in which it was enqueued (OpenTelemetry semantic conventions for messaging).
import { withSpan, readTrace, SpanKind, traceHeaders, type TraceHeaders } from '#platform/telemetry';

/** The field of a job's data with the trace in which it was enqueued. Handlers do not see it. */
const traceField = 'trace of the caller';

/** The data of a job with the trace of the current work; unchanged without an exporter. */
export function withTrace(data: object): object {
  const trace = traceHeaders();
  return trace.traceparent === undefined ? data : { ...data, [traceField]: trace };
}

/** Runs a job in a span, with the enqueued data; a scheduled job has none. */
export function traceJob(name: string, stored: object | null, work: (data: object) => Promise<void>): Promise<void> {
  const { [traceField]: trace = {}, ...data } = (stored ?? {}) as { [traceField]?: TraceHeaders };
  const parent = readTrace(trace);
  const attributes = {
    'messaging.system': 'pg_boss',
    'messaging.operation.name': 'process',
    'messaging.operation.type': 'process',
    'messaging.destination.name': name,
  };
  const spec = { name: `process ${name}`, kind: SpanKind.CONSUMER, attributes, ...(parent && { parent }) };
  return withSpan(spec, () => work(data));
}
