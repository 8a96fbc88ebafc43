import { randomBytes } from 'node:crypto';
import { standardSignature } from '#modules/webhooks';

/** A new signing secret, as Standard Webhooks writes them. */
export function newSigningSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

/** The headers of a delivery by Standard Webhooks, with one signature for each secret. */
export function signedHeaders(id: string, at: Date, body: Buffer, secrets: readonly string[]): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const signatures = secrets.map((secret) => standardSignature(secret, { id, timestamp, body }));
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}
