import type { Provider } from '#kernel/provider';

/** Telegram: a person's own bot. https://core.telegram.org/bots/api#making-requests */
export const telegram: Provider = {
  name: 'telegram',
  label: 'Telegram',
  apiDomains: ['api.telegram.org'],
  oauth: null,
  token: {
    label: 'Bot token',
    url: 'https://t.me/BotFather',
    steps: ['Send /newbot to @BotFather, and copy the token from the answer.'],
    form: { pattern: '^[0-9]{5,20}:[A-Za-z0-9_-]{30,60}$', says: 'is digits, a colon, and letters' },
    fields: [],
    isTokenOptional: false,
    revoke: null,
  },
  placement: { oauth: { in: 'path' }, token: { in: 'path' } },
  identity: {
    request: { method: 'GET', url: 'https://api.telegram.org/bot{token}/getMe' },
    isOkAt: 'ok',
    accountId: ['{result.id}'],
    account: ['@{result.username}'],
  },
  ownPage: { label: 'BotFather, with /revoke', url: 'https://t.me/BotFather' },
};
