import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTelegramEmulator, type TelegramEmulator } from '#emulators/telegram/index';
import type { Bot, User } from '#emulators/telegram/state';
import { openAsOwner, type OwnerDatabase } from '../../../tests/support/owner-database.ts';
import { addPerson } from '../../../tests/support/second-person.ts';
import { startTestServer, type TestServer } from '../../../tests/support/server.ts';
import { connectBot, linkPhone } from '../../../tests/support/telegram.ts';
import { quickTimes } from '../../../tests/support/quick-times.ts';
import { passTimeAndWait } from '../../../tests/support/time-passes.ts';

let telegram: TelegramEmulator;
let server: TestServer;
let database: OwnerDatabase;
let agentKey: string;
let bot: Bot;
let ada: User;

beforeAll(async () => {
  telegram = await startTelegramEmulator();
  server = await startTestServer({
    THALAMUS_TELEGRAM_BASE_URL: telegram.url,
    ...quickTimes,
  });
  database = await openAsOwner(server.connectionString);
  agentKey = String((await server.ok('create_key', { label: 'Agent' }))['key']);
  bot = telegram.addBot({ username: 'push_bot' });
  ada = telegram.addUser({ firstName: 'Ada', username: 'ada' });
  await connectBot(server, bot);
  await linkPhone(server, telegram, { user: ada, bot });
});
afterAll(async () => {
  await database.close();
  await server.close();
  await telegram.close();
});
beforeEach(() => telegram.failures.clear());

const push = (text: string, more: object = {}, key = agentKey) =>
  server.call('telegram_push', { text, ...more }, { key });
const listPushed = (text: string) => telegram.messages(ada).filter((message) => message.text === text);
const readDraftState = (draftId: unknown) => server.ok('get_action', { draft_id: draftId });

test('a message is drafted, changed, confirmed, and arrives on the phone once', async () => {
  const buttons = [{ text: 'Open', url: 'https://example.com/board' }];
  const { body } = await push('The <b>board</b> is ready.', { buttons });
  expect(body).toMatchObject({
    kind: 'draft',
    action: 'push',
    approval_url: expect.stringContaining('/inbox/'),
    preview: {
      title: 'Message to @ada: The <b>board</b> is ready.',
      fields: [
        { label: 'To', text: '@ada' },
        { label: 'Text', text: 'The <b>board</b> is ready.' },
        { label: 'Button 1', text: 'Open\nhttps://example.com/board' },
      ],
    },
  });
  expect(listPushed('The <b>board</b> is ready.')).toEqual([]);
  const edits = { text: 'The board is <i>ready</i> now.' };
  expect(await server.ok('confirm_action', { draft_id: body['draft_id'], edits })).toMatchObject({
    status: 'confirmed',
    result: { message_id: expect.any(Number) },
  });
  expect(listPushed('The board is <i>ready</i> now.')).toMatchObject([{ keyboard: [buttons] }]);
  expect(await readDraftState(body['draft_id'])).toMatchObject({ ledger_is_whole: true });
});

test('a run in verify mode is refused a push and writes its row, and a dry run shows the push and sends none', async () => {
  const { board_id } = await server.ok('create_board', { name: 'Pushed' });
  const source = `await brains.append_board_rows({ board_id: "${board_id}", rows: [{ mode: args.mode }] });
    try { return (await brains.telegram_push({ text: "From a run" })).kind } catch (e) { return [e.code, e.message] }`;
  const { automation_id } = await server.ok('save_automation_draft', {
    name: 'Pushing',
    source,
    triggers: [{ kind: 'manual' }],
    tool_grants: [{ tool: 'append_board_rows' }, { tool: 'telegram_push' }],
  });
  const readResult = async (more: object) => {
    const { run_id } = await server.ok('run_automation_once', { automation_id, ...more });
    return (await server.ok('get_automation_run', { run_id })).result;
  };
  const before = await database.rows('select id from drafts');
  expect(await readResult({ verify_mode: true })).toEqual(['forbidden', expect.stringContaining('verify_mode')]);
  expect(await readResult({ dry_run: true })).toBe('noop');
  expect(await database.rows('select id from drafts')).toEqual(before);
  expect(await readResult({ dry_run: false }), 'live it is a draft').toBe('draft');
  expect(listPushed('From a run')).toEqual([]);
  const { data } = await server.ok('get_board', { board_id });
  expect(data.datasets['default']?.rows).toMatchObject([{ mode: 'verify' }, { mode: 'dry_run' }, { mode: 'live' }]);
});

