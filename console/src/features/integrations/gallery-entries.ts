// The entries of the gallery: sources, and providers without a source.
import type { ShownAccount } from '../connections/accounts-card.tsx';
import type { Connection, ProviderConfig } from '../connections/requests.ts';
import type { Integration } from './requests.ts';

/** One entry: a source with its provider, or only a provider. */
export type GalleryEntry = {
  name: string;
  label: string;
  description: string;
  /** Null: there is no OAuth. */
  oauthProvider: string | null;
  isConfigured: boolean;
  accounts: ShownAccount[];
  integration: Integration | null;
  config: ProviderConfig | null;
};

/** Every source, and every provider without one. */
export function listGalleryEntries(
  integrations: readonly Integration[],
  configs: readonly ProviderConfig[],
  connections: readonly Connection[],
): GalleryEntry[] {
  const covered = new Set(integrations.flatMap(({ name, oauth_provider }) => [name, oauth_provider]));
  const alone = configs.filter(({ provider }) => !covered.has(provider));
  return [
    ...integrations.map((integration) => toSourceEntry(integration, configs, connections)),
    ...alone.map((config) => toProviderEntry(config, connections)),
  ];
}

function toSourceEntry(
  integration: Integration,
  configs: readonly ProviderConfig[],
  connections: readonly Connection[],
): GalleryEntry {
  const { name, label, description, oauth_provider: oauthProvider, is_configured: isConfigured } = integration;
  const accounts = integration.accounts.flatMap(({ connection_id, status, status_reason, ...given }) => {
    const connection = connections.find((each) => each.connection_id === connection_id);
    const lacking = status === 'missing_permission' ? status_reason : null;
    const canAct = status === 'active' && integration.supports.act;
    const readsOnly = canAct && !given.may_act;
    const lacks = canAct ? given.lacks : [];
    return connection ? [{ connection, lacking, readsOnly, lacks }] : [];
  });
  const config = configs.find(({ provider }) => provider === (oauthProvider ?? name)) ?? null;
  const others = oauthProvider === null ? listUnusableAccounts(name, integration, connections) : [];
  const isReady = isConfigured && oauthProvider !== null;
  const all = [...accounts, ...others];
  return { name, label, description, oauthProvider, isConfigured: isReady, accounts: all, integration, config };
}

/** Accounts of a provider that cannot be used for a source. They are shown so that people can unlink them. */
function listUnusableAccounts(
  name: string,
  { accounts }: Integration,
  connections: readonly Connection[],
): ShownAccount[] {
  const served = new Set(accounts.map(({ connection_id }) => connection_id));
  const lacking = 'This account lacks the permission to read here.';
  return connections
    .filter(({ provider, connection_id }) => provider === name && !served.has(connection_id))
    .map((connection) => ({ connection, lacking, readsOnly: false, lacks: [] }));
}

function toProviderEntry(config: ProviderConfig, connections: readonly Connection[]): GalleryEntry {
  const { provider: name, label, oauth, token } = config;
  const own = connections.filter(({ provider }) => provider === name);
  return {
    name,
    label,
    description: oauth
      ? `Connect an account of ${label}${token ? ', or paste a token' : ''}.`
      : `Connected with a ${getTokenNoun(token)}.`,
    oauthProvider: oauth ? name : null,
    isConfigured: oauth?.is_configured ?? false,
    accounts: own.map((connection) => ({ connection, lacking: null, readsOnly: false, lacks: [] })),
    integration: null,
    config,
  };
}

/** What a token is called, inside a sentence. */
function getTokenNoun(token: ProviderConfig['token']): string {
  return token ? token.label.charAt(0).toLowerCase() + token.label.slice(1) : 'token';
}

/** An account that works, of those an entry has. */
export function findWorkingConnection({ accounts }: GalleryEntry): Connection | undefined {
  return accounts.find(({ connection, lacking }) => connection.status === 'active' && !lacking)?.connection;
}
