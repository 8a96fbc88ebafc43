// Which names belong to one holder: by the public suffix list, its private part included (github.io, herokuapp.com).
import { parse } from 'tldts';

/** Suffixes of the list whose names all belong to one company: they are there for cookies. */
const ofOneHolder = new Set(['googleapis.com']);

/** Whether everybody can have a name below this one: `com`, `co.uk`, `github.io`. */
export function isPublicSuffix(name: string): boolean {
  const { publicSuffix, isIcann, isPrivate } = parse(name, { allowPrivateDomains: true });
  return publicSuffix === name && Boolean(isIcann || isPrivate) && !ofOneHolder.has(name);
}

/** The part of a host that one holder registered, such as `example.co.uk`; of an address or a local name all of it. */
export function findRegistrableDomain(host: string): string {
  return parse(host, { allowPrivateDomains: true }).domain ?? host;
}
