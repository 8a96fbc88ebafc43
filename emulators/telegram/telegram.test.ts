// Telegram's Bot API, as a bot meets it.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { getPathValue, createTokenClient } from '../kit/api-client.ts';
import { startTelegramEmulator } from './index.ts';
import type { TelegramEmulator } from './index.ts';
import type { Bot, User } from './state.ts';

let telegram: TelegramEmulator;
let clock: Date;
let bot: Bot;
let ada: User;

beforeEach(async () => {
  clock = new Date('2026-03-02T09:00:00Z');
  telegram = await startTelegramEmulator({ now: () => clock, webhookRetryMs: 20 });
  bot = telegram.addBot({ username: 'brain_bot' });
  ada = telegram.addUser({ firstName: 'Ada', username: 'ada' });
});

afterEach(() => telegram.close());

async function call(method: string, json: Record<string, unknown> = {}, token = bot.token) {
  const { status, body } = await createTokenClient(telegram.url)('POST', `/bot${token}/${method}`, { json });
  return { status, ...body } as { status: number; ok: boolean; result?: unknown; description?: string } & Record<
    string,
    unknown
  >;
}

test('a bot reads its own account; a wrong token is 401, an unknown method 404', async () => {
  expect((await call('getMe')).result).toMatchObject({ is_bot: true, username: 'brain_bot' });
  expect((await call('GETME')).ok).toBe(true);
  expect(await call('getMe', {}, '1:x')).toMatchObject({
    status: 401,
    ok: false,
    error_code: 401,
    description: 'Unauthorized',
  });
  expect((await call('sendRain')).status).toBe(404);
  telegram.revokeToken(bot);
  expect((await call('getMe')).status).toBe(401);
});

test('updates are repeated until an offset confirms them', async () => {
  telegram.type(ada, bot, '/start abc');
  telegram.type(ada, bot, 'Hello');
  const first = await call('getUpdates');
  expect(first.result).toMatchObject([
    {
      message: {
        text: '/start abc',
        from: { first_name: 'Ada' },
        chat: { id: ada.id, type: 'private' },
        entities: [{ type: 'bot_command', length: 6 }],
      },
    },
    { message: { text: 'Hello' } },
  ]);
  expect((await call('getUpdates', { limit: 1 })).result).toHaveLength(1);
  const last = Number(getPathValue(first.result, '1.update_id'));
  expect((await call('getUpdates', { offset: last })).result).toMatchObject([{ update_id: last }]);
  expect((await call('getUpdates', { offset: last + 1 })).result).toEqual([]);
  expect((await call('getUpdates')).result).toEqual([]);
});

test('a long poll waits for the next update, and a second poll ends it with 409', async () => {
  const waiting = call('getUpdates', { timeout: 30 });
  await vi.waitFor(() => expect(telegram.ledger.count()).toBe(1));
  telegram.type(ada, bot, 'now');
  expect((await waiting).result).toMatchObject([{ message: { text: 'now' } }]);
  const next = Number(getPathValue((await call('getUpdates')).result, '0.update_id')) + 1;
  const ended = call('getUpdates', { timeout: 30, offset: next });
  await vi.waitFor(() => expect(telegram.ledger.count()).toBe(3));
  expect((await call('getUpdates', { offset: next })).ok).toBe(true);
  expect(await ended).toMatchObject({
    status: 409,
    description: expect.stringContaining('terminated by other getUpdates') as string,
  });
  const empty = performance.now();
  expect((await call('getUpdates', { offset: next, timeout: 1 })).result).toEqual([]);
  expect(performance.now() - empty).toBeGreaterThan(900);
});

