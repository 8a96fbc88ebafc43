import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { GoogleEmulator } from '#emulators/google/index';
import { startTelegramEmulator, type TelegramEmulator } from '#emulators/telegram/index';
import type { Bot, Message, User } from '#emulators/telegram/state';
import { joinAs, signInOwner, type SignedIn } from '../../../../tests/support/colleague.ts';
import { linkGoogle, startServerWithGoogle } from '../../../../tests/support/google.ts';
import { openAsOwner, type OwnerDatabase } from '../../../../tests/support/owner-database.ts';
import type { TestServer } from '../../../../tests/support/server.ts';
import { connectBot, collectBotMessages } from '../../../../tests/support/telegram.ts';

let server: TestServer;
let google: GoogleEmulator;
let telegram: TelegramEmulator;
let database: OwnerDatabase;
let close: () => Promise<void>;
let bot: Bot;
/** The owner of the drafts, her delegate, and another person, each with a phone. */
let [ada, grace, bob]: [SignedIn, SignedIn, SignedIn] = [] as never;
let [adas, graces, bobs]: [User, User, User] = [] as never;

beforeAll(async () => {
  telegram = await startTelegramEmulator();
  ({ server, google, close } = await startServerWithGoogle({ THALAMUS_TELEGRAM_BASE_URL: telegram.url }));
  database = await openAsOwner(server.connectionString);
  google.addAccount({ email: 'ada@example.com', name: 'Ada' });
  await linkGoogle(server, google);
  bot = telegram.addBot({ username: 'approvers_bot' });
  await connectBot(server, bot, { owner: 'workspace' });
  grace = await joinAs(server, database, 'grace@example.com');
  bob = await joinAs(server, database, 'bob@example.com');
  ada = await signInOwner(server, database);
  [adas, graces, bobs] = ['Ada', 'Grace', 'Bob'].map((firstName) =>
    telegram.addUser({ firstName, username: firstName.toLowerCase() }),
  ) as (typeof adas)[] as [User, User, User];
  await link(ada, adas);
  await link(grace, graces);
  await link(bob, bobs);
});
afterAll(async () => {
  await database.close();
  await close();
  await telegram.close();
});
afterEach(async () => {
  const { approvers } = await ada.ok('list_approvers');
  for (const { approver_id } of approvers as { approver_id: string }[])
    await ada.ok('withdraw_approver', { approver_id });
});

/** Like somebody who signed in. */
async function link(person: SignedIn, user: User): Promise<void> {
  const { code } = await person.ok('link_telegram');
  await collectBotMessages(telegram, user, bot, () => telegram.type(user, bot, `/start ${code}`));
}
const addApprover = async (more: object = {}) =>
  String((await ada.ok('name_approver', { email: 'grace@example.com', ...more }))['approver_id']);

let drafts = 0;
async function createDraft(notify = ['inbox', 'telegram']): Promise<{ draft_id: string }> {
  drafts += 1;
  const input = { to: ['noah@example.com'], subject: `Lunch ${drafts}`, body: 'On Friday.' };
  const request = { source: 'gmail', action_name: 'send_email', input, notify };
  const { draft_id } = await server.ok('act_on_integration', request);
  return { draft_id: String(draft_id) };
}

const waitUntil = (check: () => unknown) => vi.waitFor(check, { timeout: 10_000, interval: 20 });
const findMessage = ({ draft_id }: { draft_id: string }, user: User) =>
  telegram.messages(user).find(({ fromId, text }) => fromId === bot.id && text.includes(draft_id));
async function waitForPrompt(drafted: { draft_id: string }, user: User): Promise<Message> {
  await waitUntil(() => expect(findMessage(drafted, user)).toBeDefined());
  return findMessage(drafted, user) as Message;
}
const now = ({ id }: Message, user: User) => telegram.messages(user).find((message) => message.id === id);
async function press(message: Message, button: string, user: User) {
  const queryId = telegram.press(user, message, button);
  const find = () => telegram.answers().find((answer) => answer.queryId === queryId);
  await waitUntil(() => expect(find()).toBeDefined());
  return find();
}
const countSent = (number: number) =>
  google.ledger.sent().filter(({ subject }) => subject === `Lunch ${number}`).length;

