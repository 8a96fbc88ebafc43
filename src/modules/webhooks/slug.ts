import { createHash, randomBytes } from 'node:crypto';

/** A new last part of an address: 128 random bits. */
export function generateSlug(): string {
  return randomBytes(16).toString('base64url');
}

/** The hash with which an address is found. */
export function hashOfSlug(slug: string): string {
  return createHash('sha256').update(slug).digest('hex');
}

/** The whole address. */
export function buildConnectorUrl(publicUrl: string, slug: string): string {
  return `${publicUrl}/v1/webhook/${slug}`;
}
