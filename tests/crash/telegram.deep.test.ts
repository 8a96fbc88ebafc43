import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startTelegramEmulator, type TelegramEmulator } from '#emulators/telegram/index';
import type { Bot, User } from '#emulators/telegram/state';
import { isDeep } from '../support/depth.ts';
import { createTestDatabase } from '../support/postgres.ts';
import { buildServerSettings, startServerProcess, type ServerProcess } from '../support/server-process.ts';
import { startSmallModel } from '../support/small-model.ts';
import { endLeases } from '../support/time-passes.ts';
import { connectBot, linkPhone } from '../support/telegram.ts';

const key = `cm_${'textkey'.repeat(5)}`;
const texts = isDeep ? 120 : 40;

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let telegram: TelegramEmulator;
let settings: Record<string, string>;
let bot: Bot;
let ada: User;

beforeAll(async () => {
  database = await createTestDatabase();
  telegram = await startTelegramEmulator();
  bot = telegram.addBot({ username: 'crash_bot' });
  ada = telegram.addUser({ firstName: 'Ada' });
  settings = {
    ...buildServerSettings(database.connectionString),
    THALAMUS_TELEGRAM_BASE_URL: telegram.url,
  };
});
afterAll(async () => {
  await telegram.close();
  await database.drop();
});

/** What was stored that begins so, in order. */
async function listStored(server: ServerProcess, begins: string): Promise<string[]> {
  const contents: string[] = [];
  for (let offset = 0; ; offset += 100) {
    const { memories } = await server.ok('list_memories', { limit: 100, offset });
    contents.push(...(memories as { content: string }[]).map(({ content }) => content));
    if ((memories as unknown[]).length < 100)
      return contents.filter((content) => content.startsWith(begins)).toReversed();
  }
}

test('a server killed during a turn with a model stores its note once, and the turn continues', async () => {
  const turn = telegram.addBot({ username: 'turn_bot' });
  const hangs = Promise.withResolvers<void>();
  let isBack = false;
  const model = await startSmallModel((prompt) => {
    const note = { operation: 'add_memory', input: '{"content": "The ferry leaves at six"}', answer: null };
    if (!prompt.includes('Result:')) return note;
    if (isBack) return { operation: null, input: null, answer: 'Noted, at six.' };
    hangs.resolve();
    return new Promise(() => {});
  });
  const withModel = { ...settings, ...model.settings };
  const first = await startServerProcess(withModel, key);
  const connectionId = await connectBot(first, turn);
  const grace = telegram.addUser({ firstName: 'Grace' });
  await linkPhone(first, telegram, { user: grace, bot: turn, connectionId });
  telegram.type(grace, turn, 'Please note when the ferry leaves, at six');
  await hangs.promise;
  await first.kill();
  await endLeases(database.connectionString);
  isBack = true;
  const second = await startServerProcess(withModel, key);
  try {
    const answered = () => expect(telegram.messages(grace).at(-1)?.text).toBe('Noted, at six.');
    await vi.waitFor(answered, { timeout: 40_000, interval: 200 });
    expect(await listStored(second, 'The ferry')).toHaveLength(1);
    expect(model.prompts.filter((prompt) => !prompt.includes('Result:'))).toHaveLength(1);
  } finally {
    await second.stop();
    model.close();
  }
}, 120_000);

const listAnswers = () => telegram.messages(ada).filter(({ fromId }) => fromId === bot.id);

test('a server killed again and again while messages arrive stores and answers every text once, in order', async () => {
  const written = Array.from({ length: texts }, (_, number) => `Crate ${number} stands in aisle ${number * 7}`);
  const first = await startServerProcess(settings, key);
  const connectionId = await connectBot(first, bot);
  await linkPhone(first, telegram, { user: ada, bot, connectionId });
  const before = listAnswers().length;
  for (const words of written) telegram.type(ada, bot, words);
  await vi.waitFor(() => expect(listAnswers().length).toBeGreaterThan(before + texts / 4), 20_000);
  await first.kill();
  await endLeases(database.connectionString);
  expect(listAnswers().length - before).toBeLessThan(texts);

  const second = await startServerProcess(settings, key);
  const left = listAnswers().length;
  await vi.waitFor(() => expect(listAnswers().length).toBeGreaterThan(left + 20), 40_000);
  await second.kill();
  await endLeases(database.connectionString);

  const [third, fourth] = await Promise.all([startServerProcess(settings, key), startServerProcess(settings, key)]);
  try {
    await vi.waitFor(async () => expect(await listStored(third, 'Crate')).toHaveLength(texts), {
      timeout: 60_000,
      interval: 500,
    });
    await sleep(1_000); // until a duplicate would be visible
    expect(await listStored(fourth, 'Crate')).toEqual(written);
    await vi.waitFor(() => expect(listAnswers().length - before).toBeGreaterThanOrEqual(texts), 10_000);
    // An answer is said again only where a crash came between saying it and noting that: two crashes, two at most.
    expect(listAnswers().length - before).toBeLessThanOrEqual(texts + 2);
    // One process of the two listens: two would end each other's polls.
    const conflicts = telegram.ledger.all({ account: bot.username }).filter(({ status }) => status === 409);
    expect(conflicts.length).toBeLessThanOrEqual(2);
  } finally {
    await Promise.all([third.stop(), fourth.stop()]);
  }
}, 200_000);
