// The one canonical form of an address, and the readings that servers take of it.

const escapes = /%([0-9a-f]{2})/gi;
const unreserved = /^[A-Za-z0-9._~-]$/;
/** Servers and the proxies before them decode a path at most this often. */
const mostDecodings = 3;

/**
 * A path by RFC 3986 section 6.2.2: letters that need no escape stand without one, all other escapes are in capitals.
 * `%2F` and `//` stay as they are: they may mean something else there.
 */
export function normalisePath(path: string): string {
  return path.replaceAll(escapes, (escape, digits: string) => {
    const letter = String.fromCharCode(Number.parseInt(digits, 16));
    return unreserved.test(letter) ? letter : escape.toUpperCase();
  });
}

/**
 * Every path that a server may take this one for, itself first: decoded, with slashes merged, dot segments resolved and
 * parameters of segments (`;…`) left out.
 */
export function listPathReadings(path: string): string[] {
  const readings = new Set<string>([path]);
  let decoded = path;
  for (let time = 0; time <= mostDecodings; time += 1) {
    const slashed = decoded.replaceAll('\\', '/');
    for (const each of [decoded, slashed, withoutParameters(slashed)]) {
      readings.add(each);
      readings.add(resolveSegments(each));
    }
    const next = decodeOnce(decoded);
    if (next === decoded) break;
    decoded = next;
  }
  return [...readings];
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

/** What is no UTF-8 is decoded byte by byte, as many servers do. */
function decodeOnce(path: string): string {
  return path.replaceAll(/(?:%[0-9a-f]{2})+/gi, (run) => {
    try {
      return decodeURIComponent(run);
    } catch {
      return Buffer.from(run.replaceAll('%', ''), 'hex').toString('latin1');
    }
  });
}
