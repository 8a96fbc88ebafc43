import { bearer, type Provider } from '#kernel/provider';
import type { Api } from '#providers/http';

/** Google. https://developers.google.com/identity/protocols/oauth2/web-server */
export const google: Provider = {
  name: 'google',
  label: 'Google',
  apiDomains: ['googleapis.com'],
  oauth: {
    issuer: 'https://accounts.google.com',
    authorizeUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
    tokenUrl: 'https://oauth2.googleapis.com/token',
    tokenAuthMethod: 'client_secret_post',
    tokenBody: 'form',
    usesPkce: true,
    scopes: { parameter: 'scope', separator: ' ', always: ['openid', 'email'], addsUp: true },
    // Without `access_type` and `prompt`, Google returns a refresh token only at the first consent.
    authorizeParams: { access_type: 'offline', prompt: 'consent', include_granted_scopes: 'true' },
    tokenParams: {},
    tokenHeaders: {},
    refreshTokens: 'always',
    tokensAt: null,
    grantEndedBy: [],
    revoke: {
      token: 'refresh',
      request: { method: 'POST', url: 'https://oauth2.googleapis.com/revoke', form: { token: '{token}' } },
    },
    lifetimeNote:
      'While the OAuth client has the publishing status “Testing”, Google ends each access after 7 days. Publish the app to prevent this.',
    setup: {
      url: 'https://console.cloud.google.com/auth/clients',
      steps: [
        'Pick or create a project, and create an OAuth client of type “Web application”.',
        'Switch the Gmail, Calendar and Drive APIs on, under “APIs and services”.',
      ],
    },
  },
  token: null,
  placement: { oauth: bearer, token: bearer },
  identity: {
    request: {
      method: 'GET',
      url: 'https://www.googleapis.com/oauth2/v2/userinfo',
      headers: { authorization: 'Bearer {token}' },
    },
    accountId: ['{id}', '{sub}'],
    account: ['{email}'],
  },
  signIn: {
    clients: 'server',
    subject: '{id}',
    account: ['{email}'],
    address: { email: '{email}', isVerifiedAt: 'verified_email' },
    authorizeParams: { prompt: 'select_account' },
  },
  ownPage: { label: 'Google account permissions', url: 'https://myaccount.google.com/connections' },
};

/** Gmail's API. */
export const gmailApi: Api = { baseUrl: 'https://gmail.googleapis.com/gmail/v1' };

/** Gmail's upload API, for what exceeds a JSON request. */
export const gmailUploadApi: Api = { baseUrl: 'https://gmail.googleapis.com/upload/gmail/v1' };

/** Google Calendar's API. */
export const calendarApi: Api = { baseUrl: 'https://www.googleapis.com/calendar/v3' };

/** Drive's API. */
export const driveApi: Api = { baseUrl: 'https://www.googleapis.com/drive/v3' };

/** Drive's API for the content of files. */
export const driveUploadApi: Api = { baseUrl: 'https://www.googleapis.com/upload/drive/v3' };
