import { startTelegramEmulator } from '#emulators/telegram/index';
import { connectBot, linkPhone } from '../../support/telegram.ts';
import type { Subject, Upstream } from './upstream.ts';

export async function startTelegramUpstream(): Promise<Upstream> {
  const telegram = await startTelegramEmulator();
  const bot = telegram.addBot({ username: 'matrix_bot' });
  const user = telegram.addUser({ firstName: 'Ada' });
  const subjects: Subject[] = [
    {
      name: 'telegram push',
      handle: 'none',
      request: (text) => ({ source: 'telegram', action_name: 'push', input: { text } }),
      visible: (text) => telegram.messages(user).filter((each) => each.fromId === bot.id && each.text === text).length,
      requests: (text) => [{ method: 'POST', path: /\/sendMessage$/, body: new RegExp(text) }],
    },
  ];
  return {
    settings: { THALAMUS_TELEGRAM_BASE_URL: telegram.url },
    failures: telegram.failures,
    ledger: telegram.ledger,
    async link(server) {
      await connectBot(server, bot);
      await linkPhone(server, telegram, { user, bot });
    },
    subjects,
    close: () => telegram.close(),
  };
}
