// Reads RFC 822 messages into the tree that Gmail shows, and rewrites headers. Bytes are handled as latin1 text.

/** One header, unfolded. Its encoded words stay as they were sent: Gmail's API answers them so. */
export type Header = { name: string; value: string };

/** One node of a message; `content` is already transfer-decoded, empty for a multipart. */
export type MimePart = {
  partId: string;
  mimeType: string;
  charset: string;
  filename: string;
  headers: Header[];
  content: Buffer;
  parts: MimePart[];
};

/** Parses a whole message. Never throws: a malformed message becomes plain text. */
export function parseMime(raw: Uint8Array): MimePart {
  return parsePart(Buffer.from(raw).toString('latin1'), '');
}

function parsePart(source: string, partId: string): MimePart {
  const { head, body } = splitHead(source);
  const headers = parseHeaders(head);
  const type = parseParameters(findHeaderValue(headers, 'Content-Type') ?? 'text/plain');
  const disposition = parseParameters(findHeaderValue(headers, 'Content-Disposition') ?? '');
  const mimeType = type.value.toLowerCase() || 'text/plain';
  const part: MimePart = {
    partId,
    mimeType,
    charset: type.parameters.get('charset') ?? 'utf-8',
    filename: decodeWords(disposition.parameters.get('filename') ?? type.parameters.get('name') ?? ''),
    headers,
    content: Buffer.alloc(0),
    parts: [],
  };
  const boundary = type.parameters.get('boundary');
  if (mimeType.startsWith('multipart/') && boundary) {
    part.parts = splitParts(body, boundary).map((item, index) =>
      parsePart(item, partId === '' ? String(index) : `${partId}.${index}`),
    );
    return part;
  }
  part.content = decodeBody(body, findHeaderValue(headers, 'Content-Transfer-Encoding') ?? '7bit');
  return part;
}

function splitHead(source: string): { head: string; body: string } {
  if (/^\r?\n/.test(source)) return { head: '', body: source.replace(/^\r?\n/, '') };
  const gap = /\r?\n\r?\n/.exec(source);
  if (!gap) return { head: source, body: '' };
  return { head: source.slice(0, gap.index), body: source.slice(gap.index + gap[0].length) };
}

function splitParts(body: string, boundary: string): string[] {
  const escaped = boundary.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  const pieces = `\r\n${body}`.split(new RegExp(String.raw`\r?\n--${escaped}(--)?[ \t]*(?=\r?\n|$)`));
  const parts: string[] = [];
  // The capture group is interleaved: text, closing marker, text, ...
  for (let index = 2; index < pieces.length; index += 2) {
    if (pieces[index - 1] === '--') break;
    parts.push((pieces[index] ?? '').replace(/^\r?\n/, ''));
  }
  return parts;
}

function parseHeaders(head: string): Header[] {
  const lines = head.replaceAll(/\r?\n[ \t]+/g, ' ').split(/\r?\n/);
  return lines.flatMap((line) => {
    const colon = line.indexOf(':');
    if (colon <= 0) return [];
    return [{ name: line.slice(0, colon).trim(), value: decodeUtf8(line.slice(colon + 1).trim()) }];
  });
}

function decodeUtf8(latin1: string): string {
  const decoded = Buffer.from(latin1, 'latin1').toString('utf8');
  return decoded.includes('\uFFFD') ? latin1 : decoded;
}

const encodedWord = /=\?([^?]+)\?([bqBQ])\?([^?]*)\?=/g;
const encodedRun = /=\?[^?]+\?[bqBQ]\?[^?]*\?=(?:\s*=\?[^?]+\?[bqBQ]\?[^?]*\?=)*/g;

/** Decodes RFC 2047 encoded words. A character may be cut by two words that follow each other. */
function decodeWords(value: string): string {
  return value.replaceAll(encodedRun, (run) => {
    const words: { charset: string; bytes: Buffer }[] = [];
    for (const [, charset = '', encoding = '', data = ''] of run.matchAll(encodedWord)) {
      const isBase64 = encoding.toUpperCase() === 'B';
      const bytes = isBase64 ? Buffer.from(data, 'base64') : decodeQuotedPrintable(data.replaceAll('_', ' '));
      const name = charset.split('*', 1)[0]!.toLowerCase();
      const last = words.at(-1);
      if (last?.charset === name) last.bytes = Buffer.concat([last.bytes, bytes]);
      else words.push({ charset: name, bytes });
    }
    return words.map(({ charset, bytes }) => decodeText(bytes, charset)).join('');
  });
}

