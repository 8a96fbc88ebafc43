import type { callerKinds, CallerKindName } from '#kernel/caller-kinds';
import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { randomSecret } from '#platform/one-time-secrets';

/** The prefixes by which people know the credentials of callers. */
type CredentialPrefix = NonNullable<(typeof callerKinds)[CallerKindName]['prefix']>;

/** A new credential of a caller. It is shown once; only its hash is stored. */
export function newCredential(prefix: CredentialPrefix): string {
  return randomSecret(prefix);
}

const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const keyLetters = 37;
const checksumLetters = 6;

/**
 * A new `cm_` key: 37 random letters and digits (220 bits), and 6 that are their CRC-32 in base 62, by which a scanner for secrets tells a
 * key from anything that looks like one. Keys from before have no checksum, and work all the same.
 */
export function newKey(): string {
  const random = randomLetters(keyLetters);
  return `cm_${random}${checksumOf(random)}`;
}

function randomLetters(count: number): string {
  let text = '';
  while (text.length < count)
    for (const byte of randomBytes(count)) if (byte < 248 && text.length < count) text += letters[byte % 62]; // 248 is 4 × 62
  return text;
}

function checksumOf(text: string): string {
  let rest = crc32(text);
  let checksum = '';
  for (let at = 0; at < checksumLetters; at += 1) {
    checksum = `${letters[rest % 62]}${checksum}`;
    rest = Math.floor(rest / 62);
  }
  return checksum;
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
