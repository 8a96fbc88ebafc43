// How a provider is reached in the name of a linked account: what the floor of the providers needs of the module that links accounts.
import type { Placement, Provider } from './provider.ts';

/** A secret and its place: headers, query, or, for `path` and `url`, a place chosen by the caller. */
export type Credential = {
  value: string;
  headers: Readonly<Record<string, string>>;
  query: Readonly<Record<string, string>>;
  place: Placement['in'];
};

/** Gives valid access tokens, and refreshes them when they are about to expire. */
export type TokenSource = {
  /**
   * An access token that is valid for at least a minute. `renewedAfter` requests a newer one than a token that the
   * provider has just rejected. Throws `unavailable` with the next step when the account must be linked again.
   */
  accessToken(workspaceId: string, connectionId: string, renewedAfter?: string): Promise<string>;
  /** As `accessToken`, for OAuth accounts and pasted tokens, in the form of the provider's API. */
  credential(workspaceId: string, connectionId: string, renewedAfter?: string): Promise<Credential>;
};

/** The providers of this server, and the addresses that its operator set for them. */
export type ProviderDirectory = {
  /** Providers that every workspace has. */
  listed: readonly Provider[];
  /** The address in place of a provider's own host; null: its own host. */
  findBaseUrl(provider: string): string | null;
};

/** Replaces a provider's host with the operator's base URL. The path stays. */
export function applyBaseUrl(url: string, baseUrl: string | null): string {
  if (!baseUrl) return url;
  const { pathname, search } = new URL(url);
  return `${baseUrl}${pathname}${search}`;
}
