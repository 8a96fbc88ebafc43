import { defineProvider } from '#providers/kit';
import { telegram as account } from './account.ts';
import { guide } from './guide.ts';

/** Telegram has no source and no actions: `modules/telegram` receives and answers its messages. */
export const telegramProvider = defineProvider({
  account,
  sources: [],
  actions: [],
  listed: {
    name: 'telegram',
    label: 'Telegram',
    icon: 'Send',
    description: 'Text your brain from your phone, through a bot of your own.',
    provider: 'telegram',
    scopes: [],
    supports: { fetch: false, act: false, adapter: false },
  },
  guide,
});
