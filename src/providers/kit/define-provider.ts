import type { Action } from '#kernel/action';
import type { Provider } from '#kernel/provider';
import type { ConfigurableProvider } from '#platform/config';
import type { Source } from '#providers/reading';
import type { Adapter } from './adapter.ts';

/** A provider: its accounts, its sources and its actions. */
export type ProviderParts = {
  /** How its accounts are linked; null: none are, and people only consent there with an OAuth client of their own. */
  account: Provider | null;
  sources: readonly Source[];
  actions: readonly Action[];
  /** What boards can read there, by sources of the same names. */
  adapters?: readonly Adapter[];
  /** How the provider appears among the integrations, when it has no source. */
  listed?: ListedSource;
  /** How people get tokens there with an OAuth client of their own; absent: by the addresses that they enter. */
  ownClient?: OwnClientProvider;
  /** What the guides say of it. `npm run catalogue` writes it there. */
  guide?: readonly GuideEntry[];
};

/**
 * A service in the tables of docs/guide, in Markdown: how accounts are linked, what becomes pages, what can be done there, and what
 * `target` of a rule says.
 */
export type GuideEntry = { source: string; linkedBy: string; pages: string; acts?: string; targets?: string };

/** The facts that the list of integrations shows. `icon`: the name of an icon of Lucide, such as `Mail`. */
export type ListedSource = Pick<
  Source,
  'name' | 'label' | 'description' | 'provider' | 'scopes' | 'linkedBy' | 'supports' | 'icon'
>;

/**
 * An OAuth provider that bundles and the playground know, as data: its addresses, the parameters for a lasting grant, and
 * its scopes in plain words.
 */
export type OwnClientProvider = {
  name: string;
  label: string;
  authorizeUrl: string;
  tokenUrl: string;
  authorizeWith: Readonly<Record<string, string>>;
  /** Where its access tokens are used. */
  apiHosts: readonly string[];
  /** A pattern of its scopes, by which the provider is recognised. */
  scopeForm: RegExp;
  scopes: readonly { id: string; about: string }[];
  /** Common problems. */
  note: string;
};

/** Declares a provider. A source can be acted on when there is an action for it, and linked to boards by an adapter. */
export function defineProvider({ sources, ...parts }: ProviderParts): ProviderParts {
  const canAct = (name: string) => parts.actions.some(({ source }) => source === name);
  const hasAdapter = (name: string) => parts.adapters?.some(({ kind }) => kind === name) ?? false;
  return {
    ...parts,
    sources: sources.map((source) => ({
      ...source,
      supports: { ...source.supports, act: canAct(source.name), adapter: hasAdapter(source.name) },
    })),
  };
}

/** What the operator can set for a provider: an address instead of its hosts, and an OAuth client where it has consents. */
export function listConfigurable({ account, ownClient }: ProviderParts): ConfigurableProvider[] {
  if (account) {
    const { name, label, identity, oauth } = account;
    return [{ name, label, hasHosts: identity !== null, hasClient: oauth !== null }];
  }
  return ownClient ? [{ name: ownClient.name, label: ownClient.label, hasHosts: true, hasClient: false }] : [];
}
