import { version } from '#platform/config';
import { NodeSDK } from '@opentelemetry/sdk-node';

/**
 * Starts the export of traces, configured by the standard OTEL_* variables (endpoint, headers, service name, sampler).
 * Returns functions to flush and stop. Loaded only when one of them is set.
 */
export function startExport(environment: Record<string, string | undefined>): () => Promise<void> {
  const attributes: Record<string, string> = {
    'service.version': version,
    ...readAttributes(environment['OTEL_RESOURCE_ATTRIBUTES']),
  };
  const serviceName = environment['OTEL_SERVICE_NAME'] ?? attributes['service.name'] ?? 'thalamus';
  // The usual detectors would also report the host, the user and the command line of the process.
  const sdk = new NodeSDK({ serviceName, resourceDetectors: [{ detect: () => ({ attributes }) }] });
  sdk.start();
  return () => sdk.shutdown();
}

/** Pairs `name=value`, percent-encoded as the variable's specification requires. */
function readAttributes(text = ''): Record<string, string> {
  const pairs = text.split(',').map((pair) => pair.split('='));
  return Object.fromEntries(
    pairs.flatMap(([name = '', ...value]) =>
      name.trim() && value.length ? [[name.trim(), decode(value.join('='))]] : [],
    ),
  );
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.trim());
  } catch {
    return text.trim();
  }
}
