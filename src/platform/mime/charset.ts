/** By other names than the standard of encodings has: https://encoding.spec.whatwg.org/#names-and-labels */
const otherNames: Readonly<Record<string, string>> = {
  cp932: 'shift_jis',
  'windows-932': 'shift_jis',
  cp936: 'gbk',
  cp949: 'euc-kr',
  cp950: 'big5',
  'iso-2022-jp-1': 'iso-2022-jp',
  'iso-2022-jp-2': 'iso-2022-jp',
  'iso-2022-jp-ms': 'iso-2022-jp',
  cp50220: 'iso-2022-jp',
  cp50221: 'iso-2022-jp',
};
const escape = 0x1b;

/**
 * The text of bytes in the charset they show, or that is said of them; windows-1252 when they fit none of these. Valid UTF-8 is read as
 * UTF-8 in any case: forwarding services convert the text and keep what is said of it.
 */
export function decodeText(bytes: Uint8Array, said?: string): string {
  const name = said?.trim().toLowerCase();
  const charset = name === undefined ? undefined : (otherNames[name] ?? name);
  // Its bytes are all ASCII, and so valid UTF-8, too.
  if (charset === 'iso-2022-jp' && bytes.includes(escape)) {
    const text = decodeAs(bytes, charset);
    if (text !== null) return text;
  }
  return (
    decodeAs(bytes, findMark(bytes) ?? 'utf-8') ??
    (charset === undefined ? null : decodeAs(bytes, charset)) ??
    decodeAs(bytes, findDeclaration(bytes) ?? 'windows-1252') ??
    new TextDecoder('windows-1252').decode(bytes)
  );
}

/** The bytes that a text in UTF-16 begins with. */
function findMark(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return undefined;
}

/** HTML and XML may name their charset inside. */
function findDeclaration(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, 1_024)).toString('latin1');
  return /<(?:meta\b[^>]*charset|\?xml\b[^>]*encoding)\s*=\s*["']?([\w-]+)/i.exec(head)?.[1];
}

function decodeAs(bytes: Uint8Array, charset: string): string | null {
  try {
    // With `stream`, a character that is cut at the end is left out.
    return new TextDecoder(charset, { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return null;
  }
}
