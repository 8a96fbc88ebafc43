// How an access is handed to a provider's API. The value is a secret: it goes into a request and nowhere else.
import { bearer, type Placement, type Provider } from '#kernel/provider';

/** What was set for a connection beside its secret. */
export type ConnectionSettings = {
  url?: string;
  /** For services that leave it open: which header carries the key, and what stands before it. */
  header?: { name: string; value: string };
};

/** A secret and where it goes: into headers, into the query, or, for `path` and `url`, where the caller puts it. */
export type Credential = {
  value: string;
  headers: Readonly<Record<string, string>>;
  query: Readonly<Record<string, string>>;
  place: Placement['in'];
};

/** An access as the provider's API wants it. */
export function credentialOf(access: {
  provider: Provider;
  kind: 'oauth' | 'token';
  settings: ConnectionSettings;
  token: string;
}): Credential {
  const { provider, kind, settings, token } = access;
  const placement = placementOf(provider, kind, settings);
  const none = { value: token, headers: {}, query: {}, place: placement.in };
  if (!token) return { ...none, place: 'nowhere' };
  if (placement.in === 'header') {
    return { ...none, headers: { [placement.name]: placement.value.replaceAll('{token}', () => token) } };
  }
  return placement.in === 'query' ? { ...none, query: { [placement.name]: token } } : none;
}

function placementOf({ placement }: Provider, kind: 'oauth' | 'token', { header }: ConnectionSettings): Placement {
  if (kind === 'token' && header) return { in: 'header', ...header };
  return placement[kind] ?? bearer;
}
