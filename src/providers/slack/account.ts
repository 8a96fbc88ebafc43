import { bearer, type Provider } from '#kernel/provider';
import type { Api } from '#providers/http';

/** Slack, in the name of a person (user token). https://docs.slack.dev/authentication/installing-with-oauth */
export const slack: Provider = {
  name: 'slack',
  label: 'Slack',
  apiDomains: ['slack.com'],
  oauth: {
    issuer: 'https://slack.com',
    authorizeUrl: 'https://slack.com/oauth/v2/authorize',
    tokenUrl: 'https://slack.com/api/oauth.v2.access',
    tokenAuthMethod: 'client_secret_post',
    tokenBody: 'form',
    usesPkce: false,
    // `scope` would ask for a bot; `user_scope` asks for the person.
    scopes: { parameter: 'user_scope', separator: ',', always: [], addsUp: false },
    authorizeParams: {},
    tokenParams: {},
    tokenHeaders: {},
    // Only apps with token rotation return refresh tokens; all other tokens never expire.
    refreshTokens: 'as_configured',
    tokensAt: 'authed_user',
    grantEndedBy: ['invalid_refresh_token', 'token_revoked', 'token_expired', 'account_inactive', 'invalid_grant'],
    revoke: {
      token: 'access',
      request: {
        method: 'POST',
        url: 'https://slack.com/api/auth.revoke',
        headers: { authorization: 'Bearer {token}' },
        form: {},
      },
      isOkAt: 'ok',
    },
    lifetimeNote: null,
    setup: {
      url: 'https://api.slack.com/apps',
      steps: ['Create an app, and add the scopes listed on this page as user token scopes.'],
    },
  },
  token: {
    label: 'Bot or user token',
    url: 'https://api.slack.com/apps',
    steps: [
      'Create an app, and add the scopes listed on this page under “OAuth & permissions”.',
      'Install it to the workspace, and copy the token. A user token reads your channels; a bot token reads the channels that the bot was invited to.',
    ],
    form: { pattern: '^xox[abeoprs][.-][A-Za-z0-9.-]{6,300}$', says: 'begins with xoxb- or xoxp-' },
    fields: [],
    isTokenOptional: false,
    revoke: {
      token: 'access',
      request: {
        method: 'POST',
        url: 'https://slack.com/api/auth.revoke',
        headers: { authorization: 'Bearer {token}' },
        form: {},
      },
      isOkAt: 'ok',
    },
  },
  placement: { oauth: bearer, token: bearer },
  identity: {
    request: {
      method: 'POST',
      url: 'https://slack.com/api/auth.test',
      headers: { authorization: 'Bearer {token}' },
      form: {},
    },
    isOkAt: 'ok',
    accountId: ['{team_id}:{user_id}'],
    account: ['{user} in {team}', '{user}'],
  },
  ownPage: { label: 'Apps in Slack’s account settings', url: 'https://slack.com/apps/manage' },
};

/** Its API. */
export const slackApi: Api = { baseUrl: 'https://slack.com/api', refusedWhen: { at: 'ok', isOneOf: [false] } };
