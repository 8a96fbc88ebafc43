// Reads the values of mail headers (RFC 5322, RFC 2047).

const encodedWord = /=\?([^?\s]+)\?([bq])\?([^?\s]*)\?=/gi;

/** A header's decoded value (RFC 2047); unreadable parts stay unchanged. */
export function decodeHeader(value: string): string {
  // White space between two encoded words is not part of the text.
  const joined = value.replaceAll(/(=\?[^?\s]+\?[bq]\?[^?\s]*\?=)\s+(?==\?[^?\s]+\?[bq]\?)/gi, '$1');
  return joined.replaceAll(encodedWord, (whole, charset: string, kind: string, text: string) => {
    const bytes = kind.toLowerCase() === 'b' ? Buffer.from(text, 'base64') : fromQuoted(text);
    return decodeText(bytes, charset.split('*')[0]) ?? whole;
  });
}

/** A list of some thousand addresses. */
const longestHeader = 200_000;
/** Names in quotes, addresses and comments have bounds, or a header of unclosed ones would take the square of its length. */
const addressParts = /(?:"(?:[^"\\]|\\.){0,300}"|<[^>]{0,320}>|\([^)]{0,300}\)|[^,;"<(])+/g;

/** The addresses of a header, unchanged: `Ada Lovelace <ada@example.com>`. */
export function addressesOf(value: string): string[] {
  const parts = value.slice(0, longestHeader).match(addressParts) ?? [];
  return parts.map((part) => decodeHeader(part.trim()).replaceAll(/^"(.*)"(\s*<)/g, '$1$2')).filter(Boolean);
}

/**
 * Text in its declared charset. Valid UTF-8 is read as UTF-8 in any case, because forwarding services convert the text
 * and keep the header. Null: the charset is unknown.
 */
export function decodeText(bytes: Uint8Array, charset = 'utf-8'): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return decodeAs(bytes, charset);
  }
}

function decodeAs(bytes: Uint8Array, charset: string): string | null {
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return null;
  }
}

function fromQuoted(text: string): Buffer {
  const escaped = text.replaceAll('_', ' ');
  const plain = escaped.replaceAll(/=([0-9a-f]{2})/gi, (_match, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(plain, 'latin1');
}
