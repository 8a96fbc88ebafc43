import type { MeteredLlm } from '#modules/usage';
import { linkTelegram } from './operations/link-telegram.ts';
import { listTelegramLinks } from './operations/list-telegram-links.ts';
import { unlinkTelegram } from './operations/unlink-telegram.ts';

export { defineTelegramJobs } from './begin-listening.ts';
export { createListening, type TelegramListening } from './listening.ts';
export { tidyTelegram } from './store/links.ts';

/** What callers can do with phones that are linked to bots. */
export function telegramOperations({ publicUrl, llm }: { publicUrl: string; llm: MeteredLlm | null }) {
  return [linkTelegram({ publicUrl }), listTelegramLinks({ hasLlm: llm !== null }), unlinkTelegram({ publicUrl })];
}
