// The one canonical form of an address, and the readings that servers take of it.
import { normalizeText } from '#platform/unicode';

const escapes = /%([0-9a-f]{2})/gi;
const unreserved = /^[A-Za-z0-9._~-]$/;
const encodedRuns = /(?:%[0-9a-f]{2})+|%u[0-9a-f]{4}/gi;
const beyondAscii = /[^ -~]/;
const marks = /\p{M}/gu;
// oxlint-disable-next-line no-control-regex -- a path has none
const controls = /[\u0000-\u001f\u007f]/;
/** More often than servers and the proxies before them decode a path. */
const mostDecodings = 8;
/** The reading of a path that some servers take for another one, and nobody can tell for which: any path at all. */
export const anyPath = '/*';

/**
 * A path by RFC 3986 section 6.2.2: letters that need no escape stand without one, all other escapes are in capitals.
 * `%2F` and `//` stay as they are: they may mean something else there.
 */
export function normalizePath(path: string): string {
  return path.replaceAll(escapes, (escape, digits: string) => {
    const letter = String.fromCharCode(Number.parseInt(digits, 16));
    return unreserved.test(letter) ? letter : escape.toUpperCase();
  });
}

/**
 * Every path that a server may take this one for, itself first: decoded as often as it can be, with slashes merged, dot
 * segments resolved, parameters of segments (`;…`) left out and full-width and other compatible letters as plain ones.
 * What servers read in different ways (no UTF-8, controls, too many layers) is also `anyPath`.
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

/** The path, and how servers that map letters to similar ones read it (Unicode Annex 15; Windows maps accents away, too). */
function listLikeForms(path: string): string[] {
  if (!beyondAscii.test(path)) return [path];
  return [...new Set([path, normalizeText(path, 'NFKC'), normalizeText(path, 'NFKD').replaceAll(marks, '')])];
}

function withoutParameters(path: string): string {
  return path.replaceAll(/;[^/]*/g, '');
}

/** Slashes merged, `.` and `..` carried out (RFC 3986 section 5.2.4). */
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
 * What is no UTF-8, such as overlong forms of a slash, is decoded byte by byte, as some servers do; others refuse it or read
 * something else. Controls end or cut a path in some.
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
