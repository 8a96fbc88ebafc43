// Names with which a request can make a server use another method or address than the checked ones.
import { readForm } from '#platform/forms';
import { Failure } from './egress-error.ts';

/** Headers and parameters, without punctuation and without `x`. */
const methodNames = new Set([
  'httpmethodoverride',
  'httpmethod',
  'methodoverride',
  'method',
  'httpverb',
  'httpverboverride',
]);
/** Parameters that frameworks read: Rails, Laravel and Symfony `_method`, Salesforce `_HttpMethod`. */
const hiddenNames = new Set(['_method', '_httpmethod', '_http_method']);
/** Headers that proxies set, and servers trust. */
const proxyMethods = new Set(['x-forwarded-method', 'x-original-method', 'x-request-method']);
const addresses =
  /^(?:x-)?(?:original|original-request|rewrite|rewritten|override|forwarded|envoy-original|proxy|request)-(?:url|uri|path|prefix|host|server)$/;
const otherAddresses = new Set([
  'forwarded',
  'x-host',
  'x-host-override',
  'x-http-host-override',
  'x-http-destinationurl',
]);

/** More fields than any request has. */
const mostFields = 100_000;

/**
 * Whether a header, query parameter or field overrides the method. Servers treat `_` and `-` alike, and PHP reads `a[]`
 * as `a`, and `.method`, ` method` and `[method` as `_method`.
 */
export function isMethodOverride(name: string): boolean {
  const [ended = ''] = name.toLowerCase().split('\0');
  const [written = ''] = ended.trimStart().replace(/^[[.]/, '_').split('[');
  const plain = written.trim().replaceAll(/[. -]/g, '_');
  if (hiddenNames.has(plain)) return true;
  const isMarked = plain.startsWith('x_') || plain.endsWith('_override');
  return isMarked && methodNames.has(plain.replace(/^x_/, '').replaceAll('_', ''));
}

/**
 * Whether a header overrides the method, the address or the host. IIS, Symfony, Zend and proxies obey some of these.
 */
export function isOverridingHeader(name: string): boolean {
  const plain = name.trim().toLowerCase().replaceAll('_', '-');
  return isMethodOverride(name) || proxyMethods.has(plain) || otherAddresses.has(plain) || addresses.test(plain);
}

/** The names of a query or a form, decoded. Old servers also separate fields at `;`. */
export function listFieldNames(text: string): string[] {
  const split = text.includes(';') ? [text, text.replaceAll(';', '&')] : [text];
  return [...new Set(split.flatMap((each) => readForm(each, mostFields).fields.map(([name]) => name)))];
}

/** Throws a Failure for an address with a parameter that overrides the method. */
export function checkOwnMethod(url: URL): void {
  const other = listFieldNames(url.search.slice(1)).find(isMethodOverride);
  if (other === undefined) return;
  const message = `${other.slice(0, 40)} in the address asks for another method than the request has. Nothing was sent. Send the request with that method.`;
  throw new Failure('invalid_request', message);
}
