import { NodeSDK } from '@opentelemetry/sdk-node';

/**
 * Begins to export traces as the standard OTEL_* variables say (endpoint, headers, service name, sampler). Answers how
 * to flush and stop. Loaded only when one of them is set.
 */
export function startExport(environment: Record<string, string | undefined>): () => Promise<void> {
  const sdk = new NodeSDK({ serviceName: environment['OTEL_SERVICE_NAME'] ?? 'thalamus' });
  sdk.start();
  return () => sdk.shutdown();
}
