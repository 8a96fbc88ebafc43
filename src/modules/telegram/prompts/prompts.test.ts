import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { GoogleEmulator } from '#emulators/google/index';
import { startTelegramEmulator, type TelegramEmulator } from '#emulators/telegram/index';
import type { Bot, Message, User } from '#emulators/telegram/state';
import { linkGoogle, startServerWithGoogle } from '../../../../tests/support/google.ts';
import { openAsOwner, type OwnerDatabase } from '../../../../tests/support/owner-database.ts';
import { addPerson } from '../../../../tests/support/second-person.ts';
import type { TestServer } from '../../../../tests/support/server.ts';
import { connectBot, linkPhone, linkPhoneAsPerson } from '../../../../tests/support/telegram.ts';
import type { DraftRow } from '#modules/actions';
import { buildButtons as drawButtons, formatPromptHtml } from './format-prompt.ts';
import type { ButtonName } from '../store/prompts.ts';

let server: TestServer;
let google: GoogleEmulator;
let telegram: TelegramEmulator;
let database: OwnerDatabase;
let close: () => Promise<void>;
let agentKey: string;
let bot: Bot;
let ada: User;

beforeAll(async () => {
  telegram = await startTelegramEmulator();
  ({ server, google, close } = await startServerWithGoogle({ THALAMUS_TELEGRAM_BASE_URL: telegram.url }));
  database = await openAsOwner(server.connectionString);
  google.addAccount({ email: 'ada@example.com', name: 'Ada' });
  await linkGoogle(server, google);
  agentKey = String((await server.ok('create_key', { label: 'Agent' }))['key']);
  bot = telegram.addBot({ username: 'prompt_bot' });
  ada = telegram.addUser({ firstName: 'Ada', username: 'ada' });
});
afterAll(async () => {
  await database.close();
  await close();
  await telegram.close();
});

type DraftAnswer = { draft_id: string; note?: string };
let drafts = 0;

async function createDraft(
  over: Record<string, unknown> = {},
  notify: string[] = ['inbox', 'telegram'],
): Promise<DraftAnswer> {
  drafts += 1;
  const input = { to: ['noah@example.com'], subject: `Lunch ${drafts}`, body: 'See you <b>on Friday</b>.', ...over };
  const request = { source: 'gmail', action_name: 'send_email', input, notify };
  return (await server.ok('act_on_integration', request, { key: agentKey })) as DraftAnswer; // as the bot answers
}

const waitUntil = (check: () => unknown) => vi.waitFor(check, { timeout: 10_000, interval: 20 });
const listBotMessages = (user = ada, from = bot) => telegram.messages(user).filter(({ fromId }) => fromId === from.id);

/** The message that shows a draft to somebody. */
async function waitForPrompt({ draft_id }: DraftAnswer, user = ada, from = bot): Promise<Message> {
  const find = () => listBotMessages(user, from).find(({ text }) => text.includes(draft_id));
  await waitUntil(() => expect(find()).toBeDefined());
  return find() as Message;
}
const listButtons = ({ id }: Message, user = ada) =>
  telegram
    .messages(user)
    .find((message) => message.id === id)
    ?.keyboard?.flat()
    .map(({ text }) => text);
const findText = ({ id }: Message, user = ada) => telegram.messages(user).find((message) => message.id === id)?.text;

/** What the phone shows after a button was pressed. */
async function press(message: Message, button: string, user = ada) {
  const queryId = telegram.press(user, message, button);
  return answerTo(queryId);
}
async function answerTo(queryId: string) {
  const find = () => telegram.answers().find((answer) => answer.queryId === queryId);
  await waitUntil(() => expect(find()).toBeDefined());
  return find();
}
const countSentMails = () => google.ledger.sent().length;
const readDraftState = async ({ draft_id }: DraftAnswer) => server.ok('get_action', { draft_id });

/** The data of a draft's button, in any message. */
async function buildButtonData(name: ButtonName, drafted: DraftAnswer): Promise<string> {
  const { content_hash: payload_hash } = await readDraftState(drafted);
  const [button] = drawButtons({ id: drafted.draft_id, payload_hash }, [name]);
  return String(button?.data);
}

