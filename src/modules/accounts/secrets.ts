import { createHash, randomBytes } from 'node:crypto';

/** The kinds of credential the server hands out, by the prefix people see. */
export type CredentialPrefix = 'cm' | 'ts' | 'tl';

/** A new credential: prefix and 32 random bytes. It is shown once; only its hash is stored. */
export function newCredential(prefix: CredentialPrefix): string {
  return `${prefix}_${randomBytes(32).toString('base64url')}`;
}

/** What is stored of a credential. Credentials have 256 random bits, so a plain hash cannot be guessed back. */
export function hashCredential(credential: string): string {
  return createHash('sha256').update(credential).digest('hex');
}

/** The part of a key that lists may show. */
export function visiblePrefix(key: string): string {
  return key.slice(0, 9);
}