test('a delegate’s phone gets the draft with its owner’s name, and a press there sends it once', async () => {
  await addApprover();
  const drafted = await createDraft();
  const [own, other] = [await waitForPrompt(drafted, adas), await waitForPrompt(drafted, graces)];
  expect(other.text).toMatch(/A draft of .+ waits for your approval/);
  expect(other.text).toContain('who delegated the decision to you');
  expect(own.text).not.toContain('delegated');
  expect(findMessage(drafted, bobs)).toBeUndefined();
  expect(await press(other, 'Approve', graces)).toMatchObject({ text: expect.stringContaining('Approved') });
  for (const [message, user] of [
    [own, adas],
    [other, graces],
  ] as const) {
    await waitUntil(() => expect(now(message, user)?.text).toContain('and sent.'));
    expect(now(message, user)?.keyboard).toBeUndefined();
  }
  expect(countSent(drafts)).toBe(1);
  const { ledger } = await ada.ok('get_action', drafted);
  expect(ledger).toContainEqual(
    expect.objectContaining({ step: 'decided', detail: expect.objectContaining({ named_by: expect.any(String) }) }),
  );
});

test('two people who press at once send it once', async () => {
  await addApprover();
  const drafted = await createDraft();
  const [own, other] = [await waitForPrompt(drafted, adas), await waitForPrompt(drafted, graces)];
  await Promise.all([press(own, 'Approve', adas), press(other, 'Approve', graces)]);
  await waitUntil(() => expect(now(other, graces)?.text).toContain('and sent.'));
  await waitUntil(() => expect(now(own, adas)?.text).toContain('and sent.'));
  expect(countSent(drafts)).toBe(1);
});

test('a person without a matching delegation gets nothing', async () => {
  await addApprover({ actions: ['create_event'] });
  const drafted = await createDraft();
  await waitForPrompt(drafted, adas);
  await addApprover();
  await waitForPrompt(await createDraft(), graces);
  expect(findMessage(drafted, graces)).toBeUndefined();
});

test('a button of a person who lost access does not decide the draft, and shows no more of it', async () => {
  const approver_id = await addApprover();
  const drafted = await createDraft();
  const [own, other] = [await waitForPrompt(drafted, adas), await waitForPrompt(drafted, graces)];
  await ada.ok('withdraw_approver', { approver_id });
  expect(await press(other, 'Approve', graces)).toMatchObject({ alert: true });
  expect(await ada.ok('get_action', drafted)).toMatchObject({ status: 'pending' });
  await press(own, 'Decline', adas);
  await waitUntil(() => expect(now(own, adas)?.text).toContain('Declined by'));
  await waitUntil(() => expect(now(other, graces)?.text).toBe('You may no longer decide about this draft.'));
  expect(countSent(drafts)).toBe(0);
});

test('a phone that a key linked gets no drafts of others', async () => {
  await addApprover();
  await database.rows('update telegram_links set is_human_surface = false where chat_id = $1', [graces.id]);
  const drafted = await createDraft();
  await waitForPrompt(drafted, adas);
  await database.rows('update telegram_links set is_human_surface = true where chat_id = $1', [graces.id]);
  await waitForPrompt(await createDraft(), graces);
  expect(findMessage(drafted, graces)).toBeUndefined();
});

test('an approver who blocked the bot does not stop messages to the others', async () => {
  await addApprover();
  telegram.block(graces, bot);
  const drafted = await createDraft();
  const own = await waitForPrompt(drafted, adas);
  await waitUntil(async () => {
    const [left] = await database.rows('select count(*)::int as count from telegram_replies where chat_id = $1', [
      graces.id,
    ]);
    expect(left).toEqual({ count: 0 });
  });
  expect(await ada.ok('get_action', drafted)).toMatchObject({ notify_targets: ['inbox', 'telegram'] });
  await press(own, 'Decline', adas);
  await waitUntil(() => expect(now(own, adas)?.text).toContain('Declined by'));
});
