// Opens sockets: a name is looked up once, every address is checked, and only checked addresses are connected to.
import { type LookupFunction, isIP } from 'node:net';
import { callbackify } from 'node:util';
import { Agent, buildConnector } from 'undici';
import { Failure } from './egress-error.ts';
import type { Resolver, Resolvers } from './resolve-names.ts';
import { type Route, checkAddress } from './target.ts';

/** One pool of sockets for each route. */
export type Pools = Record<Route, Agent>;

/**
 * Opens the pools. HTTP/1.1 only: the library may repeat a request on an HTTP/2 session, and this server must know
 * whether a write was sent. Proxies from the environment are not used.
 */
export function openPools({ byNetwork, bySystem }: Resolvers): Pools {
  return {
    guarded: openPool(createGuardedConnector(byNetwork)),
    excepted: openPool(createExceptedConnector(bySystem)),
  };
}

function openPool(connect: buildConnector.connector): Agent {
  return new Agent({ connect, connections: 128, pipelining: 1, allowH2: false, headersTimeout: 0, bodyTimeout: 0 });
}

function createGuardedConnector(resolve: Resolver): buildConnector.connector {
  const connect = createPlainConnector(async (hostname) => resolveChecked(hostname, resolve));
  return function connectGuarded(options, callback) {
    // Node does not call `lookup` for a literal address, so literals are checked here.
    if (isIP(options.hostname) !== 0) {
      try {
        checkAddress(options.hostname, options.hostname);
      } catch (error) {
        callback(error as Failure, null); // checkAddress throws nothing else
        return;
      }
    }
    connect(options, callback);
  };
}

function createExceptedConnector(resolve: Resolver): buildConnector.connector {
  return createPlainConnector(async (hostname) => resolveSome(hostname, resolve));
}

/** Every address of `hostname`, all of them public. Throws a Failure. */
export async function resolveChecked(hostname: string, resolve: Resolver): Promise<readonly string[]> {
  const addresses = await resolveSome(hostname, resolve);
  for (const address of addresses) checkAddress(address, hostname);
  return addresses;
}

async function resolveSome(hostname: string, resolve: Resolver): Promise<readonly string[]> {
  let addresses: readonly string[];
  try {
    addresses = await resolve(hostname);
  } catch (cause) {
    throw new Failure('network', `The host name ${hostname} could not be looked up.`, { cause });
  }
  if (addresses.length === 0) throw new Failure('network', `The host name ${hostname} has no address.`);
  return addresses;
}

function createPlainConnector(resolve: Resolver): buildConnector.connector {
  const resolveWithCallback = callbackify(resolve);
  // The socket keeps the name for SNI and certificate, and connects only to the given addresses.
  const lookup: LookupFunction = (hostname, options, callback) => {
    resolveWithCallback(hostname, (error, addresses) => {
      const [first, ...others] = (addresses ?? []).map((address) => ({ address, family: isIP(address) }));
      if (error || !first) callback(error, '');
      else if (options.all) callback(null, [first, ...others]);
      else callback(null, first.address, first.family);
    });
  };
  return buildConnector({ allowH2: false, rejectUnauthorized: true, timeout: 10_000, lookup });
}