test('without a phone the note gives the reason, and the prompt is in the inbox only', async () => {
  const drafted = await createDraft();
  expect(drafted.note).toContain('inbox only');
  expect(await readDraftState(drafted)).toMatchObject({ notify_targets: ['inbox'] });
  expect((await createDraft({}, ['telegram'])).note).toContain('inbox only');
});

test('a phone that no signed-in person linked gets the draft and the link, and no buttons', async () => {
  await connectBot(server, bot);
  await linkPhone(server, telegram, { user: ada, bot });
  const drafted = await createDraft();
  expect(drafted.note).toBeUndefined();
  const message = await waitForPrompt(drafted);
  expect(listButtons(message)).toBeUndefined();
  expect(message.text).toContain(`/inbox/${drafted.draft_id}`);
  const answer = await forge(message, await buildButtonData('approve', drafted));
  expect(answer).toMatchObject({ alert: true, text: expect.stringContaining('/inbox') });
  expect(await readDraftState(drafted)).toMatchObject({ status: 'pending' });
});

/** A press of a button that does not exist, as programs other than Telegram's can send it. */
async function forge(message: Message, data: string, user = ada) {
  const shown = telegram.messages(user).find(({ id }) => id === message.id) as Message;
  const keyboard = shown.keyboard;
  shown.keyboard = [[{ text: 'forged', callback_data: data }]];
  const queryId = telegram.press(user, shown, 'forged');
  shown.keyboard = keyboard;
  return answerTo(queryId);
}

test('the phone of a signed-in person shows the whole draft, and approving it there sends it once', async () => {
  await linkPhoneAsPerson(server, telegram, { user: ada, bot, database });
  const drafted = await createDraft();
  expect(await readDraftState(drafted)).toMatchObject({ notify_targets: ['inbox', 'telegram'] });
  const message = await waitForPrompt(drafted);
  for (const words of [
    'noah@example.com',
    `Lunch ${drafts}`,
    'See you <b>on Friday</b>.',
    'Drafted by Agent',
    '/inbox/',
  ])
    expect(message.text).toContain(words);
  expect(listButtons(message)).toEqual(['Approve', 'Decline']);
  const before = countSentMails();
  expect(await press(message, 'Approve')).toMatchObject({ text: 'Approved. It is being sent.', alert: false });
  await waitUntil(() => expect(findText(message)).toContain('and sent.'));
  expect(listButtons(message)).toBeUndefined();
  expect(findText(message)).toContain('See you <b>on Friday</b>.');
  const state = await readDraftState(drafted);
  expect(state).toMatchObject({ status: 'confirmed' });
  const decided = (state['ledger'] as { step: string; detail: object }[]).find(({ step }) => step === 'decided');
  expect(decided?.detail).toMatchObject({ caller_kind: 'telegram', human_surface: true });
  expect(countSentMails()).toBe(before + 1);
});

test('a draft that is declined on the phone is not sent, and the message shows it', async () => {
  const drafted = await createDraft();
  const message = await waitForPrompt(drafted);
  const before = countSentMails();
  expect(await press(message, 'Decline')).toMatchObject({ text: 'Declined. Nothing was sent.' });
  await waitUntil(() => expect(findText(message)).toContain('Declined by'));
  expect(listButtons(message)).toBeUndefined();
  expect(await readDraftState(drafted)).toMatchObject({ status: 'discarded' });
  expect(countSentMails()).toBe(before);
});

test('two presses at once send the draft once, and both get an answer', async () => {
  const drafted = await createDraft();
  const message = await waitForPrompt(drafted);
  const before = countSentMails();
  const answers = await Promise.all([press(message, 'Approve'), press(message, 'Approve')]);
  expect(answers.map((answer) => answer?.text).toSorted()).toEqual([
    'Approved. It is being sent.',
    'This changed nothing. The message shows the outcome.',
  ]);
  await waitUntil(() => expect(findText(message)).toContain('and sent.'));
  expect(countSentMails()).toBe(before + 1);
  expect(await forge(message, await buildButtonData('decline', drafted))).toMatchObject({
    alert: true,
    text: expect.stringContaining('cannot be discarded: it is'),
  });
  expect(await readDraftState(drafted)).toMatchObject({ status: 'confirmed' });
});

