import { NodeSDK } from '@opentelemetry/sdk-node';

/**
 * Starts the export of traces by the standard OTEL_* variables (endpoint, headers, service name, sampler). Returns how
 * to flush and stop. Loaded only when one of them is set.
 */
export function startExport(environment: Record<string, string | undefined>): () => Promise<void> {
  const sdk = new NodeSDK({ serviceName: environment['OTEL_SERVICE_NAME'] ?? 'thalamus' });
  sdk.start();
  return () => sdk.shutdown();
}