test('another person’s phone cannot be chosen, not even by an edit', async () => {
  const mallory = telegram.addUser({ firstName: 'Mallory' });
  expect((await push('Hello', { chat_id: mallory.id })).status).toBe(422);
  const { body } = await push('For Ada alone');
  const edits = { chat_id: mallory.id };
  expect((await server.call('confirm_action', { draft_id: body['draft_id'], edits })).status).toBe(422);
  const act = { action_name: 'push', source: 'telegram', input: { text: 'x', phone: 'x', chat_id: mallory.id } };
  expect((await server.call('act_on_integration', act)).status).toBe(422);
  expect(telegram.messages(mallory)).toEqual([]);
});

test.for<[string, object]>([
  ['no text', { text: ' ' }],
  ['a text that is too long', { text: 'x'.repeat(4_097) }],
  ['a button that opens a script', { text: 'x', buttons: [{ text: 'y', url: 'javascript:alert(1)' }] }],
  ['a button without an address', { text: 'x', buttons: [{ text: 'y' }] }],
  ['too many buttons', { text: 'x', buttons: Array.from({ length: 9 }, () => ({ text: 'y', url: 'https://e.org' })) }],
])('the input with %s is refused', async ([, input]) => {
  expect((await server.call('telegram_push', input)).status).toBe(422);
});

test('the policy may send it without approval', async () => {
  const { version } = await server.ok('get_policy');
  const rules = [{ effect: 'allow', sources: ['telegram'], actions: ['push'], note: 'A nudge to oneself.' }];
  await server.ok('set_policy', { version, rules });
  expect((await push('By itself')).body).toMatchObject({
    kind: 'auto_executed',
    status: 'confirmed',
    audit_id: expect.any(String),
    result: { message_id: expect.any(Number) },
  });
  expect(listPushed('By itself')).toHaveLength(1);
  await server.ok('set_policy', { version: Number(version) + 1, rules: [] });
});

test.for(['cut', 'hang'] as const)(
  'a lost answer (%s) leaves the outcome unknown, and the message is not sent again',
  async (kind) => {
    const text = `Was it said? ${kind}`;
    const { body } = await push(text);
    telegram.failures.next({ path: /sendMessage$/, body: /Was it said/ }, { kind, when: 'after' });
    expect(await server.ok('confirm_action', { draft_id: body['draft_id'] })).toMatchObject({ status: 'ambiguous' });
    await passTimeAndWait(server.connectionString, 60);
    expect(await readDraftState(body['draft_id'])).toMatchObject({
      status: 'ambiguous',
      error: expect.stringContaining('Check the phone'),
    });
    expect(listPushed(text)).toHaveLength(1);
  },
);

test('a message that Telegram refuses fails with the reason', async () => {
  telegram.block(ada, bot);
  const { body } = await push('Blocked');
  expect(await server.ok('confirm_action', { draft_id: body['draft_id'] })).toMatchObject({
    status: 'failed',
    error: expect.stringContaining('blocked'),
  });
  telegram.block(ada, bot, false);
});

test('an unlinked phone gets nothing, and without a phone nothing can be drafted', async () => {
  const { body } = await push('To a lost phone');
  await server.ok('unlink_telegram');
  expect(await server.ok('confirm_action', { draft_id: body['draft_id'] })).toMatchObject({
    status: 'failed',
    error: expect.stringContaining('no longer linked'),
  });
  expect(listPushed('To a lost phone')).toEqual([]);
  expect(await push('Nobody there')).toMatchObject({
    status: 409,
    body: { details: { connect_url: expect.stringContaining('/integrations/telegram') } },
  });
  const { key } = await addPerson(database);
  expect((await push('Not my phone', {}, key)).status).toBe(409);
});
