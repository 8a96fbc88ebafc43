// How a credential is sent to a provider's API. The value is secret and goes only into requests.
import { bearer, type Placement, type Provider } from '#kernel/provider';
import type { Credential } from '#kernel/provider-access';

/** Settings of a connection beside its secret. */
export type ConnectionSettings = {
  url?: string;
  /** For services without a fixed rule: the header of the key, and its prefix. */
  header?: { name: string; value: string };
};

/** The credential in the form of the provider's API. */
export function buildCredential(access: {
  provider: Provider;
  kind: 'oauth' | 'token';
  settings: ConnectionSettings;
  token: string;
}): Credential {
  const { provider, kind, settings, token } = access;
  const placement = getPlacement(provider, kind, settings);
  const none = { value: token, headers: {}, query: {}, place: placement.in };
  if (!token) return { ...none, place: 'nowhere' };
  if (placement.in === 'header') {
    return { ...none, headers: { [placement.name]: placement.value.replaceAll('{token}', () => token) } };
  }
  return placement.in === 'query' ? { ...none, query: { [placement.name]: token } } : none;
}

function getPlacement({ placement }: Provider, kind: 'oauth' | 'token', { header }: ConnectionSettings): Placement {
  if (kind === 'token' && header) return { in: 'header', ...header };
  return placement[kind] ?? bearer;
}
