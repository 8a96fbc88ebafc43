// Looks up host names without a thread for each: a name server that never answers must not delay other names.
import { Resolver as Dns, lookup as systemLookup } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import PQueue from 'p-queue';

/** Returns every address of a host name; an empty list or a rejection means that the request is refused. */
export type Resolver = (hostname: string) => Promise<readonly string[]>;

/**
 * The look-up for public names, and the one for names that only the operating system knows: local networks, containers,
 * search domains.
 */
export type Resolvers = { byNetwork: Resolver; bySystem: Resolver };

type Options = {
  /** Name servers to use instead of the operating system's, as `address:port`. */
  servers?: readonly string[];
  hostsFile?: string;
  timeoutMs?: number;
};

const longestMs = 3_000;
/** How long addresses of the other family are awaited after those of one family have arrived (RFC 8305, section 3). */
const otherFamilyMs = 100;
/** The operating system's look-up occupies one of four threads, which files and secrets need, too. */
const systemAtOnce = 2;
const hostsFileOfSystem =
  process.platform === 'win32' ? String.raw`C:\Windows\System32\drivers\etc\hosts` : '/etc/hosts';

/** Both share one look-up among all callers for a name, and stop after 3 s. */
export function createResolvers({ servers, hostsFile = hostsFileOfSystem, timeoutMs = longestMs }: Options = {}) {
  const systemLookups = new PQueue({ concurrency: systemAtOnce });
  const bySystem = shareLookups((hostname) => {
    const answer = systemLookups.add(async () =>
      (await systemLookup(hostname, { all: true })).map(({ address }) => address),
    );
    return withTimeLimit(answer, timeoutMs);
  });
  const byNetwork = shareLookups(async (hostname) => {
    const written = findHostsFileAddresses(await readFile(hostsFile, 'utf8').catch(() => ''), hostname);
    return written.length ? written : askServers(hostname, { servers, timeoutMs });
  });
  return { byNetwork, bySystem } satisfies Resolvers;
}

/** A new resolver for each look-up: it uses the system's current servers, and can be cancelled as a whole. */
async function askServers(
  hostname: string,
  { servers, timeoutMs }: { servers: readonly string[] | undefined; timeoutMs: number },
): Promise<string[]> {
  const dns = new Dns({ timeout: Math.ceil(timeoutMs / 3), tries: 2 });
  if (servers) dns.setServers(servers);
  const answers: string[][] = [[], []];
  const ask = async (at: number, asked: Promise<string[]>) => void (answers[at] = await asked);
  const families = [ask(0, dns.resolve4(hostname)), ask(1, dns.resolve6(hostname))];
  try {
    const all = Promise.allSettled(families);
    const first = Promise.any(families).then(() => Promise.race([all, pause(otherFamilyMs)]));
    await withTimeLimit(first, timeoutMs);
    return answers.flat();
  } finally {
    dns.cancel();
  }
}

/**
 * The addresses of a name in the hosts file. Every machine knows `localhost`, also without such a file (RFC 6761,
 * section 6.3).
 */
function findHostsFileAddresses(hosts: string, hostname: string): string[] {
  const wanted = hostname.toLowerCase();
  const found = hosts.split('\n').flatMap((line) => {
    const [address = '', ...names] = (line.split('#')[0] ?? '').trim().split(/\s+/);
    return isIP(address) && names.some((name) => name.toLowerCase() === wanted) ? [address] : [];
  });
  return found.length === 0 && wanted === 'localhost' ? ['127.0.0.1', '::1'] : found;
}

/** All callers for a name share a running look-up. */
function shareLookups(resolve: Resolver): Resolver {
  const running = new Map<string, Promise<readonly string[]>>();
  return (hostname) => {
    const known = running.get(hostname);
    if (known) return known;
    const asked = resolve(hostname).finally(() => running.delete(hostname));
    running.set(hostname, asked);
    return asked;
  };
}

function pause(ms: number): Promise<unknown> {
  return sleep(ms, undefined, { ref: false });
}

async function withTimeLimit<T>(work: Promise<T>, ms: number): Promise<T> {
  const ended = new AbortController();
  try {
    const late = sleep(ms, undefined, { signal: ended.signal }).then(() => {
      throw new Error(`The name server did not answer in ${ms} ms.`);
    });
    return await Promise.race([work, late]);
  } finally {
    ended.abort();
  }
}