async function startHookServer(answers: number[]) {
  const got: { secret: unknown; update: unknown }[] = [];
  const server = createServer((request, response) => {
    let source = '';
    request.on('data', (part: Buffer) => (source += part.toString()));
    request.on('end', () => {
      got.push({ secret: request.headers['x-telegram-bot-api-secret-token'], update: JSON.parse(source) });
      response.statusCode = answers.shift() ?? 200;
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  return { url, got, close: () => new Promise((resolve) => server.close(resolve)) };
}

test('a webhook gets waiting and new updates in order, again after an error, with its secret', async () => {
  const hook = await startHookServer([500]);
  telegram.type(ada, bot, 'before');
  expect((await call('setWebhook', { url: hook.url, secret_token: 's_1' })).result).toBe(true);
  telegram.type(ada, bot, 'after');
  await vi.waitFor(() => expect(hook.got).toHaveLength(3));
  expect(hook.got).toMatchObject([
    { secret: 's_1', update: { message: { text: 'before' } } },
    { update: { message: { text: 'before' } } },
    { update: { message: { text: 'after' } } },
  ]);
  expect((await call('getUpdates')).status).toBe(409);
  await vi.waitFor(async () =>
    expect((await call('getWebhookInfo')).result).toMatchObject({
      url: hook.url,
      pending_update_count: 0,
      last_error_message: expect.stringContaining('500') as string,
    }),
  );
  await call('deleteWebhook');
  expect((await call('getUpdates')).result).toEqual([]);
  expect((await call('setWebhook', { url: 'http://example.com/' })).status).toBe(400);
  await hook.close();
});

test('a person presses a button, the bot answers once and edits the message', async () => {
  telegram.type(ada, bot, 'Hi');
  const keyboard = {
    inline_keyboard: [
      [
        { text: 'Yes', callback_data: 'yes:1' },
        { text: 'Look', url: 'https://example.com' },
      ],
    ],
  };
  const sent = await call('sendMessage', { chat_id: ada.id, text: 'Send it?', reply_markup: keyboard });
  expect(sent.result).toMatchObject({ text: 'Send it?', reply_markup: keyboard });
  const [, message] = telegram.messages(ada);
  if (!message) throw new Error('nothing was sent');
  const id = telegram.press(ada, message, 'Yes');
  const { result } = await call('getUpdates', { allowed_updates: ['callback_query'] });
  expect(result).toMatchObject([
    { callback_query: { id, data: 'yes:1', from: { id: ada.id }, message: { message_id: message.id } } },
  ]);
  expect((await call('answerCallbackQuery', { callback_query_id: id, text: 'Sent' })).result).toBe(true);
  expect(telegram.answers()).toEqual([{ queryId: id, userId: ada.id, text: 'Sent', alert: false }]);
  expect((await call('answerCallbackQuery', { callback_query_id: id })).status).toBe(400);
  const edit = { chat_id: ada.id, message_id: message.id, text: 'Sent.' };
  expect((await call('editMessageText', edit)).result).not.toHaveProperty('reply_markup');
  expect((await call('editMessageText', edit)).description).toContain('message is not modified');
  expect(() => telegram.press(ada, message, 'Yes')).toThrow('no button');
});

test('a bot cannot answer a pressed button after too long', async () => {
  telegram.type(ada, bot, 'Hi');
  await call('sendMessage', {
    chat_id: ada.id,
    text: '?',
    reply_markup: { inline_keyboard: [[{ text: 'Yes', callback_data: 'y' }]] },
  });
  const [, message] = telegram.messages(ada);
  const id = message && telegram.press(ada, message, 'Yes');
  clock = new Date(clock.getTime() + 61_000);
  expect((await call('answerCallbackQuery', { callback_query_id: id })).description).toContain('query is too old');
});

test.each([
  [{ text: ' ' }, 'message text is empty'],
  [{ text: 'x'.repeat(4097) }, 'message is too long'],
  [{ text: 'x', colour: 'red' }, 'unknown parameter'],
  [{ text: '<b>x', parse_mode: 'HTML' }, "can't parse entities"],
  [{ text: 'Done.', parse_mode: 'MarkdownV2' }, "Character '.' is reserved"],
  [
    { text: 'x', reply_markup: { inline_keyboard: [[{ text: 'a', callback_data: 'ü'.repeat(33) }]] } },
    'BUTTON_DATA_INVALID',
  ],
  [{ text: 'x', reply_parameters: { message_id: 1 } }, 'message to be replied not found'],
])('the message %j is refused', async (json, description) => {
  telegram.type(ada, bot, 'Hi');
  const refused = await call('sendMessage', { chat_id: ada.id, ...json });
  expect([refused.status, refused.description]).toEqual([400, expect.stringContaining(description)]);
  expect(telegram.messages(ada)).toHaveLength(1);
});

test('formatting marks are parsed, and forms are accepted like JSON', async () => {
  telegram.type(ada, bot, 'Hi');
  const html = await call('sendMessage', { chat_id: ada.id, text: '<b>Bold</b> &amp; so', parse_mode: 'HTML' });
  expect(html.result).toMatchObject({ text: 'Bold & so' });
  const form = new URLSearchParams({
    chat_id: String(ada.id),
    text: 'x',
    reply_markup: '{"inline_keyboard":[[{"text":"a","callback_data":"b"}]]}',
  });
  const response = await fetch(`${telegram.url}/bot${bot.token}/sendMessage`, { method: 'POST', body: form });
  expect(await response.json()).toMatchObject({
    ok: true,
    result: { reply_markup: { inline_keyboard: [[{ text: 'a' }]] } },
  });
});

test('a bot writes only to users who wrote first and did not block it', async () => {
  const write = () => call('sendMessage', { chat_id: ada.id, text: 'x' });
  expect(await write()).toMatchObject({
    status: 403,
    description: "Forbidden: bot can't initiate conversation with a user",
  });
  telegram.type(ada, bot, 'Hi');
  expect((await write()).ok).toBe(true);
  telegram.block(ada, bot);
  expect((await write()).description).toBe('Forbidden: bot was blocked by the user');
  expect((await call('sendMessage', { chat_id: 1, text: 'x' })).description).toBe('Bad Request: chat not found');
});

test('a bot receives the messages of a group, and edited messages', async () => {
  const group = telegram.addGroup({ title: 'Team', users: [ada], bots: [bot] });
  const message = telegram.type(ada, group, 'Hello');
  telegram.edit(message, 'Hullo');
  const { result } = await call('getUpdates');
  expect(result).toMatchObject([
    { message: { chat: { title: 'Team' } } },
    { edited_message: { text: 'Hullo', edit_date: clock.getTime() / 1000 } },
  ]);
  expect((await call('sendMessage', { chat_id: group.id, text: 'x' })).ok).toBe(true);
});

test('a file has an id, a path and a download', async () => {
  telegram.sendFile(ada, bot, { name: 'notes.txt', mimeType: 'text/plain', content: 'Notes', caption: 'Mine' });
  const { result } = await call('getUpdates');
  expect(result).toMatchObject([{ message: { caption: 'Mine', document: { file_name: 'notes.txt', file_size: 5 } } }]);
  const found = await call('getFile', { file_id: getPathValue(result, '0.message.document.file_id') });
  const path = `/file/bot${bot.token}/${String(getPathValue(found.result, 'file_path'))}`;
  expect((await createTokenClient(telegram.url)('GET', path)).text).toBe('Notes');
  expect((await call('getFile', { file_id: 'x' })).status).toBe(400);
});

test('limits answer 429 with retry_after, and failures are those of the toolkit', async () => {
  telegram.type(ada, bot, 'Hi');
  const write = () => call('sendMessage', { chat_id: ada.id, text: 'x' });
  telegram.setQuota({ requests: 1, seconds: 3 });
  await write();
  expect(await write()).toMatchObject({ status: 429, parameters: { retry_after: 3 } });
  telegram.setQuota(undefined);
  telegram.failures.next({ path: /sendMessage$/, account: 'brain_bot' }, { kind: 'lie' });
  expect((await write()).ok).toBe(true);
  telegram.failures.next({ path: /sendMessage$/ }, { kind: 'cut', when: 'after' });
  await expect(write()).rejects.toThrow();
  expect(telegram.messages(ada)).toHaveLength(3);
});
