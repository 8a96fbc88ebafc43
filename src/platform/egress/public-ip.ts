// Decides whether an IP address is public, so that outgoing requests may reach it.
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * The whole range of IPv6 that IANA has opened for global unicast; other addresses are translation, local or unassigned
 * addresses.
 */
const globalUnicast = ipaddr.IPv6.parse('2000::');

/** An address in a public range that every Azure machine answers, and that is not an internet host. */
const azurePlatform = '168.63.129.16';

/**
 * Why `address` may not be connected to; undefined when it is a public unicast address. Every form that carries an IPv4
 * address inside an IPv6 one (mapped, compatible, NAT64, 6to4, Teredo, ISATAP) is refused: where it leads depends on
 * the network, not on the text.
 */
export function findAddressRefusal(address: string): string | undefined {
  if (isIP(address) === 0 || address.includes('%')) return 'not a plain IP address';
  const parsed = ipaddr.parse(address);
  const range = parsed.range();
  if (range !== 'unicast') return `in the ${range} range`;
  if (address === azurePlatform) return 'a cloud platform address';
  if (!(parsed instanceof ipaddr.IPv6)) return undefined;
  if (!parsed.match(globalUnicast, 3)) return 'outside IPv6 global unicast';
  if (isIsatap(parsed.parts)) return 'an ISATAP address';
  return undefined;
}

/** RFC 5214 section 6.1: the interface identifier is 0000:5efe or 0200:5efe, then the IPv4 address. */
function isIsatap(parts: readonly number[]): boolean {
  return (parts[4] === 0 || parts[4] === 0x0200) && parts[5] === 0x5efe;
}
