/** Names of charsets that the encoding standard does not have: https://encoding.spec.whatwg.org/#names-and-labels */
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
const escape = '\x1b';
/** What follows the escape character in a switch of character sets (RFC 1468): `$B`, `(J`. */
const switchEnd = /^[$(][@A-Z]/;

/**
 * The text of bytes in their detected or declared charset; windows-1252 when neither fits. Valid UTF-8 is always read
 * as UTF-8: forwarding services convert the text and keep the old declaration.
 */
export function decodeText(bytes: Uint8Array, said?: string): string {
  const name = said?.trim().toLowerCase();
  const charset = name === undefined ? undefined : (otherNames[name] ?? name);
  const mayBeJapanese = charset === undefined || charset === 'iso-2022-jp' || charset === 'us-ascii';
  const japanese = mayBeJapanese ? decodeSwitched(bytes) : null;
  if (japanese !== null) return japanese;
  // Latin letters in UTF-16 are valid UTF-8, with a NUL beside each.
  const isWide = charset?.startsWith('utf-16') && bytes.includes(0);
  return (
    decodeAs(bytes, findMark(bytes) ?? (isWide ? charset! : 'utf-8')) ??
    decodeCut(bytes, charset) ??
    decodeAs(bytes, findDeclaration(bytes) ?? 'windows-1252') ??
    new TextDecoder('windows-1252').decode(bytes)
  );
}

/**
 * The text in its declared charset, else UTF-8 that has a multi-byte character; a character that is cut at the end is
 * left out.
 */
function decodeCut(bytes: Uint8Array, charset: string | undefined): string | null {
  const said = charset === undefined ? null : decodeAs(bytes, charset, 'cut');
  const guessed = said === null ? decodeAs(bytes, 'utf-8', 'cut') : null;
  return said ?? (guessed !== null && /[^\0-\x7f]/.test(guessed) ? guessed : null);
}

/**
 * Text in ISO-2022-JP; null for any other. Its bytes are all ASCII, and so valid UTF-8, too. A switch directly before
 * another one is dropped: programs write them between words and lines, and the standard's decoder treats them as
 * damage.
 */
function decodeSwitched(bytes: Uint8Array): string | null {
  if (!bytes.includes(0x1b)) return null;
  const [before = '', ...parts] = Buffer.from(bytes).toString('latin1').split(escape);
  if (!parts.some((part) => switchEnd.test(part))) return null;
  const isNeedless = (part: string, at: number) => part.length === 2 && switchEnd.test(part) && at < parts.length - 1;
  const needed = parts.filter((part, at) => !isNeedless(part, at));
  return decodeAs(Buffer.from([before, ...needed].join(escape), 'latin1'), 'iso-2022-jp');
}

/** The bytes with which UTF-16 text begins. */
function findMark(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return undefined;
}

/** HTML and XML may declare their charset inside. */
function findDeclaration(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, 1_024)).toString('latin1');
  return /<(?:meta\b[^>]*charset|\?xml\b[^>]*encoding)\s*=\s*["']?([\w-]+)/i.exec(head)?.[1];
}

function decodeAs(bytes: Uint8Array, charset: string, end: 'whole' | 'cut' = 'whole'): string | null {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes, { stream: end === 'cut' });
  } catch {
    return null;
  }
}
