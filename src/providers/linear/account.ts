import { bearer, type IdentityFacts, type Provider } from '#kernel/provider';
import type { Api } from '#providers/http';

/** The owner of a token. A personal API key is sent without the word Bearer. */
const createIdentity = (authorization: string): IdentityFacts => ({
  request: {
    method: 'POST',
    url: 'https://api.linear.app/graphql',
    headers: { authorization },
    json: { query: 'query { viewer { id email } organization { name } }' },
  },
  errorsAt: 'errors',
  accountId: ['{data.viewer.id}'],
  account: ['{data.viewer.email} in {data.organization.name}', '{data.viewer.email}'],
});

/** Linear. https://linear.app/developers/oauth-2-0-authentication */
export const linear: Provider = {
  name: 'linear',
  label: 'Linear',
  apiDomains: ['api.linear.app'],
  oauth: {
    issuer: 'https://linear.app',
    authorizeUrl: 'https://linear.app/oauth/authorize',
    tokenUrl: 'https://api.linear.app/oauth/token',
    tokenAuthMethod: 'client_secret_post',
    tokenBody: 'form',
    usesPkce: true,
    scopes: { parameter: 'scope', separator: ',', always: ['read'], addsUp: false },
    // Consent is requested each time, so that a second workspace can be chosen.
    authorizeParams: { prompt: 'consent' },
    tokenParams: {},
    tokenHeaders: {},
    refreshTokens: 'always',
    tokensAt: null,
    grantEndedBy: [],
    revoke: {
      token: 'access',
      request: {
        method: 'POST',
        url: 'https://api.linear.app/oauth/revoke',
        headers: { authorization: 'Bearer {token}' },
        form: { access_token: '{token}' },
      },
    },
    lifetimeNote: null,
    setup: { url: 'https://linear.app/settings/api/applications/new', steps: ['Create an OAuth application.'] },
  },
  token: {
    label: 'Personal API key',
    url: 'https://linear.app/settings/account/security',
    steps: ['Create a personal API key under “Security & access”.'],
    form: { pattern: '^lin_(api|oauth|test)_[A-Za-z0-9_]{4,200}$', says: 'begins with lin_api_' },
    fields: [],
    isTokenOptional: false,
    revoke: null,
  },
  placement: { oauth: bearer, token: { in: 'header', name: 'authorization', value: '{token}' } },
  identity: createIdentity('Bearer {token}'),
  tokenIdentity: createIdentity('{token}'),
  ownPage: { label: 'Authorized applications in Linear', url: 'https://linear.app/settings/account/security' },
};

/** Its API. */
export const linearApi: Api = {
  baseUrl: 'https://api.linear.app',
  refusedWhen: { at: 'errors' },
  notFoundBy: ['^entity not found'],
  rateLimits: (['requests', 'complexity'] as const).map((limit) => ({
    remaining: `x-ratelimit-${limit}-remaining`,
    reset: `x-ratelimit-${limit}-reset`,
    as: 'epoch_ms' as const,
  })),
};
