// How a provider is reached in the name of a linked account: the functions that providers need from the module that
// links accounts.
import type { Placement, Provider } from './provider.ts';

/** A secret and where it goes: headers, query, or, for `path` and `url`, a place that the caller chooses. */
export type Credential = {
  value: string;
  headers: Readonly<Record<string, string>>;
  query: Readonly<Record<string, string>>;
  place: Placement['in'];
};

/** Gives valid access tokens, and refreshes them when they are about to expire. */
export type TokenSource = {
  /**
   * An access token that is valid for at least a minute. `renewedAfter` requests a newer token than one that the
   * provider has just rejected. Throws `unavailable` with the next step when the account must be linked again.
   */
  accessToken(workspaceId: string, connectionId: string, renewedAfter?: string): Promise<string>;
  /** Like `accessToken`, for OAuth accounts and pasted tokens, in the form that the provider's API expects. */
  credential(workspaceId: string, connectionId: string, renewedAfter?: string): Promise<Credential>;
};

/** The providers of this server, and the addresses that its operator set for them. */
export type ProviderDirectory = {
  /** Providers that every workspace has. */
  listed: readonly Provider[];
  /** The address that replaces a provider's own host; null: its own host. */
  findBaseUrl(provider: string): string | null;
};

/** Replaces a provider's host with the operator's base URL. The path stays. */
export function applyBaseUrl(url: string, baseUrl: string | null): string {
  if (!baseUrl) return url;
  const { pathname, search } = new URL(url);
  return `${baseUrl}${pathname}${search}`;
}
