import { bearer, type IdentityFacts, type Provider } from '#kernel/provider';
import type { Api } from '#providers/http';

const createIdentity = (authorization: string): IdentityFacts => ({
  request: { method: 'GET', url: 'https://discord.com/api/v10/users/@me', headers: { authorization } },
  accountId: ['{id}'],
  account: ['{username}'],
});

/** Discord. https://docs.discord.com/developers/topics/oauth2 */
export const discord: Provider = {
  name: 'discord',
  label: 'Discord',
  apiDomains: ['discord.com'],
  oauth: {
    issuer: 'https://discord.com',
    authorizeUrl: 'https://discord.com/oauth2/authorize',
    tokenUrl: 'https://discord.com/api/oauth2/token',
    tokenAuthMethod: 'client_secret_post',
    tokenBody: 'form',
    usesPkce: true,
    scopes: { parameter: 'scope', separator: ' ', always: ['identify', 'email'], addsUp: false },
    authorizeParams: {},
    tokenParams: {},
    tokenHeaders: {},
    refreshTokens: 'always',
    tokensAt: null,
    grantEndedBy: [],
    revoke: {
      token: 'refresh',
      request: {
        method: 'POST',
        url: 'https://discord.com/api/oauth2/token/revoke',
        form: { token: '{token}', client_id: '{client_id}', client_secret: '{client_secret}' },
      },
    },
    lifetimeNote: null,
    setup: { url: 'https://discord.com/developers/applications', steps: ['Create an application; open “OAuth2”.'] },
  },
  token: {
    label: 'Bot token',
    url: 'https://discord.com/developers/applications',
    steps: [
      'Open your application, “Bot”, and copy or reset its token.',
      'On the same page switch “Message Content Intent” on. Without it the bot cannot read what people write.',
      'Invite the bot to the server it should read. With the permission “Send Messages” it can also post there.',
    ],
    form: { pattern: '^[A-Za-z0-9_.-]{20,200}$', says: 'is 20 or more letters, digits, dots, - and _' },
    fields: [],
    isTokenOptional: false,
    revoke: null,
  },
  placement: { oauth: bearer, token: { in: 'header', name: 'authorization', value: 'Bot {token}' } },
  identity: createIdentity('Bearer {token}'),
  tokenIdentity: createIdentity('Bot {token}'),
  signIn: {
    clients: 'any',
    subject: '{id}',
    account: ['{username}'],
    address: { email: '{email}', isVerifiedAt: 'verified' },
  },
  ownPage: { label: 'Authorised apps in Discord’s settings', url: 'https://discord.com/channels/@me' },
};

/** Its API. */
export const discordApi: Api = { baseUrl: 'https://discord.com/api/v10' };
