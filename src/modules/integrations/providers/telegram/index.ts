import { defineProvider } from '../define-provider.ts';
import { telegram as account } from './account.ts';

/** Telegram is neither read nor written here: `modules/telegram` listens to it. */
export const telegramProvider = defineProvider({ account, sources: [], actions: [] });
