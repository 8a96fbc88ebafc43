import { connectBot, linkPhone, collectBotMessages, withoutPauses } from '../../support/telegram.ts';
import type { CanaryStage } from '../stage.ts';

/** A bot that is linked, texted, refused by Telegram in every way, and ended; and a code that links a phone. */
export async function runTelegramStory(stage: CanaryStage): Promise<void> {
  const { call, found, server, telegram: service } = stage;
  const bot = service.addBot({ username: 'canary_bot' });
  found('the token of a bot', bot.token);
  found('the secret part of the token of a bot', bot.token.split(':')[1] ?? '');
  const user = service.addUser({ firstName: 'Ada', username: 'ada' });
  const connectionId = await connectBot(server, bot);
  const { code } = await call('link_telegram');
  found('a code that links a phone', String(code), true);
  await linkPhone(server, service, { user, bot });
  const repeated = `Bad Request at /bot${bot.token}/sendMessage`;
  for (const status of [400, 409, 429, 500]) {
    const failure = { kind: 'status', status, reason: repeated, retryAfter: 1 } as const;
    service.failures.next({ account: bot.username, path: /sendMessage/ }, failure, 1);
    service.type(user, bot, `A note before the answer fails with ${status}`);
  }
  const asked = () => collectBotMessages(service, user, bot, () => service.type(user, bot, 'What fails?'), 2);
  await withoutPauses(server.connectionString, asked);
  await call('list_telegram_links');
  await call('test_connection', { connection_id: connectionId });
  service.revokeToken(bot);
  await call('test_connection', { connection_id: connectionId });
  await call('list_telegram_links');
  await call('get_connection', { connection_id: connectionId });
  await call('revoke_connected_account', { connection_id: connectionId });
}
