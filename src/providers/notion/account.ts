import { bearer, type Provider } from '#kernel/provider';
import type { Api } from '#providers/http';

const version = { 'notion-version': '2025-09-03' };

/** Notion. https://developers.notion.com/guides/get-started/authorization */
export const notion: Provider = {
  name: 'notion',
  label: 'Notion',
  apiDomains: ['api.notion.com'],
  oauth: {
    issuer: 'https://api.notion.com',
    authorizeUrl: 'https://api.notion.com/v1/oauth/authorize',
    tokenUrl: 'https://api.notion.com/v1/oauth/token',
    tokenAuthMethod: 'client_secret_basic',
    tokenBody: 'json',
    usesPkce: false,
    // The person chooses pages on the consent page; there are no scopes.
    scopes: { parameter: 'scope', separator: ' ', always: [], addsUp: false },
    authorizeParams: { owner: 'user' },
    tokenParams: {},
    tokenHeaders: version,
    refreshTokens: 'as_configured',
    tokensAt: null,
    grantEndedBy: [],
    revoke: {
      token: 'access',
      request: {
        method: 'POST',
        url: 'https://api.notion.com/v1/oauth/revoke',
        headers: { ...version, authorization: 'Basic {basic}' },
        json: { token: '{token}' },
      },
    },
    lifetimeNote: null,
    setup: { url: 'https://www.notion.so/profile/integrations', steps: ['Create a public integration.'] },
  },
  token: {
    label: 'Internal integration secret',
    url: 'https://www.notion.so/profile/integrations',
    steps: [
      'Create an internal integration, and copy its secret.',
      'Give it access to the pages it should read. For writing, it needs the capabilities to insert content and comments, and to read comments.',
    ],
    form: { pattern: '^(ntn|secret)_[A-Za-z0-9]{20,200}$', says: 'begins with ntn_ or secret_' },
    fields: [],
    isTokenOptional: false,
    revoke: null,
  },
  placement: { oauth: bearer, token: bearer },
  identity: {
    request: {
      method: 'GET',
      url: 'https://api.notion.com/v1/users/me',
      headers: { ...version, authorization: 'Bearer {token}' },
    },
    accountId: ['{id}'],
    account: ['{bot.owner.user.person.email} in {bot.workspace_name}', '{bot.workspace_name}', '{name}'],
  },
  ownPage: { label: 'Connections in Notion’s settings', url: 'https://www.notion.so/profile/connections' },
};

/** Its API. */
export const notionApi: Api = { baseUrl: 'https://api.notion.com/v1', headers: { 'notion-version': '2025-09-03' } };