test('a draft that is decided on the console loses its buttons, and a late press does nothing', async () => {
  const [sent, dropped] = [await createDraft(), await createDraft()];
  const [first, second] = [await waitForPrompt(sent), await waitForPrompt(dropped)];
  await server.ok('confirm_action', { draft_id: sent.draft_id });
  await server.ok('discard_action', { draft_id: dropped.draft_id });
  await waitUntil(() => expect(findText(first)).toContain('and sent.'));
  await waitUntil(() => expect(findText(second)).toContain('Declined by'));
  expect([listButtons(first), listButtons(second)]).toEqual([undefined, undefined]);
  const before = countSentMails();
  expect(await forge(first, await buildButtonData('approve', sent))).toMatchObject({
    text: expect.stringContaining('changed nothing'),
  });
  expect(await forge(second, await buildButtonData('approve', dropped))).toMatchObject({
    alert: true,
    text: expect.stringContaining('was discarded. Nothing was sent'),
  });
  expect(countSentMails()).toBe(before);
});

test('a draft that is edited at the console shows the edit, and a press for the former content sends nothing', async () => {
  const drafted = await createDraft();
  const message = await waitForPrompt(drafted);
  const before = countSentMails();
  const [button] = message.keyboard?.flat() ?? [];
  await server.ok('edit_action', { draft_id: drafted.draft_id, edits: { body: 'See you on Monday.' } });
  expect(await forge(message, String(button?.callback_data))).toMatchObject({
    alert: true,
    text: expect.stringContaining('Nothing was sent. Read it again'),
  });
  await waitUntil(() => expect(findText(message)).toContain('See you on Monday.'));
  expect(findText(message)).toContain('Edited by');
  expect(listButtons(message)).toEqual(['Approve', 'Decline']);
  expect(countSentMails()).toBe(before);
  const shown = telegram.messages(ada).find(({ id }) => id === message.id) as Message;
  expect(await press(shown, 'Approve')).toMatchObject({ text: 'Approved. It is being sent.' });
  await waitUntil(() => expect(findText(message)).toContain('and sent.'));
  expect(google.ledger.sent().at(-1)?.text).toContain('See you on Monday.');
});

test('the message of a draft that a person extends shows the new time, and can still approve it', async () => {
  const drafted = await createDraft();
  const message = await waitForPrompt(drafted);
  const before = findText(message);
  await server.ok('extend_action', { draft_id: drafted.draft_id, expires_in_minutes: 4_320 });
  await waitUntil(() => expect(findText(message)).not.toBe(before));
  expect(findText(message)).toContain('waits for your approval until');
  expect(listButtons(message)).toEqual(['Approve', 'Decline']);
  expect(await press(message, 'Approve')).toMatchObject({ text: 'Approved. It is being sent.' });
  await waitUntil(() => expect(findText(message)).toContain('and sent.'));
});

test('the message of an expired draft shows that it expired, and cannot approve it', async () => {
  const drafted = await createDraft();
  const message = await waitForPrompt(drafted);
  const past = `now() - interval '1 second'`;
  await database.rows(`update drafts set expires_at = ${past} where id = $1`, [drafted.draft_id]);
  expect(await press(message, 'Approve')).toMatchObject({
    alert: true,
    text: expect.stringContaining('This draft expired'),
  });
  await database.rows(`update telegram_prompts set expires_at = ${past} where draft_id = $1`, [drafted.draft_id]);
  await waitUntil(() => expect(findText(message)).toContain('Expired without a decision'));
  expect(listButtons(message)).toBeUndefined();
  expect(await readDraftState(drafted)).toMatchObject({ status: 'expired' });
});

test('a press with a foreign button decides nothing', async () => {
  const [mine, unseen] = [await createDraft(), await createDraft({}, ['inbox'])];
  const message = await waitForPrompt(mine);
  const id = mine.draft_id;
  const own = await buildButtonData('approve', mine);
  const forged = [
    await buildButtonData('approve', unseen),
    own.replace('approve', 'undo'),
    `${own} `,
    own.replace('approve', ''),
    own.replace('approve', 'APPROVE'),
    own.slice(0, -4), // less of the shown content's hash
    id,
    `approve:${id}`,
    '',
    '🎈'.repeat(16),
  ];
  for (const data of forged.filter(Boolean)) {
    expect(await forge(message, data)).toMatchObject({ alert: true, text: expect.stringContaining('no longer works') });
  }
  for (const drafted of [mine, unseen]) expect(await readDraftState(drafted)).toMatchObject({ status: 'pending' });
});

