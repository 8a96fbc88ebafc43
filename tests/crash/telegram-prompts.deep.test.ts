// A draft on a phone, decided while the process that speaks for the bot is killed: it is sent once, and the phone learns it.
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { PausedRequest } from '#emulators/kit/failures';
import { startGoogleEmulator, type GoogleEmulator } from '#emulators/google/index';
import { startTelegramEmulator, type TelegramEmulator } from '#emulators/telegram/index';
import type { Bot, Message, User } from '#emulators/telegram/state';
import { buildGoogleSettings, linkGoogle } from '../support/google.ts';
import { openAsOwner } from '../support/owner-database.ts';
import { createTestDatabase } from '../support/postgres.ts';
import { buildServerSettings, startServerProcess, type ServerProcess } from '../support/server-process.ts';
import { endLeases } from '../support/time-passes.ts';
import { connectBot, linkPhoneAsPerson } from '../support/telegram.ts';

const key = `cm_${'pressed'.repeat(5)}`;

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let telegram: TelegramEmulator;
let google: GoogleEmulator;
let settings: Record<string, string>;
let bot: Bot;
let ada: User;
/** The one that listens to the bot, and the one that takes over. */
let [first, second]: (ServerProcess | undefined)[] = [];
const pausedRequests: PausedRequest[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  telegram = await startTelegramEmulator();
  google = await startGoogleEmulator();
  google.addAccount({ email: 'ada@example.com', name: 'Ada' });
  bot = telegram.addBot({ username: 'pressed_bot' });
  ada = telegram.addUser({ firstName: 'Ada' });
  settings = {
    ...buildServerSettings(database.connectionString),
    THALAMUS_TELEGRAM_BASE_URL: telegram.url,
    THALAMUS_SEND_TIMEOUT_SECONDS: '4',
    THALAMUS_SETTLE_AFTER_SECONDS: '1',
    ...buildGoogleSettings(google),
  };
  first = await startServerProcess(settings, key);
  await linkGoogle(first, google);
  await connectBot(first, bot);
  const owner = await openAsOwner(database.connectionString);
  await linkPhoneAsPerson(first, telegram, { user: ada, bot, database: owner });
  await owner.close();
});
afterAll(async () => {
  for (const pausedRequest of pausedRequests) pausedRequest.release();
  await Promise.all([first?.stop(), second?.stop()]);
  await telegram.close();
  await google.close();
  await database.drop();
});

function pauseRequest(
  of: { failures: GoogleEmulator['failures'] },
  path: RegExp,
  when: 'before' | 'after',
): PausedRequest {
  const pausedRequest = of.failures.pause({ path }, when);
  pausedRequests.push(pausedRequest);
  return pausedRequest;
}

type DecisionWay = {
  decides: (parts: { message: Message; other: ServerProcess; draftId: string }) => unknown;
  /** What the killed process was at. */
  pauseSend: () => PausedRequest;
  /** The state of the draft by then; absent: only the provider knows it. */
  finalStatus?: 'confirmed' | 'discarded';
  tells: string;
  mails: number;
};
const pauseEdits = () => pauseRequest(telegram, /editMessageText$/, 'before');
const approve = ({ message }: { message: Message }) => telegram.press(ada, message, 'Approve');

const ways: [string, DecisionWay][] = [
  [
    'approved on the phone, before the message is edited',
    { decides: approve, pauseSend: pauseEdits, finalStatus: 'confirmed', tells: 'and sent.', mails: 1 },
  ],
  [
    'approved on the phone, after the provider has taken the mail',
    {
      decides: approve,
      pauseSend: () => pauseRequest(google, /\/drafts\/send$/, 'after'),
      tells: 'and sent.',
      mails: 1,
    },
  ],
  [
    'approved on the phone, before the press is answered',
    {
      decides: approve,
      pauseSend: () => pauseRequest(telegram, /answerCallbackQuery$/, 'before'),
      finalStatus: 'confirmed',
      tells: 'and sent.',
      mails: 1,
    },
  ],
  [
    'declined at another process, before the message is edited',
    {
      decides: ({ other, draftId }) => other.ok('discard_action', { draft_id: draftId }),
      pauseSend: pauseEdits,
      finalStatus: 'discarded',
      tells: 'Declined by',
      mails: 0,
    },
  ],
];

test.for(ways)(
  'a server killed when the draft was %s still sends its outcome to the phone',
  { timeout: 120_000 },
  async ([name, way]) => {
    const listening = first as ServerProcess;
    const other = (second = await startServerProcess(settings, key));
    const input = { to: ['noah@example.com'], subject: name, body: 'Hello.' };
    const request = { source: 'gmail', action_name: 'send_email', input, notify: ['telegram'] };
    const { draft_id } = await other.ok('act_on_integration', request);
    const state = async () => (await other.ok('get_action', { draft_id }))['status'];
    const find = () => telegram.messages(ada).find(({ text }) => text.includes(String(draft_id)));
    await vi.waitFor(() => expect(find()).toBeDefined(), { timeout: 10_000, interval: 20 });
    const pausedRequest = way.pauseSend();
    await way.decides({ message: find() as Message, other, draftId: String(draft_id) });
    await pausedRequest.reached;
    if (way.finalStatus) await vi.waitFor(async () => expect(await state()).toBe(way.finalStatus), 10_000);
    await listening.kill();
    await endLeases(database.connectionString);
    [first, second] = [other, undefined];
    const expectOutcome = () => expect(find()?.text).toContain(way.tells);
    await vi.waitFor(expectOutcome, { timeout: 60_000, interval: 100 });
    expect(find()?.keyboard).toBeUndefined();
    expect(google.ledger.sent().filter(({ subject }) => subject === name)).toHaveLength(way.mails);
    const { ledger } = await other.ok('get_action', { draft_id });
    const steps = (ledger as { step: string }[]).map(({ step }) => step);
    expect(steps.filter((step) => step === 'decided' || step === 'discarded')).toHaveLength(1);
  },
);

test('a message whose process is killed during the sending arrives once, and a person is asked', async () => {
  const other = (second = await startServerProcess(settings, key));
  const { draft_id } = await other.ok('telegram_push', { text: 'The ferry is late' });
  const pausedRequest = pauseRequest(telegram, /sendMessage$/, 'after');
  other.call('confirm_action', { draft_id }).catch(() => {}); // the kill cuts it off
  await pausedRequest.reached;
  await other.kill();
  await endLeases(database.connectionString);
  second = undefined;
  const listening = first as ServerProcess;
  const expectPrompts = async () => {
    const { status, ledger } = await listening.ok('get_action', { draft_id });
    expect(status).toBe('ambiguous');
    expect((ledger as { step: string }[]).filter(({ step }) => step === 'sending')).toHaveLength(1);
  };
  await vi.waitFor(expectPrompts, { timeout: 40_000, interval: 200 });
  expect(telegram.messages(ada).filter(({ text }) => text === 'The ferry is late')).toHaveLength(1);
}, 60_000);
