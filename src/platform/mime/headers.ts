// Reads headers of mails: encoded words (RFC 2047) and addresses (RFC 5322), with postal-mime.
import { replaceUnseen } from '#kernel/unseen';
import { addressParser, decodeWords } from 'postal-mime';
import { decodeText } from './charset.ts';

/** A person as mails write them. */
export type Mailbox = { name: string; address: string };

/** A list of some thousand addresses. */
const longestHeader = 200_000;
/** The longest address that people can enter. */
const longestShown = 320;
/** A name with one of these characters could be read as an address or a list of addresses. */
const quotedInNames = /[@"\\:;]/;

/** A header's value as people read it. */
export function decodeHeader(value: string): string {
  return decodeWords(joinWords(unfold(value)));
}

/** The people of a header; groups are expanded. */
export function readAddresses(value: string): Mailbox[] {
  return addressParser(flattenComments(joinWords(unfold(value))), { flatten: true }).flatMap((each) =>
    each.address === undefined || !(each.address || each.name) ? [] : [{ name: each.name, address: each.address }],
  );
}

const commentParts = /\\.|["()]/gs;

/**
 * Comments can be nested, and postal-mime would leave the end of an outer comment in the name: inner comments lose
 * their brackets.
 */
function flattenComments(value: string): string {
  let depth = 0;
  let isQuoted = false;
  return value.replaceAll(commentParts, (part) => {
    if (part === '"' && depth === 0) isQuoted = !isQuoted;
    if (isQuoted || (part !== '(' && part !== ')')) return part;
    const isInner = part === '(' ? depth > 0 : depth > 1;
    depth = Math.max(0, depth + (part === '(' ? 1 : -1));
    return isInner ? ' ' : part;
  });
}

function unfold(value: string): string {
  return value.slice(0, longestHeader).replaceAll(/\r?\n(?=[ \t])/g, '');
}

const encodedWord = /=\?([^?\s]+)\?([bq])\?([^?\s]*)\?=/gi;

type Word = { charset: string; bytes: Buffer };

/**
 * Joins neighbouring encoded words of one charset. Many programs cut a text into words by bytes, inside a character,
 * and fill each word completely; postal-mime joins only words that are not full.
 */
function joinWords(value: string): string {
  const written: string[] = [];
  let group: Word[] = [];
  let at = 0;
  for (const match of value.matchAll(encodedWord)) {
    const between = value.slice(at, match.index);
    const word = readWord(match);
    if (group.length > 0 && (between.trim() !== '' || group[0]!.charset !== word.charset)) {
      written.push(writeGroup(group));
      group = [];
    }
    if (group.length === 0) written.push(between);
    group.push(word);
    at = match.index + match[0].length;
  }
  return [...written, writeGroup(group), value.slice(at)].join('');
}

function readWord([, charset = '', kind = '', text = '']: RegExpExecArray): Word {
  const bytes = kind.toLowerCase() === 'b' ? Buffer.from(text, 'base64') : decodeQuoted(text);
  return { charset: charset.split('*', 1)[0]!.toLowerCase(), bytes };
}

/** In UTF-8: our own decoder knows more charset names and common mistakes of programs. */
function writeGroup(words: readonly Word[]): string {
  const [first] = words;
  if (!first) return '';
  const text = decodeText(Buffer.concat(words.map(({ bytes }) => bytes)), first.charset);
  return `=?utf-8?B?${Buffer.from(text).toString('base64')}?=`;
}

function decodeQuoted(text: string): Buffer {
  const plain = text
    .replaceAll('_', ' ')
    .replaceAll(/=([0-9a-f]{2})/gi, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(plain, 'latin1');
}
/**
 * A person as pages show them: `Roe, Richard <richard@example.com>`. A name that could be taken for an address is
 * quoted. The result is a valid recipient.
 */
export function formatMailbox({ name, address }: Mailbox): string {
  const room = Math.max(0, longestShown - address.length - 5);
  const clean = replaceUnseen(name, () => ' ')
    .replaceAll(/[<>]/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, room)
    .toWellFormed()
    .trim();
  if (clean === '' || clean === address) return address;
  if (address === '') return clean;
  const shown = quotedInNames.test(clean) ? `"${clean.replaceAll(/["\\]/g, "'")}"` : clean;
  return `${shown} <${address}>`;
}
