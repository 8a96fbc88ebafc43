// The texts in which a secret can appear: unchanged, escaped, encoded, and inside base64.

/** Shorter secrets are, in other encodings, parts of ordinary text: `ab` is `6162` in hexadecimal. */
const shortestEcho = 6;

/**
 * Every form of the secret to search for in an answer, without duplicates and without empty ones. In addition to the
 * usual forms, those that a service can be asked to write: fully escaped, in hexadecimal, encoded twice, backwards. The
 * search ignores case.
 */
export function listEchoes(secret: string): string[] {
  const usual = listSecretForms(secret);
  if (Buffer.byteLength(secret) < shortestEcho) return usual;
  const bytes = [...Buffer.from(secret)].map((byte) => formatHex(byte, 2));
  const units = secret.split('').map((unit) => formatHex(unit.charCodeAt(0), 4));
  const letters = [...secret.toWellFormed()];
  const codes = letters.map((letter) => letter.codePointAt(0) ?? 0);
  const twice = encodeURIComponent(encodeURIComponent(secret.toWellFormed()));
  const echoes = [
    bytes.join(''),
    ...['%', '\\x', '%25'].map((mark) => bytes.map((digits) => mark + digits).join('')),
    units.map((digits) => `\\u${digits}`).join(''),
    units.map((digits) => `%u${digits}`).join(''),
    codes.map((code) => `&#${code};`).join(''),
    codes.map((code) => `&#x${code.toString(16)};`).join(''),
    ...[htmlNames, htmlNumbers].map((escapes) => letters.map((letter) => escapes[letter] ?? letter).join('')),
    twice,
    JSON.stringify(JSON.stringify(secret)).slice(3, -3),
    letters.toReversed().join(''),
    secret.toUpperCase(), // folding bytes works for ASCII only
    secret.toLowerCase(),
  ];
  return [...new Set([...usual, ...echoes])];
}

/** How HTML templates write these characters. */
const htmlNames: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const htmlNumbers: Readonly<Record<string, string>> = { ...htmlNames, '"': '&#34;', "'": '&#x27;', '/': '&#x2f;' };

/** The usual forms of the secret, without duplicates and without empty ones. */
export function listSecretForms(secret: string): string[] {
  if (secret === '') return [];
  const encoded = encodeURIComponent(secret.toWellFormed());
  const strict = encoded.replaceAll(/[!'()*]/g, (letter) => `%${formatHex(letter.charCodeAt(0), 2).toUpperCase()}`);
  const lower = (text: string) => text.replaceAll(/%[0-9A-F]{2}/g, (escape) => escape.toLowerCase());
  const form = new URLSearchParams({ s: secret }).toString().slice(2);
  const forms = [
    secret,
    ...listJsonForms(secret),
    ...[encoded, strict, form, encodeURI(secret.toWellFormed()), unescapeInSegment(encoded)].flatMap((text) => [
      text,
      lower(text),
    ]),
    ...listBase64Forms(secret),
  ];
  return [...new Set(forms)];
}

/** The form in a path, where some separators need no escape (RFC 3986 section 3.3). */
export function unescapeInSegment(encoded: string): string {
  return encoded.replaceAll(/%(?:3A|40|24|26|2B|2C|3B|3D)/g, (escape) => decodeURIComponent(escape));
}

/** JSON as JavaScript, PHP, Python and Go write it: they escape different characters. */
function listJsonForms(secret: string): string[] {
  const plain = JSON.stringify(secret).slice(1, -1);
  const escaped = (text: string, which: RegExp, upper = false) =>
    text.replaceAll(which, (letter) => {
      const digits = formatHex(letter.charCodeAt(0), 4);
      return `\\u${upper ? digits.toUpperCase() : digits}`;
    });
  const slashed = plain.replaceAll('/', '\\/');
  // oxlint-disable-next-line no-control-regex -- everything outside ASCII
  const beyondAscii = /[^\u0000-\u007f]/g;
  return [plain, slashed, escaped(plain, /[<>&]/g)].flatMap((text) => [
    text,
    escaped(text, beyondAscii),
    escaped(text, beyondAscii, true),
  ]);
}

function formatHex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, '0');
}

/** The characters of the secret in base64 at any position: three alignments, two alphabets. */
function listBase64Forms(secret: string): string[] {
  const bytes = Buffer.from(secret);
  if (bytes.length < 6) return [];
  const aligned = [0, 1, 2].map((offset) => {
    const whole = Buffer.concat([Buffer.alloc(offset), bytes]);
    const firstWhole = Math.ceil((offset * 8) / 6);
    return whole.toString('base64').slice(firstWhole, Math.floor((whole.length * 8) / 6));
  });
  return aligned.flatMap((text) => [text, text.replaceAll('+', '-').replaceAll('/', '_')]);
}
