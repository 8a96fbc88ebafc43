import { AppError } from '#kernel/errors';
import { trace, SpanStatusCode } from '@opentelemetry/api';
import { Counter, Histogram, Registry, collectDefaultMetrics } from 'prom-client';

/** Counts and times calls, and traces them when an OpenTelemetry SDK was loaded (see the README). */
export type Telemetry = {
  /** Wraps one call of an operation. */
  observe<T>(operation: string, callerKind: string, work: () => Promise<T>): Promise<T>;
  /** A figure of its own that only grows. */
  counter<Label extends string = never>(
    name: string,
    help: string,
    labels?: readonly Label[],
  ): { inc(by: number, labels?: Record<Label, string>): void };
  /** All figures in the Prometheus text format. */
  metrics(): Promise<string>;
};

export function createTelemetry(): Telemetry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const labelNames = ['operation', 'outcome'] as const;
  const calls = new Counter({
    name: 'thalamus_calls_total',
    help: 'Calls of operations.',
    labelNames,
    registers: [registry],
  });
  const seconds = new Histogram({
    name: 'thalamus_call_seconds',
    help: 'How long calls took.',
    labelNames: ['operation'] as const,
    buckets: [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30],
    registers: [registry],
  });
  const tracer = trace.getTracer('thalamus');

  async function observe<T>(operation: string, callerKind: string, work: () => Promise<T>): Promise<T> {
    const span = tracer.startSpan(operation, { attributes: { 'thalamus.caller.kind': callerKind } });
    const begun = performance.now();
    let outcome = 'ok';
    try {
      return await work();
    } catch (error) {
      outcome = codeOf(error);
      span.setStatus({ code: SpanStatusCode.ERROR, message: outcome });
      throw error;
    } finally {
      calls.inc({ operation, outcome });
      seconds.observe({ operation }, (performance.now() - begun) / 1000);
      span.end();
    }
  }

  function counter<Label extends string = never>(name: string, help: string, labels: readonly Label[] = []) {
    const made = new Counter({ name, help, labelNames: labels, registers: [registry] });
    return { inc: (by: number, of?: Record<Label, string>) => (of ? made.inc(of, by) : made.inc(by)) };
  }
  return { observe, counter, metrics: () => registry.metrics() };
}

/** Only the error's code: messages may contain the input. */
function codeOf(error: unknown): string {
  return error instanceof AppError ? error.code : 'internal';
}

/** Starts the export when an OTEL_* variable asks for it; without one nothing of the SDK is loaded. */
export async function exportWhenAsked(environment: Record<string, string | undefined>): Promise<() => Promise<void>> {
  const isAsked = Object.entries(environment).some(([name, value]) => name.startsWith('OTEL_') && value);
  if (!isAsked || environment['OTEL_SDK_DISABLED'] === 'true') return async () => {};
  const { startExport } = await import('./export.ts');
  return startExport(environment);
}
