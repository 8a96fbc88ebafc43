// Which host names belong to the same owner, by the public suffix list including its private part (github.io,
// herokuapp.com).
import { parse } from 'tldts';

/** Suffixes of the list whose names all belong to one company: the list contains them because of cookies. */
const ofOneHolder = new Set(['googleapis.com']);

/** Whether anybody can register a name below this one: `com`, `co.uk`, `github.io`. */
export function isPublicSuffix(name: string): boolean {
  const { publicSuffix, isIcann, isPrivate } = parse(name, { allowPrivateDomains: true });
  return publicSuffix === name && Boolean(isIcann || isPrivate) && !ofOneHolder.has(name);
}

/**
 * The part of a host that one owner registered, such as `example.co.uk`; for an IP address or local name, all of it.
 */
export function findRegistrableDomain(host: string): string {
  return parse(host, { allowPrivateDomains: true }).domain ?? host;
}
