import type { Sending } from '#modules/actions';
import type { MeteredLlm } from '#modules/usage';
import { linkTelegram } from './operations/link-telegram.ts';
import { listTelegramLinks } from './operations/list-telegram-links.ts';
import { telegramPush } from './operations/telegram-push.ts';
import { unlinkTelegram } from './operations/unlink-telegram.ts';

export { defineTelegramJobs } from './begin-listening.ts';
export { createListening, type TelegramListening } from './listening.ts';
export { createPromptPhone } from './prompt-phone.ts';
export { createPushReach, push } from './push.ts';
export { tidyTelegram } from './store/links.ts';

/** What callers can do with phones that are linked to bots. */
export function telegramOperations(options: { sending: Sending; publicUrl: string; llm: MeteredLlm | null }) {
  const { sending, publicUrl, llm } = options;
  return [
    telegramPush({ ...sending, publicUrl }),
    linkTelegram({ publicUrl }),
    listTelegramLinks({ hasLlm: llm !== null }),
    unlinkTelegram({ publicUrl }),
  ];
}
