import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTelegramEmulator, type TelegramEmulator } from '#emulators/telegram/index';
import { openAsOwner, type OwnerDatabase } from '../../../../tests/support/owner-database.ts';
import { startTestServer, type TestServer } from '../../../../tests/support/server.ts';
import { startSmallModel, type SmallModel } from '../../../../tests/support/small-model.ts';
import { connectBot, linkPhone, collectBotMessages } from '../../../../tests/support/telegram.ts';

const note = { operation: 'add_memory', input: '{"content": "The ferry leaves at six"}', answer: null };
const over = { operation: null, input: null, answer: 'Noted, at six.' };

let telegram: TelegramEmulator;
let server: TestServer;
let database: OwnerDatabase;
let model: SmallModel;
/** Happens while the model answers for the first time. */
let runWhileThinking = async () => {};

beforeAll(async () => {
  telegram = await startTelegramEmulator();
  model = await startSmallModel(async (prompt) => {
    if (prompt.includes('Result:')) return over;
    await runWhileThinking();
    return note;
  });
  server = await startTestServer({ THALAMUS_TELEGRAM_BASE_URL: telegram.url, ...model.settings });
  database = await openAsOwner(server.connectionString);
});
afterAll(async () => {
  await database.close();
  await server.close();
  await telegram.close();
  model.close();
});

test('a process that lost its lease during a turn stores nothing, and the next holder handles the message', async () => {
  const bot = telegram.addBot({ username: 'fenced_bot' });
  const user = telegram.addUser({ firstName: 'Ada' });
  await connectBot(server, bot);
  await linkPhone(server, telegram, { user, bot });
  runWhileThinking = async () => {
    runWhileThinking = async () => {};
    await database.rows('update telegram_bots set lease_token = lease_token + 1, lease_until = null');
  };
  const answers = await collectBotMessages(telegram, user, bot, () =>
    telegram.type(user, bot, 'Please note that the ferry leaves at six'),
  );
  expect(answers).toEqual(['Noted, at six.']);
  expect(model.prompts.filter((prompt) => !prompt.includes('Result:'))).toHaveLength(2);
  expect(await server.ok('list_memories')).toMatchObject({ total: 1 });
  expect(await database.rows(`select 1 from audit_log where operation = 'add_memory'`)).toHaveLength(1);
});
