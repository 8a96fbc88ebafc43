import type { Placement, Provider } from '#kernel/provider';
import type { Api } from '#providers/http';

const plain: Placement = { in: 'header', name: 'authorization', value: '{token}' };

/** Monday, by its OAuth 2.1 flow. https://developer.monday.com/apps/docs/migrating-to-the-new-oauth-flow */
export const monday: Provider = {
  name: 'monday',
  label: 'Monday',
  apiDomains: ['api.monday.com'],
  oauth: {
    issuer: 'https://auth.monday.com',
    authorizeUrl: 'https://auth.monday.com/oauth2/authorize',
    tokenUrl: 'https://auth.monday.com/oauth_ms/oauth/token',
    tokenAuthMethod: 'client_secret_post',
    tokenBody: 'json',
    usesPkce: true,
    scopes: { parameter: 'scope', separator: ' ', always: ['me:read'], addsUp: false },
    authorizeParams: {},
    tokenParams: {},
    tokenHeaders: {},
    refreshTokens: 'as_configured',
    tokensAt: null,
    grantEndedBy: [],
    revoke: {
      token: 'refresh',
      request: {
        method: 'POST',
        url: 'https://auth.monday.com/oauth_ms/oauth/revoke',
        json: { token: '{token}', client_id: '{client_id}', client_secret: '{client_secret}' },
      },
    },
    lifetimeNote: null,
    setup: {
      url: 'https://auth.monday.com/developers',
      steps: [
        'Create an app, and switch “New OAuth flow” on under “OAuth & permissions”.',
        'An admin of the Monday account installs the app before the first person links.',
      ],
    },
  },
  token: {
    label: 'Personal API token',
    url: 'https://auth.monday.com/developers',
    steps: ['Open your picture, “Developers”, “My access tokens”, and copy the token.'],
    form: null,
    fields: [],
    isTokenOptional: false,
    revoke: null,
  },
  placement: { oauth: plain, token: plain },
  identity: {
    request: {
      method: 'POST',
      url: 'https://api.monday.com/v2',
      headers: { authorization: '{token}' },
      json: { query: 'query { me { id email account { id slug } } }' },
    },
    errorsAt: 'errors',
    accountId: ['{data.me.account.id}:{data.me.id}', '{data.me.id}'],
    account: ['{data.me.email} in {data.me.account.slug}', '{data.me.email}'],
  },
  ownPage: { label: 'Installed apps in Monday', url: 'https://auth.monday.com/developers' },
};

/** Its API. */
export const mondayApi: Api = {
  baseUrl: 'https://api.monday.com',
  headers: { 'api-version': '2026-07' },
  notFoundBy: ['^invalid(board|item|update|group)idexception$'],
  refusedWhen: { at: 'errors' },
};
