// A consent at any OAuth provider, given only its two endpoints.
import { AppError } from '#kernel/errors';
import type { Egress } from '#platform/egress';
import { buildCustomProvider } from './custom-provider.ts';
import { buildAuthorizationUrl, exchangeCode, InvalidGrant, type OAuthClient, type Tokens } from './oauth-client.ts';

/** A client at a provider. `baseUrl` replaces the provider's hosts, if the operator set one. */
export type ConsentClient = {
  label: string;
  authorizeUrl: string;
  tokenUrl: string;
  authorizeWith: Readonly<Record<string, string>>;
  baseUrl: string | null;
  clientId: string;
  clientSecret: string;
  redirectUri: string;
};

/** Builds the consent URL, and exchanges the code for tokens. Throws `upstream_failed` when the provider refuses. */
export type AskConsent = {
  url(
    client: ConsentClient,
    asked: { scopes: readonly string[]; state: string; codeVerifier: string },
  ): Promise<string>;
  tokens(client: ConsentClient, callback: { code: string; state: string; codeVerifier: string }): Promise<Tokens>;
};

export function createAskConsent(egress: Egress): AskConsent {
  return {
    url: (client, asked) => buildAuthorizationUrl(toOAuthClient(client), asked),
    async tokens(client, callback) {
      try {
        return await exchangeCode(egress, toOAuthClient(client), callback);
      } catch (error) {
        if (!(error instanceof InvalidGrant)) throw error;
        const message = `${client.label} no longer accepts this consent. Start again.`;
        throw new AppError('upstream_failed', message, {}, { cause: error });
      }
    },
  };
}

function toOAuthClient(client: ConsentClient): OAuthClient {
  const { label, authorizeUrl, tokenUrl, authorizeWith, baseUrl, clientId, clientSecret, redirectUri } = client;
  const provider = buildCustomProvider({
    name: label,
    label,
    authorizeUrl,
    tokenUrl,
    tokenAuthMethod: 'client_secret_post',
    userinfoUrl: null,
    revocationUrl: null,
    scopes: [],
    apiHosts: [],
    authorizeParams: authorizeWith,
    tokenParams: {},
  });
  return { provider, oauth: provider.oauth, baseUrl, clientId, clientSecret, redirectUri };
}
