// Replacements for known providers that the operator set: secrets for the provider may be sent there, too.
import { trimLetters } from '#kernel/trim-end';
import type { Handle } from '#platform/egress';
import { ownClientProviders } from '#providers';
import type { OwnClientProvider } from '#providers/kit';

export type BaseUrls = Readonly<Record<string, string | null>>;

/**
 * The base URL that the operator set for the provider of an address, when a secret in the request belongs there; null:
 * the address is used as it is.
 */
export function findStandInUrl(url: string, handles: readonly Handle[], baseUrls: BaseUrls): string | null {
  const { host } = new URL(url);
  const provider = findProviderAtHost(host);
  const baseUrl = provider && baseUrls[provider.name];
  if (!baseUrl) return null;
  const { host: there } = new URL(baseUrl);
  return handles.some(({ hosts }) => hosts.includes(there)) ? baseUrl : null;
}

/** The address that is requested: at the replacement, if there is one. */
export function toStandInAddress(url: string, standIn: string | null): string {
  if (standIn === null) return url;
  const { pathname, search } = new URL(url);
  return `${trimLetters(standIn, '/')}${pathname}${search}`;
}

/**
 * The inverse of `toStandInAddress`: the original address of a call to this address. Any other address is its own
 * original.
 */
export function toAskedAddress(reached: URL, url: string, standIn: string | null): URL {
  if (standIn === null || reached.origin !== new URL(standIn).origin) return reached;
  const base = trimLetters(new URL(standIn).pathname, '/');
  const path = reached.pathname.startsWith(`${base}/`) ? reached.pathname.slice(base.length) : reached.pathname;
  return new URL(`${new URL(url).origin}${path}${reached.search}`);
}

/** Where the access tokens of an endpoint are used. */
export function listApiHosts(tokenUrl: string): readonly string[] {
  return ownClientProviders.find((provider) => provider.tokenUrl === tokenUrl)?.apiHosts ?? [];
}

/** The known provider with its token endpoint or API at a host. */
export function findProviderAtHost(host: string): OwnClientProvider | undefined {
  return ownClientProviders.find(
    ({ tokenUrl, apiHosts }) => new URL(tokenUrl).host === host || apiHosts.some((each) => isUnder(host, each)),
  );
}

function isUnder(host: string, rule: string): boolean {
  return rule.startsWith('*.') ? host.endsWith(rule.slice(1)) : host === rule;
}
