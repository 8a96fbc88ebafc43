import { getConnInfo } from '@hono/node-server/conninfo';
import type { Context, MiddlewareHandler } from 'hono';
import ipaddr from 'ipaddr.js';

const proxyHeaders = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via'];

/** The key under which the request keeps the configured proxies. */
const trusted = 'trustedProxies';

/** Makes `getClientAddress` trust these proxies: addresses, or ranges such as 10.0.0.0/8. */
export function setTrustedProxies(proxies: readonly string[]): MiddlewareHandler {
  return async (c, next) => {
    c.set(trusted, proxies);
    await next();
  };
}

/**
 * The client that a request's work before sign-in counts for: its address, or for IPv6 its network of 64 bits. A proxy
 * is trusted only if the settings name it, and only about its direct client.
 */
export function getClientAddress(c: Context): string {
  const peer = getPeerAddress(c);
  const proxies = (c.get(trusted) ?? []) as readonly string[]; // set by `setTrustedProxies`
  const forwarded = c.req.header('x-forwarded-for')?.split(',').at(-1)?.trim();
  const address =
    forwarded && proxies.some((proxy) => isInRange(peer, proxy)) ? (findClientNetwork(forwarded) ?? peer) : peer;
  return findClientNetwork(address) ?? address;
}

function isInRange(text: string, range: string): boolean {
  const address = parseAddress(text);
  if (!address) return false;
  const [base, bits] = ipaddr.parseCIDR(range.includes('/') ? range : `${range}/${range.includes(':') ? 128 : 32}`);
  return address.kind() === base.kind() && address.match(base, bits);
}

/** Whether the client is a program on this machine without a proxy in between. */
export function isOnThisMachine(c: Context): boolean {
  if (proxyHeaders.some((name) => c.req.header(name) !== undefined)) return false;
  return parseAddress(getPeerAddress(c))?.range() === 'loopback';
}

/** Empty when there is no connection, as in a test without a port. */
function getPeerAddress(c: Context): string {
  const { incoming } = (c.env ?? {}) as { incoming?: unknown }; // `serve` sets it
  return incoming ? (getConnInfo(c).remote.address ?? '') : '';
}

function parseAddress(text: string) {
  try {
    const address = ipaddr.parse(text);
    return address.kind() === 'ipv6' && (address as ipaddr.IPv6).isIPv4MappedAddress()
      ? (address as ipaddr.IPv6).toIPv4Address()
      : address;
  } catch {
    return null;
  }
}

function findClientNetwork(text: string): string | null {
  const address = parseAddress(text);
  if (!address) return null;
  return address.kind() === 'ipv4'
    ? address.toString()
    : `${(address as ipaddr.IPv6).parts
        .slice(0, 4)
        .map((part) => part.toString(16))
        .join(':')}::/64`;
}
