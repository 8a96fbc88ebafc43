import { createHash, randomBytes } from 'node:crypto';
import type { callerKinds, CallerKindName } from '#kernel/caller-kinds';

/** The kinds of credential the server hands out, by the prefix people see: those of callers, and `tl` of links that sign somebody in. */
type CredentialPrefix = NonNullable<(typeof callerKinds)[CallerKindName]['prefix']> | 'tl';

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

/** A sign-in token wherever it stands, also where a mail in transit breaks its line (RFC 2045 §6.7). No name such as `html_…` is one. */
const signInToken = /(?<![A-Za-z])t(?:=\r?\n)?l(?:=\r?\n)?_(?:=\r?\n|[\w-]){20,}/g;

/**
 * The text without tokens that sign somebody in. They are mailed, mailboxes are read here, and what is read is read by agents, who
 * would be the person with them.
 */
export function withoutSignInTokens(text: string): string {
  return text.replaceAll(signInToken, 'tl_…');
}
