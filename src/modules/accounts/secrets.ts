import type { callerKinds, CallerKindName } from '#kernel/caller-kinds';
import { randomSecret } from '#platform/one-time-secrets';

/** The prefixes by which people know the credentials of callers. */
type CredentialPrefix = NonNullable<(typeof callerKinds)[CallerKindName]['prefix']>;

/** A new credential of a caller. It is shown once; only its hash is stored. */
export function newCredential(prefix: CredentialPrefix): string {
  return randomSecret(prefix);
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
