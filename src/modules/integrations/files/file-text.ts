// The words of a file of a plain format.
import { textOfHtml } from '../sources/html-text.ts';

/** A longer text is cut here: about 80 pages of print. */
export const longestText = 200_000;
/** The longest part to decode: a character takes up to four bytes. */
const mostBytes = 4 * longestText;
const sniffedBytes = 8_192;

/** Formats that may begin like a text and are not for people. */
const notForReading =
  /^(image|audio|video|font)\/|^application\/(pdf|zip|gzip|pgp|pkcs|x-pkcs|rtf|postscript)|\.(svg|pdf|rtf|ps|eps|p7s|asc)$/i;
const html = /^(text\/html|application\/xhtml\+xml)$|\.x?html?$/i;
const mail = /^message\/rfc822$|\.eml$/i;
/** Encoded bytes in mails, certificates and data URLs: nothing to read or to find. */
const encodedLines = /^(?:[A-Za-z0-9+/]{60,}={0,2}\s*\n?){2,}/gm;

type NamedFile = { bytes: Uint8Array; mimeType: string; filename: string };

/**
 * The words of a text, a table, markup, source code, a calendar or a mail, in its declared or detected charset; null
 * for anything else. HTML becomes its visible text.
 */
export async function textOfFile({ bytes, mimeType, filename }: NamedFile): Promise<string | null> {
  const type = mimeType.split(';')[0]?.trim() ?? '';
  if (notForReading.test(type) || notForReading.test(filename)) return null;
  const text = decoded(bytes, charsetOf(mimeType, bytes));
  if (text === null) return null;
  const plain = html.test(type) || html.test(filename) ? await textOfHtml(text) : text;
  const readable = mail.test(type) || mail.test(filename) ? plain.replaceAll(encodedLines, '') : plain;
  const words = readable.replaceAll('\0', '').replaceAll('\r\n', '\n').trim();
  return words ? words.slice(0, longestText).toWellFormed() : null;
}

function charsetOf(mimeType: string, bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  const said = /charset="?([^\s";]+)/i.exec(mimeType)?.[1];
  // HTML and XML may name their charset inside.
  const head = Buffer.from(bytes.subarray(0, 1_024)).toString('latin1');
  return said ?? /<(?:meta\b[^>]*charset|\?xml\b[^>]*encoding)\s*=\s*["']?([\w-]+)/i.exec(head)?.[1];
}

/** Null when it is no text. A cut in the middle of a character leaves that one out. */
function decoded(bytes: Uint8Array, charset: string | undefined): string | null {
  const part = bytes.subarray(0, mostBytes);
  if (charset?.startsWith('utf-16')) return decodedAs(part, charset);
  if (!looksLikeText(part.subarray(0, sniffedBytes))) return null;
  return decodedAs(part, 'utf-8') ?? decodedAs(part, charset ?? 'windows-1252') ?? decodedAs(part, 'windows-1252');
}

function decodedAs(bytes: Uint8Array, charset: string): string | null {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return null;
  }
}

/** Texts have no control characters but a few, in every charset that is not of two bytes. */
function looksLikeText(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte >= 32 || (byte >= 7 && byte <= 13) || byte === 27);
}
