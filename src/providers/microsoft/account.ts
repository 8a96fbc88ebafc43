import { bearer, type Provider } from '#kernel/provider';
import type { Api } from '#providers/http';

/** Microsoft. https://learn.microsoft.com/entra/identity-platform/v2-oauth2-auth-code-flow */
export const microsoft: Provider = {
  name: 'microsoft',
  label: 'Microsoft',
  apiDomains: ['graph.microsoft.com'],
  oauth: {
    issuer: 'https://login.microsoftonline.com/common/v2.0',
    authorizeUrl: 'https://login.microsoftonline.com/common/oauth2/v2.0/authorize',
    tokenUrl: 'https://login.microsoftonline.com/common/oauth2/v2.0/token',
    tokenAuthMethod: 'client_secret_post',
    tokenBody: 'form',
    usesPkce: true,
    scopes: {
      parameter: 'scope',
      separator: ' ',
      always: ['openid', 'email', 'profile', 'offline_access', 'User.Read'],
      addsUp: false,
      prefix: 'https://graph.microsoft.com/',
    },
    authorizeParams: { response_mode: 'query', prompt: 'select_account' },
    tokenParams: {},
    tokenHeaders: {},
    refreshTokens: 'always',
    tokensAt: null,
    grantEndedBy: ['interaction_required', 'consent_required'],
    // Microsoft has no endpoint by which an app ends a person's grant.
    revoke: null,
    lifetimeNote: 'Microsoft ends an access that is not used for 90 days.',
    setup: {
      url: 'https://entra.microsoft.com/#view/Microsoft_AAD_RegisteredApps/ApplicationsListBlade',
      steps: [
        'Register an application with the platform “Web” for the types of accounts that will be linked, such as any organisation and personal accounts.',
        'Create a client secret, and copy its value (not its id).',
      ],
    },
  },
  token: null,
  placement: { oauth: bearer, token: bearer },
  identity: {
    request: {
      method: 'GET',
      url: 'https://graph.microsoft.com/v1.0/me',
      headers: { authorization: 'Bearer {token}' },
    },
    accountId: ['{id}'],
    account: ['{mail}', '{userPrincipalName}'],
  },
  // The administrator of a directory can enter any address, so no address in it is verified.
  signIn: { clients: 'server', subject: '{id}', account: ['{mail}', '{userPrincipalName}'] },
  ownPage: { label: 'Apps with access to your Microsoft account', url: 'https://myapplications.microsoft.com' },
};

/** Microsoft Graph. */
export const microsoftApi: Api = { baseUrl: 'https://graph.microsoft.com/v1.0' };
