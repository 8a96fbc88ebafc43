import { defineModule } from '#kernel/module';
import { gateDepsOf } from '#modules/actions';
import { providerClientOf } from '#modules/integrations';
import { getMeteredLlm } from '#modules/usage';
import type { Ground } from '#platform';
import { newId, now } from '#platform/clock';
import { runAsSystem } from '#platform/database';
import { beginAgainRound } from './listening/begin-listening.ts';
import { telegramChanged } from './events.ts';
import { createListening } from './listening/listening.ts';
import { linkTelegram } from './operations/link-telegram.ts';
import { listTelegramLinks } from './operations/list-telegram-links.ts';
import { createTelegramPush } from './operations/telegram-push.ts';
import { unlinkTelegram } from './operations/unlink-telegram.ts';
import { createPromptPhone } from './prompts/prompt-phone.ts';
import { createPushReach, push } from './push.ts';
import { deleteLinksOfKeys, deleteLinksOfPerson, tidyTelegram } from './store/links.ts';

/** Phones linked to bots: people ask, store notes and decide on them, and get their pending drafts there. */
export const telegramModule = defineModule<Ground>({
  name: 'telegram',
  events: [telegramChanged],
  actions: {
    all: [push],
    reach: (ground) => createPushReach({ client: providerClientOf(ground), transactions: ground.transactions }),
  },
  prompt: ({ config }) => createPromptPhone({ publicUrl: config.publicUrl }),
  tidy: tidyTelegram,
  endPerson: deleteLinksOfPerson,
  endKeys: deleteLinksOfKeys,
  operations(ground) {
    const { publicUrl } = ground.config;
    return [
      createTelegramPush(gateDepsOf(ground)),
      linkTelegram({ publicUrl }),
      listTelegramLinks({ hasLlm: getMeteredLlm(ground) !== null }),
      unlinkTelegram({ publicUrl }),
    ];
  },
  work(ground, calls) {
    const { db, transactions, emitEvent, log, config } = ground;
    const { publicUrl, telegramPollMs: pollMs } = config;
    const [client, llm] = [providerClientOf(ground), getMeteredLlm(ground)];
    const doors = { transactions, client, llm, calls, emitEvent, log, publicUrl, pollMs, now, newId };
    return {
      eachMinute: [beginAgainRound({ transactions, now })],
      background: [createListening({ ...doors, asSystem: (run) => runAsSystem(db, run) })],
    };
  },
});
