// The operator's stand-in for the web: it answers in place of every host that a recipe or a request by code names.
import { applyBaseUrl } from '#kernel/provider-access';
import { trimLetters } from '#kernel/trim-end';
import { hasOrigin } from './exceptions.ts';
import type { Hop } from './exchange.ts';
import { chooseRoute, type Route, type TargetRules } from './target.ts';

/** A request as it goes on the wire, after everything was checked at its real address. */
type WireRequest = { hop: Hop; route: Route };

/**
 * The request on the wire. With a stand-in it goes there, and `X-Forwarded-Host` has the real host. Base URLs of the call
 * take precedence. Throws a Failure for a real address that may not be reached.
 */
export function buildWireRequest(hop: Hop, rules: TargetRules, standIn: string | null): WireRequest {
  const route = chooseRoute(hop.url, rules);
  if (standIn === null || hop.url.origin === new URL(standIn).origin) return { hop, route };
  if (rules.baseUrls && hasOrigin(rules.baseUrls, hop.url.origin)) return { hop, route };
  const url = new URL(applyBaseUrl(hop.url.href, standIn));
  const headers = new Map([...hop.headers, ['x-forwarded-host', hop.url.host] as const]);
  return { hop: { ...hop, url, headers }, route: 'excepted' };
}

/** A `Location` at the stand-in, at the host that was asked. */
export function toRealLocation(location: string, { url }: Hop, standIn: string | null): string {
  const there = standIn === null ? null : URL.parse(location);
  if (!there || standIn === null || there.origin !== new URL(standIn).origin) return location;
  const base = trimLetters(new URL(standIn).pathname, '/');
  const path = there.pathname.startsWith(`${base}/`) ? there.pathname.slice(base.length) : there.pathname;
  return `${url.origin}${path}${there.search}`;
}
