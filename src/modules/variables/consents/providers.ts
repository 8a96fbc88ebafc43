// The OAuth providers that bundles and the playground know; other providers are given by their addresses.
import { ownClientProviders } from '#providers';
import type { OwnClientProvider } from '#providers/kit';
import type { Config } from '#platform/config';

/** Their names, for messages: `google or hubspot`. */
export const ownClientNames: string = ownClientProviders.map(({ name }) => name).join(' or ');

/** The provider of this name, or the one all these scopes belong to. */
export function findProvider(name: string | undefined, scopes: readonly string[] = []): OwnClientProvider | undefined {
  if (name) return ownClientProviders.find((provider) => provider.name === name.toLowerCase());
  return ownClientProviders.find(
    ({ scopeForm }) => scopes.length > 0 && scopes.every((scope) => scopeForm.test(scope)),
  );
}

/** The addresses that the operator set instead of providers' hosts, by the names of the providers. */
export function getBaseUrls({ providers }: Pick<Config, 'providers'>): Readonly<Record<string, string | null>> {
  return Object.fromEntries(Object.entries(providers).map(([name, { baseUrl }]) => [name, baseUrl]));
}
