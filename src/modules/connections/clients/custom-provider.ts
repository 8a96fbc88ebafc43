import { bearer, type IdentityFacts, type OAuthFacts, type Provider, type RevokeFacts } from '#kernel/provider';

/** The description of a custom provider. Addresses are absolute. */
export type CustomFacts = {
  name: string;
  label: string;
  authorizeUrl: string;
  tokenUrl: string;
  tokenAuthMethod: OAuthFacts['tokenAuthMethod'];
  /** Returns the owner of a token (OpenID Connect Core §5.3). Null: accounts have no name. */
  userinfoUrl: string | null;
  /** Revokes a token (RFC 7009). Null: only the person can revoke it, at the provider. */
  revocationUrl: string | null;
  scopes: readonly string[];
  apiHosts: readonly string[];
  authorizeParams: Readonly<Record<string, string>>;
  tokenParams: Readonly<Record<string, string>>;
};

/** A standard provider: RFC 6749 with PKCE and bearer tokens, and no special cases. */
export function buildCustomProvider(facts: CustomFacts): Provider & { oauth: OAuthFacts } {
  const { name, label, authorizeUrl, tokenUrl, tokenAuthMethod, userinfoUrl, revocationUrl } = facts;
  const { origin } = new URL(authorizeUrl);
  return {
    name,
    label,
    apiDomains: facts.apiHosts,
    oauth: {
      issuer: origin,
      authorizeUrl,
      tokenUrl,
      tokenAuthMethod,
      tokenBody: 'form',
      usesPkce: true,
      scopes: { parameter: 'scope', separator: ' ', always: facts.scopes, addsUp: false },
      authorizeParams: facts.authorizeParams,
      tokenParams: facts.tokenParams,
      tokenHeaders: { accept: 'application/json' },
      refreshTokens: 'as_configured',
      tokensAt: null,
      grantEndedBy: [],
      revoke: revocationUrl ? buildRevocationFacts(revocationUrl, tokenAuthMethod) : null,
      lifetimeNote: null,
      setup: { url: origin, steps: [] },
    },
    token: null,
    placement: { oauth: bearer, token: bearer },
    identity: userinfoUrl ? buildUserinfoFacts(userinfoUrl) : null,
    ownPage: null,
  };
}

/** Services without OpenID Connect use other field names. */
function buildUserinfoFacts(url: string): IdentityFacts {
  return {
    request: { method: 'GET', url, headers: { authorization: 'Bearer {token}' } },
    accountId: ['{sub}', '{id}', '{user_id}', '{user.id}', '{data.id}'],
    account: [
      '{email}',
      '{user.email}',
      '{data.email}',
      '{preferred_username}',
      '{login}',
      '{username}',
      '{name}',
      '{sub}',
    ],
  };
}

/** The client authenticates as at the token endpoint (RFC 7009 §2.1). */
function buildRevocationFacts(url: string, method: OAuthFacts['tokenAuthMethod']): RevokeFacts {
  const form = { token: '{token}' };
  if (method === 'client_secret_basic') {
    return { token: 'refresh', request: { method: 'POST', url, headers: { authorization: 'Basic {basic}' }, form } };
  }
  const client = { client_id: '{client_id}', client_secret: '{client_secret}' };
  return { token: 'refresh', request: { method: 'POST', url, form: { ...form, ...client } } };
}
