import { getConnInfo } from '@hono/node-server/conninfo';
import type { Context } from 'hono';
import ipaddr from 'ipaddr.js';

const proxyHeaders = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via'];

/**
 * Whose share of the work before sign-in a request takes: the client's address, for IPv6 its network of 64 bits. A proxy is
 * believed only on this machine or in a private network, and only about the client that it saw itself.
 */
export function clientAddress(c: Context): string {
  const peer = peerOf(c);
  const forwarded = c.req.header('x-forwarded-for')?.split(',').at(-1)?.trim();
  const address = forwarded && !isPublic(peer) ? (networkOf(forwarded) ?? peer) : peer;
  return networkOf(address) ?? address;
}

/** Whether the client is a program on this machine without a proxy in between. */
export function isOnThisMachine(c: Context): boolean {
  if (proxyHeaders.some((name) => c.req.header(name) !== undefined)) return false;
  return addressIn(peerOf(c))?.range() === 'loopback';
}

/** Empty where there is no connection, as in a test without a port. */
function peerOf(c: Context): string {
  const { incoming } = (c.env ?? {}) as { incoming?: unknown }; // `serve` sets it
  return incoming ? (getConnInfo(c).remote.address ?? '') : '';
}

function addressIn(text: string) {
  try {
    const address = ipaddr.parse(text);
    return address.kind() === 'ipv6' && (address as ipaddr.IPv6).isIPv4MappedAddress()
      ? (address as ipaddr.IPv6).toIPv4Address()
      : address;
  } catch {
    return null;
  }
}

function isPublic(text: string): boolean {
  return addressIn(text)?.range() === 'unicast';
}

function networkOf(text: string): string | null {
  const address = addressIn(text);
  if (!address) return null;
  return address.kind() === 'ipv4'
    ? address.toString()
    : `${(address as ipaddr.IPv6).parts
        .slice(0, 4)
        .map((part) => part.toString(16))
        .join(':')}::/64`;
}
