// The used parts of a client's own description, from its registration or its document.
import { toPrintable } from '#kernel/printable';
import { errors } from 'oidc-provider';
import { authMethods } from './metadata.ts';

const mostRedirects = 10;
const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]']);
/** URL schemes of known programs that people connect. Any other scheme may start something on the person's computer. */
const knownSchemes = ['cursor', 'vscode', 'vscode-insiders', 'windsurf', 'zed', 'claude'];
/** A private scheme of a program as in RFC 8252 7.1: its maker's domain, in reverse. */
const reverseDomain = /^[a-z][a-z0-9-]*(?:\.[a-z0-9][a-z0-9-]*)+$/;
const grantTypes = ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'];

export type ClientMetadata = {
  client_id?: string;
  client_name?: string;
  client_uri?: string;
  redirect_uris: string[];
  application_type: 'native' | 'web';
  grant_types: string[];
  response_types: string[];
  token_endpoint_auth_method: (typeof authMethods)[number];
};

/**
 * The used parts of a description, in the form that this server needs. Whether it is a program on a computer follows
 * from its addresses, because most clients do not say. `moreSchemes`: those that the operator allows. Throws
 * `InvalidClientMetadata` or `InvalidRedirectUri`.
 */
export function buildClientMetadata(
  described: Record<string, unknown>,
  moreSchemes: readonly string[],
): ClientMetadata {
  const redirects = parseRedirects(described['redirect_uris'], moreSchemes);
  const given = described['client_name'];
  const name = typeof given === 'string' ? toPrintable(given) : '';
  const uri = described['client_uri'];
  const method = authMethods.find((each) => each === described['token_endpoint_auth_method']) ?? 'none';
  return {
    ...(name && { client_name: name }),
    ...(typeof uri === 'string' && URL.parse(uri)?.protocol === 'https:' && { client_uri: uri }),
    redirect_uris: redirects,
    application_type: redirects.some(isNative) ? 'native' : 'web',
    grant_types: [...grantTypes],
    response_types: ['code'],
    token_endpoint_auth_method: method,
  };
}

/** The host that codes are sent to; null: a program on the person's computer. */
export function getRedirectHost(uri: string): string | null {
  return isNative(uri) ? null : new URL(uri).host;
}

/** Whether any program on the person's computer could listen at this address. */
function isNative(uri: string): boolean {
  const url = URL.parse(uri);
  if (!url) return false;
  return url.protocol === 'http:' ? loopbackHosts.has(url.hostname) : url.protocol !== 'https:';
}

function parseRedirects(given: unknown, moreSchemes: readonly string[]): string[] {
  if (!Array.isArray(given) || !given.length)
    throw new errors.InvalidRedirectUri('redirect_uris must have at least one address');
  if (given.length > mostRedirects)
    throw new errors.InvalidRedirectUri(`redirect_uris may have at most ${mostRedirects} addresses`);
  return given.flatMap((uri) => {
    if (typeof uri !== 'string' || uri.length > 1_000)
      throw new errors.InvalidRedirectUri('redirect_uris must be addresses');
    checkRedirect(uri, moreSchemes);
    return withoutState(uri);
  });
}

/**
 * The addresses that a client registers. Continue registers its callback on this computer with the `state` of one
 * request, and later uses it without the state and without the trailing slash.
 */
function withoutState(uri: string): string[] {
  const url = new URL(uri);
  if (!loopbackHosts.has(url.hostname) || !url.searchParams.has('state')) return [uri];
  url.searchParams.delete('state');
  return [url.href, ...(url.href === `${url.origin}/` ? [url.origin] : [])];
}

function checkRedirect(uri: string, moreSchemes: readonly string[]): void {
  const url = URL.parse(uri);
  if (!url) throw new errors.InvalidRedirectUri('redirect_uris must be addresses');
  const scheme = url.protocol.slice(0, -1);
  const isKnown = ['http', 'https', ...knownSchemes, ...moreSchemes].includes(scheme) || reverseDomain.test(scheme);
  if (!isKnown)
    throw new errors.InvalidRedirectUri(
      `redirect_uris must not use ${scheme}. Use https, an address of this computer or a scheme such as com.example.app`,
    );
  if (url.hash || url.username || url.password)
    throw new errors.InvalidRedirectUri('redirect_uris must have no fragment and no user name');
  if (url.protocol === 'http:' && !loopbackHosts.has(url.hostname))
    throw new errors.InvalidRedirectUri('redirect_uris must use https, except on this computer');
}
