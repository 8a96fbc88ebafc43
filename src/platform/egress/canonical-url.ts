// The canonical form of an address, and the different ways in which servers may read it.
import { normalizeText } from '#platform/unicode';

const escapes = /%([0-9a-f]{2})/gi;
const unreserved = /^[A-Za-z0-9._~-]$/;
const encodedRuns = /(?:%[0-9a-f]{2})+|%u[0-9a-f]{4}/gi;
const beyondAscii = /[^ -~]/;
const marks = /\p{M}/gu;
// oxlint-disable-next-line no-control-regex -- a path has none
const controls = /[\u0000-\u001f\u007f]/;
/** More rounds of decoding than servers and the proxies before them perform. */
const mostDecodings = 8;
/** The reading of a path that some servers read as another, unpredictable path: it stands for any path. */
export const anyPath = '/*';

/**
 * A path normalised by RFC 3986 section 6.2.2: needless escapes are decoded, all other escapes are in capitals. `%2F`
 * and `//` stay as they are, because they may have another meaning there.
 */
export function normalizePath(path: string): string {
  return path.replaceAll(escapes, (escape, digits: string) => {
    const letter = String.fromCharCode(Number.parseInt(digits, 16));
    return unreserved.test(letter) ? letter : escape.toUpperCase();
  });
}

/**
 * Every path as which a server may read this one, starting with itself: decoded repeatedly, with slashes merged, dot
 * segments resolved, parameters of segments (`;…`) removed, and full-width and other compatible letters as plain ones.
 * Text that servers read differently (invalid UTF-8, control characters, too many layers) also gives `anyPath`.
 */
export function listPathReadings(path: string): string[] {
  const readings = new Set<string>([path]);
  let decoded = path;
  for (let time = 0; ; time += 1) {
    for (const each of listLikeForms(decoded)) {
      const slashed = each.replaceAll('\\', '/');
      for (const form of [each, slashed, withoutParameters(slashed)]) {
        readings.add(form);
        readings.add(resolveSegments(form));
      }
    }
    const next = decodeOnce(decoded);
    if (next.isUnsure || time === mostDecodings) readings.add(anyPath);
    if (next.text === decoded || time === mostDecodings) break;
    decoded = next.text;
  }
  return [...readings];
}

/**
 * The path, and the readings of servers that map letters to similar ones (Unicode Annex 15; Windows also removes
 * accents).
 */
function listLikeForms(path: string): string[] {
  if (!beyondAscii.test(path)) return [path];
  return [...new Set([path, normalizeText(path, 'NFKC'), normalizeText(path, 'NFKD').replaceAll(marks, '')])];
}

function withoutParameters(path: string): string {
  return path.replaceAll(/;[^/]*/g, '');
}

/** Slashes merged, `.` and `..` resolved (RFC 3986 section 5.2.4). */
function resolveSegments(path: string): string {
  const segments: string[] = [];
  const given = path.split('/').filter((segment) => segment !== '' && segment !== '.');
  for (const segment of given) {
    if (segment === '..') segments.pop();
    else segments.push(segment);
  }
  const isFolder = /\/\.{0,2}$/.test(path) && segments.length > 0;
  return `/${segments.join('/')}${isFolder ? '/' : ''}`;
}

/**
 * Invalid UTF-8, such as overlong forms of a slash, is decoded byte by byte, as some servers do; others refuse it or
 * read something else. Some servers cut a path at a control character.
 */
function decodeOnce(path: string): { text: string; isUnsure: boolean } {
  let isUnsure = false;
  const text = path.replaceAll(encodedRuns, (run) => {
    const decoded = decodeRun(run);
    if (decoded === null || controls.test(decoded)) isUnsure = true;
    return decoded ?? Buffer.from(run.replaceAll('%', ''), 'hex').toString('latin1');
  });
  return { text, isUnsure };
}

/** `%u0074` is a form of IIS. */
function decodeRun(run: string): string | null {
  if (/^%u/i.test(run)) return String.fromCharCode(Number.parseInt(run.slice(2), 16));
  try {
    return decodeURIComponent(run);
  } catch {
    return null;
  }
}
