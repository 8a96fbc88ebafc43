// A job continues the trace in which it was enqueued, by the semantic conventions of OpenTelemetry for messaging.
import { withSpan, readTrace, SpanKind, traceHeaders, type TraceHeaders } from '#platform/telemetry';

/** The field of a job's data that holds the trace in which it was enqueued. No work sees it. */
const traceField = 'trace of the caller';

/** The data of a job with the trace of the work under way; the data itself without an exporter. */
export function withTrace(data: object): object {
  const trace = traceHeaders();
  return trace.traceparent === undefined ? data : { ...data, [traceField]: trace };
}

/** Does a job within a span, with the data that was enqueued; a scheduled job has none. */
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
