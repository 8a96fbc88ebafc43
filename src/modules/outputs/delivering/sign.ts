import { computeStandardSignature } from '#modules/webhooks';

/** The headers of a delivery by Standard Webhooks, with one signature for each secret. */
export function buildSignedHeaders(
  id: string,
  at: Date,
  body: Buffer,
  secrets: readonly string[],
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const signatures = secrets.map((secret) => computeStandardSignature(secret, { id, timestamp, body }));
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}
