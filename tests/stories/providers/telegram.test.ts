import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startTelegramEmulator, type TelegramEmulator } from '#emulators/telegram/index';
import type { Message } from '#emulators/telegram/state';
import { openAsOwner, type OwnerDatabase } from '../../support/owner-database.ts';
import { connectBot, linkPhone, collectBotMessages } from '../../support/telegram.ts';
import { startWatchedServer, type WatchedServer } from '../../support/watched-server.ts';

let telegram: TelegramEmulator;
let server: WatchedServer;
let database: OwnerDatabase;
beforeAll(async () => {
  telegram = await startTelegramEmulator();
  server = await startWatchedServer(telegram, { THALAMUS_TELEGRAM_BASE_URL: telegram.url });
  database = await openAsOwner(server.connectionString);
});
afterAll(async () => {
  await database.close();
  await server.close();
  await telegram.close();
});

type Memory = { id: string; content: string; author: string; thread_id: string; occurred_at: string };

async function searchMemories(q: string, key?: string): Promise<Memory[]> {
  const { memories } = await server.ok('search_memory', { q }, key === undefined ? {} : { key });
  return memories as Memory[];
}

test('a Telegram bot is connected, receives texts, finds them, edits them and is disconnected', async () => {
  const bot = telegram.addBot({ username: 'ada_brain_bot' });
  const ada = telegram.addUser({ firstName: 'Ada', username: 'ada' });
  const connectionId = await connectBot(server, bot);
  await linkPhone(server, telegram, { user: ada, bot });
  expect(await server.ok('list_telegram_links')).toMatchObject({
    links: [{ connection_id: connectionId, bot: '@ada_brain_bot', state: 'listening', linked_as: '@ada' }],
    understands_wishes: false,
  });

  const fact = 'The saffron harvest begins on the 4th of October';
  const answers = await collectBotMessages(telegram, ada, bot, () => telegram.type(ada, bot, fact));
  const message = telegram.messages(ada).findLast(({ text }) => text === fact) as Message;
  expect(answers[0]).toMatch(/Noted in .+, as a/);
  const [memory] = await searchMemories('saffron harvest');
  expect(memory).toMatchObject({
    content: 'The saffron harvest begins on the 4th of October',
    thread_id: `telegram:${ada.id}`,
    occurred_at: new Date(message.date * 1000).toISOString(),
  });
  expect(memory?.author).toBeTruthy();
  const audited = await database.rows(
    `select operation, caller_kind from audit_log where caller_kind = 'telegram' and operation = 'add_memory'`,
  );
  expect(audited.length).toBeGreaterThan(0);

  const [found] = await collectBotMessages(telegram, ada, bot, () =>
    telegram.type(ada, bot, 'When does the saffron harvest begin?'),
  );
  expect(found).toContain('4th of October');

  expect(
    await collectBotMessages(telegram, ada, bot, () => telegram.edit(message, 'The saffron harvest begins on the 9th')),
  ).toEqual(['Corrected.']);
  expect((await searchMemories('saffron harvest'))[0]?.content).toContain('9th');

  const { message: revokeMessage, revoked_at_provider: isRevoked } = await server.ok('revoke_connected_account', {
    connection_id: connectionId,
  });
  expect(isRevoked).toBe(false);
  expect(revokeMessage).toMatch(/BotFather.*t\.me\/BotFather/);
  telegram.type(ada, bot, 'Nobody reads this any more');
  await vi.waitFor(async () => {
    const asked = telegram.ledger.count({ account: bot.username });
    await sleep(500); // five looks for bots
    expect(telegram.ledger.count({ account: bot.username })).toBe(asked);
  }, 20_000);
  telegram.type(ada, bot, 'Nor this');
  await sleep(500); // the same
  expect(bot.updates.map((update) => (update['message'] as Message).text)).toEqual([
    'Nobody reads this any more',
    'Nor this',
  ]);
  expect(await searchMemories('nobody reads any more')).toEqual([]);
  expect(await server.ok('list_telegram_links')).toMatchObject({ links: [{ state: 'off' }] });
});

test('the server shows no secret, and no table contains one', async () => {
  expect(await server.leaks()).toEqual([]);
});
