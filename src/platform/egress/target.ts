// Parses a URL from outside, and decides which pool, if any, may reach it.
import { isIP } from 'node:net';
import { findAddressRefusal } from './public-ip.ts';
import { Failure } from './egress-error.ts';
import { normalizePath } from './canonical-url.ts';
import { toBareHost, hasOrigin, isHost } from './exceptions.ts';

/** The addresses that one call may reach: the operator's exceptions, those of this call, and its domain lock. */
export type TargetRules = {
  exceptions: ReadonlySet<string>;
  baseUrls?: readonly string[] | undefined;
  domain?: string | undefined;
  /** The host names that may be reached; absent: any. */
  hosts?: readonly string[] | undefined;
  readsOnly?: boolean;
  /** With `readsOnly`: the one address, canonical, at which a POST reads. */
  readByPost?: string | undefined;
};

/**
 * `guarded` connects to public addresses only. `excepted` connects to any address of an excepted origin. The two never
 * share sockets, so an exception for one call allows nothing for another.
 */
export type Route = 'guarded' | 'excepted';

// oxlint-disable-next-line no-control-regex -- URL parsing drops some of these silently, so they must be seen before it
const controlCharacters = /[\u0000-\u001f\u007f]/;
const authorityForm = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i;

/**
 * Parses an absolute http or https URL strictly: no control characters, no user name, nothing to decode in the host.
 * The result is canonical (RFC 3986 section 6.2.2): no trailing dot in the host, no needless escapes in the path.
 * Throws a Failure.
 */
export function parseTarget(raw: string): URL {
  if (controlCharacters.test(raw)) throw new Failure('blocked', 'The URL contains a control character.');
  const authority = authorityForm.exec(raw)?.[1];
  if (authority === undefined) throw new Failure('blocked', 'The URL is not absolute. Give it as https://host/path.');
  if (authority.includes('@'))
    throw new Failure('blocked', 'The URL has a user name in it. Send credentials in a header.');
  if (/[\\%]/.test(authority)) throw new Failure('blocked', 'The host in the URL contains "\\" or "%".');
  const url = URL.parse(raw);
  if (!url) throw new Failure('blocked', 'The URL cannot be read. Check its host and port.');
  if (!/^https?:$/.test(url.protocol)) throw new Failure('blocked', 'Only https URLs are allowed.');
  url.hash = '';
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.slice(0, -1);
  if (!isHost(url.hostname)) throw new Failure('blocked', 'The URL has no valid host name.');
  url.pathname = normalizePath(url.pathname);
  return url;
}

/** The URL that a `Location` header leads to, parsed as strictly as the first one. Throws a Failure. */
export function parseLocation(location: string, base: URL): URL {
  if (controlCharacters.test(location)) throw new Failure('blocked', 'The redirect contains a control character.');
  if (!URL.canParse(location, base.href))
    throw new Failure('blocked', 'The redirect has a location that cannot be read.');
  return parseTarget(new URL(location, base).href);
}

/**
 * The route for `url`, from parseTarget. Names are looked up later, when a socket is opened, and every address is
 * checked there. Throws a Failure.
 */
export function chooseRoute(url: URL, rules: TargetRules): Route {
  if (rules.domain !== undefined) checkDomain(url.hostname, rules.domain);
  if (rules.hosts && !rules.hosts.includes(url.hostname))
    throw new Failure('blocked', `The host ${url.hostname} is not among the allowed hosts: ${rules.hosts.join(', ')}.`);
  if (rules.exceptions.has(url.origin) || (rules.baseUrls && hasOrigin(rules.baseUrls, url.origin))) return 'excepted';
  if (url.protocol !== 'https:') {
    const message = `Only https URLs are allowed. The operator can allow it with THALAMUS_EGRESS_ALLOW=${url.origin}`;
    throw new Failure('blocked', message);
  }
  const host = toBareHost(url.hostname);
  if (isIP(host) !== 0) checkAddress(host, host);
  else if (!host.includes('.')) throw new Failure('blocked', `"${host}" is not a public host name.`);
  return 'guarded';
}

/** Throws a Failure unless `address`, an address of `host`, is public. */
export function checkAddress(address: string, host: string): void {
  const refusal = findAddressRefusal(address);
  if (refusal === undefined) return;
  // The address behind a name is not revealed: it would let a caller map the network behind this server.
  const what = address === host ? `The address ${address} is ${refusal}` : `An address of ${host} is ${refusal}`;
  throw new Failure('blocked', `${what}. Only public addresses are allowed, and those in THALAMUS_EGRESS_ALLOW.`);
}

function checkDomain(hostname: string, domain: string): void {
  const url = URL.canParse(`https://${domain}`) ? new URL(`https://${domain}`) : undefined;
  const lock = url?.hostname.replace(/\.$/, '') ?? '';
  // Anything besides the name, such as a path, would appear in the href.
  if (!isHost(lock) || url?.href !== `https://${url?.hostname}/`) {
    throw new Failure('blocked', `Requests cannot be limited to "${domain}": it is not a domain.`);
  }
  if (hostname !== lock && !hostname.endsWith(`.${lock}`)) {
    throw new Failure('blocked', `The host ${hostname} is neither ${lock} nor one of its subdomains.`);
  }
}
