// Connects bots and links phones the way people do it, against the emulator.
import { setTimeout as sleep } from 'node:timers/promises';
import type { TelegramEmulator } from '#emulators/telegram/index';
import type { Bot, User } from '#emulators/telegram/state';
import { signIn } from './google.ts';
import type { OwnerDatabase } from './owner-database.ts';
import type { ReachedServer } from './server.ts';
import { passTime } from './time-passes.ts';

const answersWithinMs = 40_000;

/** Enters the bot's token with a key that may; answers the connection's id. */
export async function connectBot(server: ReachedServer, bot: Bot, options: { key?: string; owner?: string } = {}) {
  const { key, owner = 'person' } = options;
  const input = { provider: 'telegram', token: bot.token, owner };
  const linked = await server.ok('connect_with_token', input, key === undefined ? {} : { key });
  return String(linked['connection_id']);
}

/** Has a phone open the link that `link_telegram` gives, and waits until it is linked. */
export async function linkPhone(
  server: ReachedServer,
  telegram: TelegramEmulator,
  { user, bot, key, connectionId }: { user: User; bot: Bot; key?: string; connectionId?: string },
): Promise<void> {
  const as = key === undefined ? {} : { key };
  const { code } = await server.ok('link_telegram', connectionId ? { connection_id: connectionId } : {}, as);
  const answers = await collectBotMessages(telegram, user, bot, () => telegram.type(user, bot, `/start ${code}`));
  if (!answers[0]?.includes('is linked')) throw new Error(`linking answered: ${answers.join('\n')}`);
}

/** As `linkPhone`, by a person who signed in: what is pressed on the phone is then theirs beyond doubt. */
export async function linkPhoneAsPerson(
  server: ReachedServer,
  telegram: TelegramEmulator,
  { user, bot, database }: { user: User; bot: Bot; database: OwnerDatabase },
): Promise<void> {
  const browser = await signIn(server);
  await database.rows('update sessions set is_human_surface = true'); // as a person who signed in by mail has it
  const { code } = await browser.ok('link_telegram');
  const answers = await collectBotMessages(telegram, user, bot, () => telegram.type(user, bot, `/start ${code}`));
  if (!answers[0]?.includes('is linked')) throw new Error(`linking answered: ${answers.join('\n')}`);
}

/** Bots that were refused are listened to again within a moment, while the work goes on. */
export async function withoutPauses<T>(connectionString: string, work: () => Promise<T>): Promise<T> {
  const ended = new AbortController();
  const hurry = async () => {
    while (!ended.signal.aborted) {
      await passTime(connectionString, 300);
      await sleep(100);
    }
  };
  const hurrying = hurry();
  try {
    return await work();
  } finally {
    ended.abort();
    await hurrying;
  }
}

/** The bot's answers to what is done now: waits for this number of messages. */
export async function collectBotMessages(
  telegram: TelegramEmulator,
  user: User,
  bot: Bot,
  act: () => unknown,
  messages = 1,
): Promise<string[]> {
  const of = () => telegram.messages(user).filter(({ fromId }) => fromId === bot.id);
  const before = of().length;
  await act();
  for (let waited = 0; waited < answersWithinMs; waited += 20) {
    const now = of();
    if (now.length >= before + messages) return now.slice(before).map(({ text }) => text);
    await sleep(20);
  }
  throw new Error(`the bot @${bot.username} did not answer`);
}
