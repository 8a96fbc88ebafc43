// Egress that looks names up at a DNS server of the test, so that a public name can lead into a private network.
import { createEgress, type Egress } from '#platform/egress';
import { createResolvers } from '../../src/platform/egress/resolve-names.ts';
import { startDnsServer, type DnsServer } from './dns-server.ts';

export type EgressByNames = { egress: Egress; dns: DnsServer; close(): Promise<void> };

/** IPv4 addresses by name; null for a name that does not exist. `allow` are exceptions of the operator. */
export async function startEgressByNames(
  zone: Readonly<Record<string, string | null>>,
  allow: readonly string[] = [],
): Promise<EgressByNames> {
  const dns = await startDnsServer(zone);
  const { byNetwork } = createResolvers({ servers: [dns.address], hostsFile: '/dev/null', timeoutMs: 600 });
  const egress = createEgress({ allow, resolve: byNetwork });
  return { egress, dns, close: () => Promise.all([egress.close(), dns.close()]).then(() => {}) };
}
