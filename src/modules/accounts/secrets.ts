import type { callerKinds, CallerKindName } from '#kernel/caller-kinds';
import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { generateSecret } from '#platform/one-time-secrets';

/** The visible prefixes of callers' credentials. */
type CredentialPrefix = NonNullable<(typeof callerKinds)[CallerKindName]['prefix']>;

/** A new credential of a caller. It is shown once; only its hash is stored. */
export function generateCredential(prefix: CredentialPrefix): string {
  return generateSecret(prefix);
}

const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const keyLetters = 37;
const checksumLetters = 6;

/**
 * A new `cm_` key: 37 random letters and digits (220 bits), and 6 that are their CRC-32 in base 62, with which a secret
 * scanner distinguishes a key from similar text. Older keys have no checksum, and still work.
 */
export function generateKey(): string {
  const random = generateLetters(keyLetters);
  return `cm_${random}${computeChecksum(random)}`;
}

function generateLetters(count: number): string {
  let text = '';
  while (text.length < count)
    for (const byte of randomBytes(count)) if (byte < 248 && text.length < count) text += letters[byte % 62]; // 248 is 4 × 62
  return text;
}

function computeChecksum(text: string): string {
  let rest = crc32(text);
  let checksum = '';
  for (let at = 0; at < checksumLetters; at += 1) {
    checksum = `${letters[rest % 62]}${checksum}`;
    rest = Math.floor(rest / 62);
  }
  return checksum;
}

/** The part of a key that lists may show. */
export function getVisiblePrefix(key: string): string {
  return key.slice(0, 9);
}

/**
 * A sign-in token anywhere in a text, even where a mail breaks its line in transit (RFC 2045 §6.7). A name such as
 * `html_…` is not a token.
 */
const signInToken = /(?<![A-Za-z])t(?:=\r?\n)?l(?:=\r?\n)?_(?:=\r?\n|[\w-]){20,}/g;

/**
 * The text without sign-in tokens. Tokens are mailed, mailboxes are synced here, and agents read the synced mails: with
 * a token they could act as the person.
 */
export function withoutSignInTokens(text: string): string {
  return text.replaceAll(signInToken, 'tl_…');
}
