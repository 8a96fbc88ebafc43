// The networks of a client: the owner of a large IPv6 network has almost unlimited addresses.

/** A network, and how many times the share of one client it has: several people may be in it. */
export type ClientNetwork = { network: string; shares: number };

const wider = [
  { bits: 56, shares: 4 },
  { bits: 48, shares: 16 },
];

/**
 * The networks whose share a client uses. `client` is an IPv4 address, or an IPv6 network of 64 bits as `getClientAddress` gives it;
 * providers of access and of servers hand out 56 and 48 bits, so these count, too.
 */
export function listClientNetworks(client: string): ClientNetwork[] {
  const [, prefix] = /^([0-9a-f:]+)::\/64$/.exec(client) ?? [];
  const parts = prefix?.split(':').map((part) => Number.parseInt(part, 16)) ?? [];
  const own = { network: client, shares: 1 };
  if (parts.length !== 4) return [own];
  const [first = 0, second = 0, third = 0, fourth = 0] = parts;
  const formatBits = (bits: number) =>
    [first, second, third, ...(bits > 48 ? [fourth & 0xff00] : [])].map((part) => part.toString(16)).join(':');
  return [own, ...wider.map(({ bits, shares }) => ({ network: `${formatBits(bits)}::/${bits}`, shares }))];
}