test('a stranger, and a colleague at a shared bot, cannot decide another person’s draft', async () => {
  const drafted = await createDraft();
  const message = await waitForPrompt(drafted);
  const mallory = telegram.addUser({ firstName: 'Mallory' });
  telegram.type(mallory, bot, 'Hello');
  await waitUntil(() => expect(listBotMessages(mallory)).toHaveLength(1));
  const [own] = listBotMessages(mallory);
  expect(await forge(own as Message, await buildButtonData('approve', drafted), mallory)).toMatchObject({
    alert: true,
    text: expect.stringContaining('private'),
  });
  expect(await press(message, 'Approve', mallory)).toMatchObject({ text: expect.stringContaining('private') });

  const shared = telegram.addBot({ username: 'shared_bot' });
  const connectionId = await connectBot(server, shared, { owner: 'workspace' });
  const { key } = await addPerson(database);
  const grace = telegram.addUser({ firstName: 'Grace' });
  await linkPhone(server, telegram, { user: grace, bot: shared, key, connectionId });
  await database.rows(`update telegram_links set is_human_surface = true`);
  const [answer] = listBotMessages(grace, shared);
  expect(await forge(answer as Message, await buildButtonData('approve', drafted), grace)).toMatchObject({
    alert: true,
    text: expect.stringContaining('no longer works'),
  });
  expect(await readDraftState(drafted)).toMatchObject({ status: 'pending' });
});

test('the message of a draft that is too long for it says so, and can decline but not approve it', async () => {
  const long = await createDraft({ body: 'word '.repeat(1_000) });
  const message = await waitForPrompt(long);
  expect(message.text).toContain('too long for Telegram');
  expect(message.text).toContain(`/inbox/${long.draft_id}`);
  expect(message.text).not.toContain('word word');
  expect(listButtons(message)).toEqual(['Decline']);
  expect(await forge(message, await buildButtonData('approve', long))).toMatchObject({ alert: true });
  expect(await readDraftState(long)).toMatchObject({ status: 'pending' });
  await press(message, 'Decline');
  await waitUntil(() => expect(findText(message)).toContain('Declined by'));
});

test('a draft that needs a person can be approved on the phone, and an error shows its reason', async () => {
  const { version } = await server.ok('get_policy');
  await server.ok('set_policy', { version, rules: [{ effect: 'require_human', sources: ['gmail'] }] });
  const drafted = await createDraft();
  const message = await waitForPrompt(drafted);
  google.failures.next({ method: 'POST', path: /\/drafts$/ }, { kind: 'status', status: 403, reason: 'forbidden' });
  await press(message, 'Approve');
  await waitUntil(() => expect(findText(message)).toContain('Nothing was sent:'));
  expect(await readDraftState(drafted)).toMatchObject({ status: 'failed' });
  const next = await server.ok('get_policy');
  await server.ok('set_policy', { version: next['version'], rules: [] });
});

test('an error with an unknown outcome is not shown as a failure', async () => {
  const { draft_id } = await createDraft();
  const [row] = (await database.rows('select * from drafts where id = $1', [draft_id])) as DraftRow[]; // its whole row
  const failed = (error: DraftRow['error']) =>
    row &&
    formatPromptHtml(
      { ...row, status: 'failed', decided_by_label: 'Ada', error },
      { publicUrl: server.url, now: new Date(), owner: null },
    );
  expect(failed({ message: 'Nobody knows whether it happened.' })).toMatch(
    /Approved by Ada. This is known about the outcome:\s*<blockquote>Nobody knows/,
  );
  expect(failed({ message: 'Refused.', nothing_was_sent: true })).toContain('Approved by Ada. Nothing was sent:');
});

