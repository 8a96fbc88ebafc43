import { createHmac, randomBytes } from 'node:crypto';

/** A new signing secret, as Standard Webhooks writes them. */
export function generateSigningSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

/**
 * The signature of a message by Standard Webhooks: `v1,base64(HMAC-SHA256(id.timestamp.body))`. `secret`: base64 or
 * base64url, with or without `whsec_` or `v1,whsec_` before it.
 * https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export function computeStandardSignature(
  secret: string,
  { id, timestamp, body }: { id: string; timestamp: string; body: Buffer },
): string {
  const key = Buffer.from(secret.replace(/^(?:v1,)?whsec_/, ''), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')}`;
}
