// Discord, as a client meets it.
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  getPathValue,
  buildBasicAuth,
  createHeaderClient,
  createTokenClient,
  postForm,
  getTextAt,
} from '../kit/api-client.ts';
import type { ApiClient } from '../kit/api-client.ts';
import { startDiscordEmulator } from './index.ts';
import type { DiscordEmulator } from './index.ts';

const redirectUri = 'http://127.0.0.1:9/callback';
let discord: DiscordEmulator;
let clock: Date;
let bot: ApiClient;
let guild: string;
let path: string;

const advanceClock = (seconds: number) => (clock = new Date(clock.getTime() + seconds * 1000));

async function begin(messageContent = true) {
  discord = await startDiscordEmulator({ now: () => clock, messageContent });
  discord.addUser({ username: 'ada', globalName: 'Ada' });
  const { token } = discord.addBot('brain');
  const made = discord.addGuild({ name: 'Engine', owner: 'ada', members: ['brain'] });
  guild = made.id;
  path = `/api/v10/channels/${discord.addChannel({ guild: made, name: 'general' }).id}/messages`;
  bot = createHeaderClient(discord.url, { authorization: `Bot ${token}` });
}

beforeEach(async () => {
  clock = new Date('2026-03-02T09:00:00Z');
  await begin();
});

afterEach(() => discord.close());

const listContents = (body: unknown) => (body as { content: string }[]).map(({ content }) => content);

test('a bot sees itself, its guilds and their channels', async () => {
  expect((await bot('GET', '/api/v10/users/@me')).body).toMatchObject({ username: 'brain', bot: true });
  expect((await bot('GET', '/api/users/@me/guilds')).body).toMatchObject([{ id: guild, name: 'Engine', owner: false }]);
  expect((await bot('GET', `/api/v10/guilds/${guild}/channels`)).body).toMatchObject([{ name: 'general', type: 0 }]);
  expect((await bot('GET', '/api/v10/guilds/1/channels')).body).toEqual({ message: 'Unknown Guild', code: 10_004 });
  const stranger = await createTokenClient(discord.url, 'x')('GET', '/api/v10/users/@me');
  expect([stranger.status, stranger.body]).toEqual([401, { message: '401: Unauthorized', code: 0 }]);
});

test('messages are listed newest first, also those before a given message', async () => {
  const all = ['one', 'two', 'three', 'four'].map((content) => {
    advanceClock(1);
    return discord.seedMessage('general', { author: 'ada', content }).id;
  });
  const list = async (query: Record<string, string>) => (await bot('GET', path, { query })).body;
  expect(listContents(await list({ limit: '2' }))).toEqual(['four', 'three']);
  expect(listContents(await list({ before: all[2] ?? '', limit: '1' }))).toEqual(['two']);
  expect(listContents(await list({ after: all[0] ?? '', limit: '2' }))).toEqual(['three', 'two']);
  expect(listContents(await list({ around: all[1] ?? '', limit: '3' }))).toEqual(['three', 'two', 'one']);
  expect(getPathValue(await list({ before: '1', after: '1' }), 'code')).toBe(50_035);
  expect(getPathValue(await list({ limit: '101' }), 'code')).toBe(50_035);
  expect(getPathValue(await list({ colour: 'red' }), 'code')).toBe(50_035);
});

test('with enforce_nonce a repeated post returns the first message; without it there are two', async () => {
  const send = (json: object) => bot('POST', path, { json: { content: 'Hello', nonce: 'n1', ...json } });
  const first = await send({ enforce_nonce: true });
  expect(first.body).toMatchObject({ content: 'Hello', nonce: 'n1' });
  expect((await send({ enforce_nonce: true })).body.id).toBe(first.body.id);
  expect(discord.messages('general')).toHaveLength(1);
  await send({});
  expect(discord.messages('general')).toHaveLength(2);
  advanceClock(301);
  await send({ enforce_nonce: true });
  expect(discord.messages('general')).toHaveLength(3);
});

test('a bot changes and deletes its own messages only, and replies', async () => {
  const foreign = discord.seedMessage('general', { author: 'ada', content: 'Mine' }).id;
  expect((await bot('PATCH', `${path}/${foreign}`, { json: { content: 'x' } })).body.code).toBe(50_005);
  expect((await bot('DELETE', `${path}/${foreign}`)).body.code).toBe(50_013);
  const reply = await bot('POST', path, { json: { content: 'Yes', message_reference: { message_id: foreign } } });
  expect(reply.body).toMatchObject({ type: 19, referenced_message: { id: foreign } });
  const own = `${path}/${getTextAt(reply.body, 'id')}`;
  expect((await bot('PATCH', own, { json: { content: 'No' } })).body).toMatchObject({
    content: 'No',
    edited_timestamp: '2026-03-02T09:00:00.000000+00:00',
  });
  expect((await bot('DELETE', own)).status).toBe(204);
  expect((await bot('GET', own)).body.code).toBe(10_008);
});

