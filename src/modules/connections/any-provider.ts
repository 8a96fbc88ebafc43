// A consent at any OAuth provider of which no more than its two addresses are known.
import { AppError } from '#kernel/errors';
import type { Egress } from '#platform/egress';
import { bearer, type OAuthFacts } from './providers/provider.ts';
import { authorizationUrl, exchangeCode, InvalidGrant, type OAuthClient, type Tokens } from './oauth-client.ts';

/** A client at a provider. `baseUrl` stands in for the provider's hosts, where the operator set one. */
export type ConsentClient = {
  label: string;
  issuer: string;
  authorizeUrl: string;
  tokenUrl: string;
  authorizeWith: Readonly<Record<string, string>>;
  baseUrl: string | null;
  clientId: string;
  clientSecret: string;
  redirectUri: string;
};

/** Asks for a consent, and trades what comes back for tokens. Throws `upstream_failed` when the provider refuses. */
export type AskConsent = {
  url(
    client: ConsentClient,
    asked: { scopes: readonly string[]; state: string; codeVerifier: string },
  ): Promise<string>;
  tokens(client: ConsentClient, callback: { code: string; state: string; codeVerifier: string }): Promise<Tokens>;
};

export function createAskConsent(egress: Egress): AskConsent {
  return {
    url: (client, asked) => authorizationUrl(oauthClient(client), asked),
    async tokens(client, callback) {
      try {
        return await exchangeCode(egress, oauthClient(client), callback);
      } catch (error) {
        if (!(error instanceof InvalidGrant)) throw error;
        const message = `${client.label} no longer accepts this consent. Begin again.`;
        throw new AppError('upstream_failed', message, {}, { cause: error });
      }
    },
  };
}

function oauthClient(client: ConsentClient): OAuthClient {
  const { label, issuer, authorizeUrl, tokenUrl, authorizeWith, baseUrl, ...own } = client;
  const oauth: OAuthFacts = {
    issuer,
    authorizeUrl,
    tokenUrl,
    tokenAuthMethod: 'client_secret_post',
    tokenBody: 'form',
    usesPkce: true,
    scopes: { parameter: 'scope', separator: ' ', always: [], addsUp: true },
    authorizeParams: authorizeWith,
    tokenParams: {},
    tokenHeaders: {},
    refreshTokens: 'as_configured',
    tokensAt: null,
    grantEndedBy: [],
    revoke: null,
    lifetimeNote: null,
    setup: { url: issuer, steps: [] },
  };
  const placement = { oauth: bearer, token: bearer };
  const provider = { name: label, label, apiDomains: [], oauth, token: null, placement, identity: null, ownPage: null };
  return { ...own, provider, oauth, baseUrl };
}
