// The networks of a client: the owner of a large IPv6 network has almost unlimited addresses.

/** A network, and how many times one client's share it gets: several people may use it. */
export type ClientNetwork = { network: string; shares: number };

const wider = [
  { bits: 56, shares: 4 },
  { bits: 48, shares: 16 },
];

/**
 * The networks that a client's requests count for. `client` is an IPv4 address, or an IPv6 network of 64 bits as
 * `getClientAddress` returns it. Access and hosting providers assign networks of 56 and 48 bits, so these count, too.
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
