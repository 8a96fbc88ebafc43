import { z } from 'zod';

/**
 * An address in an answer. JSON Schema's format `uri` (RFC 3986) allows fewer characters than browsers accept, so the
 * others are percent-encoded: the answer matches its published schema, and the address leads to the same page.
 */
export function uri() {
  return z.url().overwrite(toUri);
}

const uriSigns =
  /^[a-z][a-z0-9+.-]*:(?:[\w.~:/?@!$&'()*+,;=-]|%[0-9a-f]{2})*(?:#(?:[\w.~:/?@!$&'()*+,;=-]|%[0-9a-f]{2})*)?$/i;

function toUri(text: string): string {
  if (uriSigns.test(text) || !URL.canParse(text)) return text;
  const { protocol, username, password, host, pathname, search, hash } = new URL(text);
  const account = username && `${username}${password && `:${password}`}@`;
  const place = host ? `//${encodeSigns(account)}${encodeHost(host)}` : '';
  return `${protocol}${place}${encodeSigns(pathname + search)}${hash && `#${encodeSigns(hash.slice(1))}`}`;
}

/** An IPv6 address keeps its brackets. */
function encodeHost(host: string): string {
  return host.startsWith('[') ? host : encodeSigns(host);
}

function encodeSigns(part: string): string {
  return part.replaceAll(/%(?![0-9a-f]{2})|[^\w.~:/?@!$&'()*+,;=%-]/giu, encodeURIComponent);
}
