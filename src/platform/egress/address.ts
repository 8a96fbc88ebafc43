// Decides whether an IP address is a public one that requests from outside may be sent to.
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** All of IPv6 that IANA has opened for global unicast; addresses outside are translation, local or unassigned. */
const globalUnicast = ipaddr.IPv6.parse('2000::');

/** Answers on every Azure machine and is no internet host, though its range is public. */
const azurePlatform = '168.63.129.16';

/**
 * Why `address` may not be connected to, or undefined when it is a public unicast address.
 * Refused as a whole is every form that carries an IPv4 address inside an IPv6 one (mapped, compatible, NAT64, 6to4,
 * Teredo, ISATAP): what it leads to depends on the network, not on the text.
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