/** Text of bytes in a charset; an unknown charset is read as UTF-8. */
export function decodeText(bytes: Uint8Array, charset: string): string {
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

function decodeQuotedPrintable(source: string): Buffer {
  const joined = source.replaceAll(/=[ \t]*\r?\n/g, '');
  const latin1 = joined.replaceAll(/=([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(latin1, 'latin1');
}

function decodeBody(body: string, encoding: string): Buffer {
  const name = encoding.trim().toLowerCase();
  if (name === 'base64') return Buffer.from(body, 'base64');
  if (name === 'quoted-printable') return decodeQuotedPrintable(body);
  return Buffer.from(body, 'latin1');
}

function parseParameters(source: string): { value: string; parameters: Map<string, string> } {
  const parameters = new Map<string, string>();
  const [value = ''] = source.split(';', 1);
  for (const [, rawName = '', quoted, bare] of source.matchAll(
    /;\s*([^=;\s]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]*))/g,
  )) {
    const given = quoted === undefined ? (bare ?? '') : quoted.replaceAll(/\\(.)/g, '$1');
    // RFC 2231: name*=charset'lang'percent-encoded, possibly in numbered pieces.
    const name = rawName.toLowerCase().replace(/\*(\d+)?\*?$/, '');
    const decoded = rawName.endsWith('*') ? decodeExtended(given) : given;
    parameters.set(name, /\*[1-9]/.test(rawName) ? (parameters.get(name) ?? '') + decoded : decoded);
  }
  return { value: value.trim(), parameters };
}

function decodeExtended(value: string): string {
  const encoded = value.includes("''") ? value.slice(value.indexOf("''") + 2) : value;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}

function findHeaderValue(headers: Header[], name: string): string | undefined {
  return headers.find((header) => header.name.toLowerCase() === name.toLowerCase())?.value;
}

/** The first header of that name, as a person reads it. */
export function findHeader(part: MimePart, name: string): string | undefined {
  const value = findHeaderValue(part.headers, name);
  return value === undefined ? undefined : decodeWords(value);
}

/** The first header of that name, as it was sent. */
export function findRawHeader(part: MimePart, name: string): string | undefined {
  return findHeaderValue(part.headers, name);
}

/** Every node, the root first. */
export function listParts(part: MimePart): MimePart[] {
  return [part, ...part.parts.flatMap(listParts)];
}

/** Gmail hands these out by attachment id; everything else is inline. */
export function isAttachment(part: MimePart): boolean {
  return (
    part.parts.length === 0 &&
    !part.mimeType.startsWith('multipart/') &&
    (part.filename !== '' || !part.mimeType.startsWith('text/'))
  );
}

/** The readable text of a kind (`text/plain` or `text/html`), of all inline parts. */
export function readInlineText(root: MimePart, mimeType: string): string {
  return listParts(root)
    .filter((part) => part.mimeType === mimeType && !isAttachment(part))
    .map((part) => decodeText(part.content, part.charset))
    .join('\n');
}

/** Longer HTML is searched by its beginning: the expressions below take the square of its length. */
const longestSearched = 10_000;

/** The plain text, or the HTML with its tags taken off. */
export function readPlainText(root: MimePart): string {
  const plain = readInlineText(root, 'text/plain');
  if (plain.trim() !== '') return plain;
  return readInlineText(root, 'text/html')
    .slice(0, longestSearched)
    .replaceAll(/<(style|script)[\s\S]*?<\/\1>/gi, ' ')
    .replaceAll(/<[^<>]+>/g, ' ')
    .replaceAll('&nbsp;', ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}

/** The addresses of a header, in lower case, without names. */
export function parseAddresses(value: string | undefined): string[] {
  if (!value) return [];
  const withoutNames = value.replaceAll(/"(?:[^"\\]|\\.)*"|\([^()]*\)/g, '');
  return withoutNames
    .split(/[,;]/)
    .map((item) => (/<([^>]*)>/.exec(item)?.[1] ?? item).trim().toLowerCase())
    .filter((item) => item !== '');
}

/** Sets headers (null removes every one of that name); the body is untouched. New ones go on top. */
export function withHeaders(raw: Uint8Array, changes: Record<string, string | null>): Buffer {
  const source = Buffer.from(raw).toString('latin1');
  const { head, body } = splitHead(source);
  const changed = new Set(Object.keys(changes).map((name) => name.toLowerCase()));
  const kept = head
    .split(/\r?\n(?![ \t])/)
    .filter((line) => line !== '' && !changed.has(line.slice(0, line.indexOf(':')).trim().toLowerCase()));
  const added = Object.entries(changes).flatMap(([name, value]) =>
    value === null ? [] : [Buffer.from(`${name}: ${value}`).toString('latin1')],
  );
  return Buffer.from(`${[...added, ...kept].join('\r\n')}\r\n\r\n${body}`, 'latin1');
}
