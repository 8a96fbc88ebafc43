// Exceptions to "https to public addresses only": exact origins that the operator listed.
import { isIP } from 'node:net';

const exceptionForm = /^https?:\/\/[^/?#@\\%\s]+$/i;
const nameForm = /^[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*$/;

/**
 * Parses the operator's list, each entry `scheme://host:port`, into origins.
 * Throws an Error naming the first entry that is anything else, so that a typing error stops the start.
 */
export function parseExceptions(entries: readonly string[]): ReadonlySet<string> {
  return new Set(entries.map(parseException));
}

function parseException(entry: string): string {
  const url = exceptionForm.test(entry) && URL.canParse(entry) ? new URL(entry) : undefined;
  if (!url || !isHost(url.hostname)) {
    throw new Error(
      `THALAMUS_EGRESS_ALLOW: "${entry}" is not of the form scheme://host:port, for example http://127.0.0.1:11434.`,
    );
  }
  return url.origin;
}

/** Whether one of the operator's base URLs for this call has exactly this origin. Their paths do not matter. */
export function hasOrigin(baseUrls: readonly string[], origin: string): boolean {
  return baseUrls.some((baseUrl) => URL.parse(baseUrl)?.origin === origin);
}

/** Whether `hostname`, as `new URL` returns it, is an IP address or a DNS name without empty or invalid labels. */
export function isHost(hostname: string): boolean {
  return isIP(toBareHost(hostname)) !== 0 || (hostname.length <= 253 && nameForm.test(hostname));
}

/** The host in the form for a resolver or a socket: IPv6 without its brackets. */
export function toBareHost(hostname: string): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}
