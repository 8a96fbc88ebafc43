import { AppError } from '#kernel/errors';
import { version } from '#platform/config';
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import { withSpan, startTracing } from './span.ts';

export {
  getErrorType,
  withSpan,
  withStreamedSpan,
  isTracing,
  noteOutcome,
  readTrace,
  traceHeaders,
  type SpanSpec,
  type TraceHeaders,
} from './span.ts';
export { SpanKind, type Span } from '@opentelemetry/api';

/** Counts and times calls, and traces them when an OpenTelemetry SDK is loaded (see the README). */
export type Telemetry = {
  /** Wraps one call of an operation. */
  observe<T>(operation: string, callerKind: string, work: () => Promise<T>): Promise<T>;
  /** A counter. */
  counter<Label extends string = never>(
    name: string,
    help: string,
    labels?: readonly Label[],
  ): { inc(by: number, labels?: Record<Label, string>): void };
  /** A gauge: its values, with their labels, are read when metrics are requested. */
  gauge<Label extends string>(
    name: string,
    help: string,
    labels: readonly Label[],
    read: () => Promise<readonly { value: number; of: Record<Label, string> }[]>,
  ): void;
  /** Counts and times what is done. */
  timer<Label extends string>(
    name: string,
    help: string,
    labels: readonly Label[],
  ): { observe(seconds: number, of: Record<Label, string>): void };
  /** All metrics in the Prometheus text format. */
  metrics(): Promise<string>;
};

const buckets = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30];
/** Metrics of the library that name a gauge like a counter. Their versions by type stay. */
const misnamed = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'];

export function createTelemetry(): Telemetry {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  for (const name of misnamed) registry.removeSingleMetric(name);
  setBuildInfo(registry);
  return {
    observe: createObserve(registry),
    counter<Label extends string = never>(name: string, help: string, labels: readonly Label[] = []) {
      const made = new Counter({ name, help, labelNames: labels, registers });
      return { inc: (by: number, of?: Record<Label, string>) => (of ? made.inc(of, by) : made.inc(by)) };
    },
    gauge(name, help, labels, read) {
      const made: Gauge = new Gauge({
        name,
        help,
        labelNames: labels,
        registers,
        async collect() {
          const values = await read().catch(() => []); // a metric that cannot be read now is left out, and the others stay
          made.reset();
          for (const { value, of } of values) made.set(of, value);
        },
      });
    },
    timer<Label extends string>(name: string, help: string, labels: readonly Label[]) {
      const made = new Histogram({ name, help, labelNames: labels, buckets, registers });
      return { observe: (time: number, of: Record<Label, string>) => made.observe(of, time) };
    },
    metrics: () => registry.metrics(),
  };
}

function setBuildInfo(registry: Registry): void {
  const build = new Gauge({
    name: 'thalamus_build_info',
    help: 'The version of the server and of Node.js. The value is always 1.',
    labelNames: ['version', 'node_version'] as const,
    registers: [registry],
  });
  build.set({ version, node_version: process.versions.node }, 1);
}

function createObserve(registry: Registry): Telemetry['observe'] {
  const registers = [registry];
  const calls = new Counter({
    name: 'thalamus_calls_total',
    help: 'Calls of operations.',
    labelNames: ['operation', 'outcome'] as const,
    registers,
  });
  const seconds = new Histogram({
    name: 'thalamus_call_seconds',
    help: 'How long calls took.',
    labelNames: ['operation'] as const,
    buckets,
    registers,
  });
  return async function observe(operation, callerKind, work) {
    const begun = performance.now();
    let outcome = 'ok';
    const attributes = { 'thalamus.operation': operation, 'thalamus.caller.kind': callerKind };
    try {
      return await withSpan({ name: operation, attributes }, work);
    } catch (error) {
      outcome = getOutcome(error);
      throw error;
    } finally {
      calls.inc({ operation, outcome });
      seconds.observe({ operation }, (performance.now() - begun) / 1000);
    }
  };
}

/** Only the error's code: messages may contain the input. */
function getOutcome(error: unknown): string {
  return error instanceof AppError ? error.code : 'internal';
}

/** Starts the export when an OTEL_* variable configures it; otherwise nothing of the SDK is loaded. */
export async function exportWhenAsked(environment: Record<string, string | undefined>): Promise<() => Promise<void>> {
  const isAsked = Object.entries(environment).some(([name, value]) => name.startsWith('OTEL_') && value);
  if (!isAsked || environment['OTEL_SDK_DISABLED'] === 'true') return async () => {};
  const { startExport } = await import('./export.ts');
  const stop = startExport(environment);
  startTracing();
  return stop;
}