test.each([
  [{ content: '' }, 50_006],
  [{ content: 'x'.repeat(2001) }, 50_035],
  [{ content: 'x', colour: 'red' }, 50_035],
  [{ content: 'x', nonce: 'n'.repeat(26) }, 50_035],
  [{ content: 'x', message_reference: { message_id: '1' } }, 50_035],
])('the message %j is refused', async (json, code) => {
  const refused = await bot('POST', path, { json });
  expect([refused.status, refused.body.code]).toEqual([400, code]);
  expect(discord.messages('general')).toEqual([]);
});

test('private channels are listed but not readable, and read-only ones refuse messages', async () => {
  const owner = { id: guild, name: 'Engine', ownerId: '', memberIds: [] };
  const secret = discord.addChannel({ guild: owner, name: 'secret', allowed: ['ada'] });
  const news = discord.addChannel({ guild: owner, name: 'news', readOnly: true });
  expect((await bot('GET', `/api/v10/guilds/${guild}/channels`)).body).toHaveLength(3);
  expect((await bot('GET', `/api/v10/channels/${secret.id}/messages`)).body).toEqual({
    message: 'Missing Access',
    code: 50_001,
  });
  expect((await bot('POST', `/api/v10/channels/${news.id}/messages`, { json: { content: 'x' } })).body.code).toBe(
    50_013,
  );
});

test('without the message content intent, messages of others have no content', async () => {
  await discord.close();
  await begin(false);
  discord.seedMessage('general', { author: 'ada', content: 'Hidden' });
  await bot('POST', path, { json: { content: 'Own' } });
  expect(listContents((await bot('GET', path)).body)).toEqual(['Own', '']);
});

test('a rate limit bucket reports what is left, and then answers 429 with retry_after', async () => {
  const send = () => bot('POST', path, { json: { content: 'x' } });
  const first = await send();
  expect([first.headers.get('x-ratelimit-limit'), first.headers.get('x-ratelimit-remaining')]).toEqual(['5', '4']);
  for (let count = 0; count < 4; count += 1) await send();
  advanceClock(2);
  const refused = await send();
  expect([refused.status, refused.body.retry_after, refused.headers.get('retry-after')]).toEqual([429, 3, '3']);
  expect((await bot('GET', path)).status).toBe(200);
  advanceClock(3);
  expect((await send()).status).toBe(200);
});

const requestToken = (form: Record<string, string>, where = 'token') =>
  postForm(discord.url, `/api/oauth2/${where}`, form, buildBasicAuth(discord.client.id, discord.client.secret));

test('a person signs in; refresh tokens work once; revoking ends both', async () => {
  const query = {
    client_id: discord.client.id,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'identify guilds',
    state: 's',
  };
  const url = `${discord.url}/oauth2/authorize?${new URLSearchParams(query).toString()}`;
  const code = new URL(await discord.approve(url, { user: 'ada' })).searchParams.get('code') ?? '';
  const { body } = await requestToken({ grant_type: 'authorization_code', code, redirect_uri: redirectUri });
  expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 604_800, scope: 'identify guilds' });
  const person = (value: unknown) => createTokenClient(discord.url, String(value));
  expect((await person(body.access_token)('GET', '/api/v10/users/@me')).body).toMatchObject({
    username: 'ada',
    global_name: 'Ada',
  });
  expect((await person(body.access_token)('GET', '/api/v10/users/@me/guilds')).body).toMatchObject([{ owner: true }]);
  expect((await person(body.access_token)('GET', path)).status).toBe(401);
  const form = { grant_type: 'refresh_token', refresh_token: getTextAt(body, 'refresh_token') };
  const fresh = (await requestToken(form)).body;
  expect((await requestToken(form)).body.error).toBe('invalid_grant');
  expect((await requestToken({ token: getTextAt(fresh, 'access_token') }, 'token/revoke')).status).toBe(200);
  expect((await person(fresh.access_token)('GET', '/api/v10/users/@me')).status).toBe(401);
  expect(
    (await requestToken({ grant_type: 'refresh_token', refresh_token: getTextAt(fresh, 'refresh_token') })).status,
  ).toBe(400);
});

test('failures happen before or after the effect, and a false success stores nothing', async () => {
  const send = () => bot('POST', path, { json: { content: 'x' } });
  discord.failures.next({ path, account: 'brain' }, { kind: 'lie' });
  expect((await send()).status).toBe(200);
  discord.failures.next({ path }, { kind: 'rate_limited' });
  expect((await send()).body.retry_after).toBe(1);
  discord.failures.next({ path }, { kind: 'cut', when: 'after' });
  await expect(send()).rejects.toThrow();
  expect(discord.messages('general')).toHaveLength(1);
});
