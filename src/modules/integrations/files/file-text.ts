// Extracts the text of files in plain formats.
import { readWordsOfMail } from '#platform/extraction';
import { decodeText } from '#platform/mime';
import { readHtmlText } from '#providers/reading';

/** Longer text is cut to this many characters, about 80 printed pages. */
export const longestText = 200_000;
/** The longest part to decode: a character takes up to four bytes. */
const mostBytes = 4 * longestText;
const sniffedBytes = 8_192;

/** Formats that may start like text but are not meant to be read. */
const notForReading =
  /^(image|audio|video|font)\/|^application\/(pdf|zip|gzip|pgp|pkcs|x-pkcs|rtf|postscript)|\.(svg|pdf|rtf|ps|eps|p7s|asc)$/i;
const html = /^(text\/html|application\/xhtml\+xml)$|\.x?html?$/i;
const mail = /^message\/rfc822$|\.eml$/i;

/** Encoded bytes in mails, certificates and data URLs: not readable text, so not searched. */
const encodedLines = /^(?:[A-Za-z0-9+/]{60,}={0,2}\s*\n?){2,}/gm;

type NamedFile = { bytes: Uint8Array; mimeType: string; filename: string };

/**
 * The text of a plain text, table, markup, source code, calendar or mail file, in its declared or detected charset;
 * null for other formats. HTML becomes its visible text.
 */
export async function extractFileText({ bytes, mimeType, filename }: NamedFile): Promise<string | null> {
  const type = mimeType.split(';')[0]?.trim() ?? '';
  if (notForReading.test(type) || notForReading.test(filename)) return null;
  const text = decodeAsText(bytes, /charset="?([^\s";]+)/i.exec(mimeType)?.[1]);
  if (text === null) return null;
  const isMail = mail.test(type) || mail.test(filename);
  const read = isMail ? await readWordsOfMail(bytes.subarray(0, mostBytes)) : null;
  const plain = html.test(type) || html.test(filename) ? await readHtmlText(text) : text;
  const readable = isMail ? (read ?? plain).replaceAll(encodedLines, '') : plain;
  const words = readable.replaceAll('\0', '').replaceAll('\r\n', '\n').trim();
  return words ? words.slice(0, longestText).toWellFormed() : null;
}

/** Null when the bytes are not text. A character that is cut at the end is left out. */
function decodeAsText(bytes: Uint8Array, charset: string | undefined): string | null {
  const part = bytes.subarray(0, mostBytes);
  const isWide =
    /^utf-?16/i.test(charset ?? '') || (part[0] === 0xff && part[1] === 0xfe) || (part[0] === 0xfe && part[1] === 0xff);
  return isWide || isLikelyText(part.subarray(0, sniffedBytes)) ? decodeText(part, charset) : null;
}

/** Text has almost no control characters, in every charset except the two-byte ones. */
function isLikelyText(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte >= 32 || (byte >= 7 && byte <= 13) || byte === 27);
}
