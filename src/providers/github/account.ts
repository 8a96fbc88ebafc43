import { bearer, type Provider } from '#kernel/provider';
import type { Api } from '#providers/http';

const headers = { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' };

/** GitHub. https://docs.github.com/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps */
export const github: Provider = {
  name: 'github',
  label: 'GitHub',
  apiDomains: ['api.github.com'],
  oauth: {
    issuer: 'https://github.com',
    authorizeUrl: 'https://github.com/login/oauth/authorize',
    tokenUrl: 'https://github.com/login/oauth/access_token',
    tokenAuthMethod: 'client_secret_post',
    tokenBody: 'form',
    usesPkce: true,
    scopes: { parameter: 'scope', separator: ' ', always: [], addsUp: false },
    authorizeParams: {},
    tokenParams: {},
    tokenHeaders: { accept: 'application/json' },
    // Tokens of an OAuth app never expire; those of a GitHub App expire after 8 hours and can be refreshed for 6
    // months.
    refreshTokens: 'as_configured',
    tokensAt: null,
    grantEndedBy: ['bad_refresh_token'],
    revoke: {
      token: 'access',
      request: {
        method: 'DELETE',
        url: 'https://api.github.com/applications/{client_id}/grant',
        headers: { ...headers, authorization: 'Basic {basic}' },
        json: { access_token: '{token}' },
      },
    },
    lifetimeNote: null,
    setup: { url: 'https://github.com/settings/developers', steps: ['Create an OAuth app under “OAuth Apps”.'] },
  },
  token: {
    label: 'Personal access token',
    url: 'https://github.com/settings/personal-access-tokens/new',
    steps: [
      'Make a fine-grained token for the repositories it should reach.',
      'Give it the permissions “Issues” and “Pull requests”: read-only, or read and write where you want to write, too.',
      'With the permission “Contents”, read-only, releases are read, too.',
    ],
    form: { pattern: '^(github_pat_|gh[opsu]_)?[A-Za-z0-9_]{20,255}$', says: 'begins with github_pat_ or ghp_' },
    fields: [],
    isTokenOptional: false,
    revoke: null,
  },
  placement: { oauth: bearer, token: bearer },
  identity: {
    request: {
      method: 'GET',
      url: 'https://api.github.com/user',
      headers: { ...headers, authorization: 'Bearer {token}' },
    },
    accountId: ['{id}'],
    account: ['{login}'],
    tokenEndsAtHeader: 'github-authentication-token-expiration',
  },
  signIn: {
    clients: 'server',
    subject: '{id}',
    account: ['{login}'],
    addresses: {
      method: 'GET',
      url: 'https://api.github.com/user/emails',
      headers: { ...headers, authorization: 'Bearer {token}' },
    },
    scopes: ['user:email'],
  },
  ownPage: { label: 'GitHub applications', url: 'https://github.com/settings/applications' },
};

/** Its API. */
export const githubApi: Api = {
  baseUrl: 'https://api.github.com',
  headers: { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' },
};