test('the expiry of a draft includes its day, unless that is today', async () => {
  const { draft_id } = await createDraft();
  const [row] = (await database.rows('select * from drafts where id = $1', [draft_id])) as DraftRow[]; // its whole row
  const waiting = (expires: string) =>
    row &&
    formatPromptHtml(
      { ...row, expires_at: new Date(expires) },
      { publicUrl: server.url, now: new Date('2026-11-22T13:05:00Z'), owner: null },
    );
  expect(waiting('2026-11-22T14:05:00Z')).toContain('waits for your approval until 14:05 UTC.');
  expect(waiting('2026-11-23T01:05:00Z')).toContain('waits for your approval until Monday 23 November, 01:05 UTC.');
  expect(waiting('2026-11-29T13:05:00Z')).toContain('waits for your approval until Sunday 29 November, 13:05 UTC.');
});

test('after a change of the policy, approving sends nothing and the message gives the reason', async () => {
  const drafted = await createDraft();
  const message = await waitForPrompt(drafted);
  const [button] = message.keyboard?.flat() ?? [];
  const { version } = await server.ok('get_policy');
  await server.ok('set_policy', { version, rules: [{ effect: 'require_approval', note: 'Since today.' }] });
  const before = countSentMails();
  await waitUntil(() => expect(findText(message)).toContain('The policy changed after this was drafted'));
  expect(await forge(message, String(button?.callback_data))).toMatchObject({
    text: expect.stringContaining('out of date. Nothing was sent'),
  });
  expect(listButtons(message)).toBeUndefined();
  expect(countSentMails()).toBe(before);
  await server.ok('set_policy', { version: Number(version) + 1, rules: [] });
});

test('a phone that a key linked again cannot decide, and gets the link', async () => {
  const drafted = await createDraft();
  const message = await waitForPrompt(drafted);
  await database.rows(`update telegram_links set is_human_surface = false where chat_id = $1`, [ada.id]);
  expect(await press(message, 'Approve')).toMatchObject({
    alert: true,
    text: expect.stringMatching(/may draft but not approve.*\/inbox\//),
  });
  expect(await readDraftState(drafted)).toMatchObject({ status: 'pending' });
  expect(listButtons(message)).toEqual(['Approve', 'Decline']);
  await database.rows(`update telegram_links set is_human_surface = true where chat_id = $1`, [ada.id]);
});

test('decisions on the phone and on the console at once send the draft once', async () => {
  const drafted = await createDraft();
  const message = await waitForPrompt(drafted);
  const before = countSentMails();
  await Promise.all([press(message, 'Approve'), server.ok('confirm_action', { draft_id: drafted.draft_id })]);
  await waitUntil(() => expect(findText(message)).toContain('and sent.'));
  expect(countSentMails()).toBe(before + 1);
});

test('a message that was sent again because its answer was lost is updated, too, once it is pressed', async () => {
  telegram.failures.next({ path: /sendMessage$/ }, { kind: 'cut', when: 'after' });
  const drafted = await createDraft();
  const copies = () => listBotMessages().filter(({ text }) => text.includes(drafted.draft_id));
  await vi.waitFor(() => expect(copies()).toHaveLength(2), { timeout: 30_000, interval: 50 });
  const [first, second] = copies() as [Message, Message];
  await press(first, 'Approve');
  for (const copy of [first, second]) await waitUntil(() => expect(findText(copy)).toContain('and sent.'));
  expect([listButtons(first), listButtons(second)]).toEqual([undefined, undefined]);
});

test('an equal draft is not shown to the person twice, and a phone that blocked the bot counts as no phone', async () => {
  const words = { subject: 'Equal', body: 'The same.' };
  const [first, again] = [await createDraft(words), await createDraft(words)];
  expect(again.draft_id).toBe(first.draft_id);
  await waitForPrompt(first);
  telegram.block(ada, bot);
  const lost = await createDraft();
  await vi.waitFor(async () => expect(await readDraftState(lost)).toMatchObject({ notify_targets: ['inbox'] }), 10_000);
  telegram.block(ada, bot, false);
  expect(listBotMessages().filter(({ text }) => text.includes(first.draft_id))).toHaveLength(1);
  expect(listBotMessages().filter(({ text }) => text.includes(lost.draft_id))).toHaveLength(0);
});
