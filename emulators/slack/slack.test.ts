// Slack, as a client meets it.
import { WebClient } from './web-client.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTokenClient, postForm } from '../kit/api-client.ts';
import { startSlackEmulator } from './index.ts';
import type { SlackEmulator } from './index.ts';

const redirectUri = 'http://127.0.0.1:9/callback';
const reading = ['channels:read', 'channels:history', 'groups:history', 'groups:read', 'users:read', 'files:read'];
let slack: SlackEmulator;
let clock: Date;
let bot: WebClient;

const advanceClock = (seconds: number) => (clock = new Date(clock.getTime() + seconds * 1000));

beforeEach(async () => {
  clock = new Date('2026-03-02T09:00:00Z');
  slack = await startSlackEmulator({ now: () => clock });
  slack.addUser({ name: 'ada', email: 'ada@example.com' });
  slack.addUser({ name: 'grace' });
  slack.addChannel({ name: 'general', members: ['ada', 'grace'] });
  slack.join('general', slack.bot().id);
  bot = new WebClient(slack.url, slack.issueTokens('ada', { bot: [...reading, 'chat:write'] }).botToken);
});

afterEach(() => slack.close());

test('auth.test returns the user of the token', async () => {
  expect(await bot.call('auth.test')).toMatchObject({
    ok: true,
    team: 'Thalamus Test',
    team_id: slack.team.id,
    user_id: slack.bot().id,
    bot_id: slack.bot().bot?.botId,
  });
  expect(await new WebClient(slack.url).call('auth.test')).toEqual({ ok: false, error: 'not_authed' });
  expect(await new WebClient(slack.url, 'xoxb-1').call('auth.test')).toEqual({ ok: false, error: 'invalid_auth' });
});

test('pages of conversations are cut before archived ones are removed', async () => {
  slack.addChannel({ name: 'old', archived: true });
  slack.addChannel({ name: 'new' });
  slack.addChannel({ name: 'secret', kind: 'private_channel', members: ['ada'] });
  const names: string[][] = [];
  let cursor = '';
  do {
    const page = await bot.call('conversations.list', {
      limit: 1,
      exclude_archived: true,
      ...(cursor ? { cursor } : {}),
    });
    names.push((page.channels as { name: string }[]).map(({ name }) => name));
    cursor = (page.response_metadata as { next_cursor: string }).next_cursor;
  } while (cursor);
  expect(names).toEqual([['general'], [], ['new']]);
  const person = new WebClient(slack.url, slack.issueTokens('ada', { user: reading }).userToken);
  const groups = await person.call('conversations.list', { types: 'private_channel' });
  expect(groups.channels).toMatchObject([{ name: 'secret', is_private: true }]);
  expect(await bot.call('conversations.list', { cursor: 'xyz' })).toMatchObject({ error: 'invalid_cursor' });
});

test('history is listed newest first, without replies, between oldest and latest', async () => {
  const first = slack.seedMessage('general', { user: 'ada', text: 'one' });
  advanceClock(10);
  const second = slack.seedMessage('general', { user: 'grace', text: 'two' });
  slack.seedMessage('general', { user: 'ada', text: 'reply', threadTs: second.ts });
  const { id } = slack.addChannel({ name: 'other' });
  const channel = (await bot.call('conversations.list')).channels as { id: string }[];
  const general = channel[0]?.id;
  const all = await bot.call('conversations.history', { channel: general });
  expect(all.messages).toMatchObject([{ text: 'two', reply_count: 1 }, { text: 'one' }]);
  const since = await bot.call('conversations.history', { channel: general, oldest: first.ts });
  expect(since.messages).toHaveLength(1);
  const inclusive = await bot.call('conversations.history', { channel: general, oldest: first.ts, inclusive: true });
  expect(inclusive.messages).toHaveLength(2);
  const page = await bot.call('conversations.history', { channel: general, limit: 1 });
  expect(page).toMatchObject({ has_more: true, messages: [{ text: 'two' }] });
  const { next_cursor: cursor } = page.response_metadata as { next_cursor: string };
  expect(await bot.call('conversations.history', { channel: general, limit: 1, cursor })).toMatchObject({
    has_more: false,
    messages: [{ text: 'one' }],
  });
  expect((await bot.call('conversations.replies', { channel: general, ts: second.ts })).messages).toMatchObject([
    { text: 'two' },
    { text: 'reply', thread_ts: second.ts },
  ]);
  expect(await bot.call('conversations.history', { channel: id })).toMatchObject({ error: 'not_in_channel' });
  expect(await bot.call('conversations.replies', { channel: general, ts: '1.1' })).toMatchObject({
    error: 'thread_not_found',
  });
});

test('a posted message is found by its metadata, and posting twice makes two messages', async () => {
  const metadata = { event_type: 'draft', event_payload: { id: 'd1' } };
  const post = { channel: 'general', text: 'Hello', metadata };
  const posted = await bot.json('chat.postMessage', post);
  expect(posted).toMatchObject({ ok: true, message: { text: 'Hello', bot_id: slack.bot().bot?.botId, metadata } });
  await bot.call('chat.postMessage', { ...post, metadata: JSON.stringify(metadata) });
  const { channel } = posted;
  const plain = await bot.call('conversations.history', { channel });
  expect((plain.messages as object[])[0]).not.toHaveProperty('metadata');
  const full = await bot.call('conversations.history', { channel, include_all_metadata: true });
  expect(full.messages).toMatchObject([{ metadata }, { metadata }]);
});

test('a bot changes and deletes only its own messages, and a thread leaves a tombstone', async () => {
  const foreign = slack.seedMessage('general', { user: 'ada', text: 'mine' });
  const { channel, ts } = await bot.json('chat.postMessage', { channel: 'general', text: 'Hello' });
  expect(await bot.json('chat.update', { channel, ts: foreign.ts, text: 'x' })).toMatchObject({
    error: 'cant_update_message',
  });
  expect(await bot.json('chat.delete', { channel, ts: foreign.ts })).toMatchObject({ error: 'cant_delete_message' });
  expect(await bot.json('chat.update', { channel, ts, text: 'Hi' })).toMatchObject({ ok: true, text: 'Hi' });
  await bot.json('chat.postMessage', { channel, text: 'below', thread_ts: ts });
  expect(await bot.json('chat.delete', { channel, ts })).toMatchObject({ ok: true });
  const { messages } = await bot.call('conversations.replies', { channel, ts });
  expect(messages).toMatchObject([{ subtype: 'tombstone' }, { text: 'below' }]);
  expect(await bot.json('chat.delete', { channel, ts: '1.2' })).toMatchObject({ error: 'message_not_found' });
});

test.each([
  ['chat.postMessage', { channel: 'general' }, 'no_text'],
  ['chat.postMessage', { channel: 'nowhere', text: 'x' }, 'channel_not_found'],
  ['chat.postMessage', { channel: 'general', text: 'x', thread_ts: '1.1' }, 'thread_not_found'],
  ['chat.postMessage', { channel: 'general', text: 'x', metadata: { event_type: 'a' } }, 'invalid_metadata_format'],
  ['chat.postMessage', { channel: 'general', text: 'x', colour: 'red' }, 'invalid_arguments'],
  ['chat.postMessage', { text: 'x' }, 'invalid_arguments'],
  ['chat.nothing', {}, 'unknown_method'],
])('the call %s %j is refused with 200 and %s', async (method, body, error) => {
  expect(await bot.json(method, body)).toMatchObject({ ok: false, error });
  expect(slack.messages('general')).toEqual([]);
});

test('reading methods accept no JSON, and a token in a JSON body is ignored', async () => {
  expect(await bot.json('conversations.history', { channel: 'x' })).toMatchObject({ error: 'invalid_post_type' });
  const { botToken: token } = slack.issueTokens('ada', { bot: ['chat:write'] });
  const none = new WebClient(slack.url);
  expect(await none.json('auth.test', { token })).toMatchObject({ error: 'not_authed' });
  expect(await none.call('auth.test', { token })).toMatchObject({ ok: true });
});

test('an error names the missing scope', async () => {
  const person = new WebClient(slack.url, slack.issueTokens('grace', { user: ['users:read'] }).userToken);
  expect(await person.call('conversations.list')).toMatchObject({
    error: 'missing_scope',
    needed: 'channels:read',
    provided: 'users:read',
  });
  const { members } = await person.call('users.list');
  expect(members).toMatchObject([{ name: 'ada' }, { name: 'grace' }, { is_bot: true }]);
  expect((members as { profile: object }[])[0]?.profile).not.toHaveProperty('email');
  expect(await person.call('users.info', { user: 'U1' })).toMatchObject({ error: 'user_not_found' });
});

test('a file is described and downloaded with the token; without it a sign-in page comes', async () => {
  const file = slack.seedFile('general', { user: 'ada', name: 'notes.txt', mimetype: 'text/plain', content: 'Notes' });
  const info = await bot.call('files.info', { file: file.id });
  expect(info.file).toMatchObject({ name: 'notes.txt', size: 5 });
  const path = new URL((info.file as { url_private: string }).url_private).pathname;
  expect((await createTokenClient(slack.url, bot.token)('GET', path)).text).toBe('Notes');
  const stranger = await createTokenClient(slack.url)('GET', path);
  expect([stranger.status, stranger.headers.get('content-type')]).toEqual([200, 'text/html']);
  expect(await bot.call('files.info', { file: 'F1' })).toMatchObject({ error: 'file_not_found' });
});

const buildAuthorizationUrl = () =>
  `${slack.url}/oauth/v2/authorize?${new URLSearchParams({
    client_id: slack.client.id,
    redirect_uri: redirectUri,
    scope: 'chat:write,channels:read',
    user_scope: 'users:read',
    state: 'st',
  }).toString()}`;

async function requestAccess(form: Record<string, string>) {
  const { id, secret } = slack.client;
  return (await postForm(slack.url, '/api/oauth.v2.access', { client_id: id, client_secret: secret, ...form })).body;
}

const requestCode = async () =>
  new URL(await slack.approve(buildAuthorizationUrl(), { user: 'grace' })).searchParams.get('code') ?? '';

test('an installation gives a bot token and a user token; a second one gives the same bot token', async () => {
  const first = await requestAccess({ code: await requestCode(), redirect_uri: redirectUri });
  expect(first).toMatchObject({
    ok: true,
    access_token: bot.token,
    token_type: 'bot',
    bot_user_id: slack.bot().id,
    team: { id: slack.team.id },
    authed_user: { scope: 'users:read', token_type: 'user', access_token: expect.stringMatching(/^xoxp-/) as string },
  });
  expect(String(first.scope).split(',')).toEqual([...reading, 'chat:write']);
  expect((await requestAccess({ code: await requestCode() })).access_token).toBe(first.access_token);
  expect(await requestAccess({ code: 'nope' })).toEqual({ ok: false, error: 'invalid_code' });
  expect(await requestAccess({ code: await requestCode(), client_secret: 'x' })).toEqual({
    ok: false,
    error: 'bad_client_secret',
  });
});

test('with rotation, access tokens expire after 12 hours and a refresh token works once', async () => {
  await slack.close();
  slack = await startSlackEmulator({ now: () => clock, tokenRotation: true });
  slack.addUser({ name: 'grace' });
  const { access_token: token, refresh_token: refreshToken } = await requestAccess({ code: await requestCode() });
  const works = (value: unknown) => new WebClient(slack.url, String(value)).call('auth.test');
  advanceClock(43_200);
  expect(await works(token)).toMatchObject({ error: 'token_expired' });
  const form = { grant_type: 'refresh_token', refresh_token: String(refreshToken) };
  const fresh = await requestAccess(form);
  expect(fresh).toMatchObject({ ok: true, token_type: 'bot', expires_in: 43_200 });
  expect(await works(fresh.access_token)).toMatchObject({ ok: true });
  expect(fresh.refresh_token).not.toBe(refreshToken);
  expect(await requestAccess(form)).toEqual({ ok: false, error: 'invalid_refresh_token' });
});

test('a revoked token is refused', async () => {
  expect(await bot.call('auth.revoke', { test: true })).toEqual({ ok: true, revoked: false });
  expect(await bot.call('auth.revoke')).toEqual({ ok: true, revoked: true });
  expect(await bot.call('auth.test')).toMatchObject({ error: 'invalid_auth' });
});

test('limits and ordered failures answer 429 with Retry-After, cuts and false successes', async () => {
  slack.setQuota({ requests: 1, seconds: 60 });
  await bot.call('users.list');
  const refused = await createTokenClient(slack.url, bot.token)('GET', '/api/users.list');
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60']);
  slack.setQuota(undefined);
  slack.failures.next({ path: '/api/chat.postMessage' }, { kind: 'rate_limited' });
  expect(await bot.json('chat.postMessage', { channel: 'general', text: 'x' })).toMatchObject({ error: 'ratelimited' });
  slack.failures.next({ path: '/api/chat.postMessage' }, { kind: 'lie' });
  expect(await bot.json('chat.postMessage', { channel: 'general', text: 'x' })).toMatchObject({ ok: true });
  expect(slack.messages('general')).toEqual([]);
  slack.failures.next({ path: '/api/chat.postMessage' }, { kind: 'cut', when: 'after' });
  await expect(bot.json('chat.postMessage', { channel: 'general', text: 'x' })).rejects.toThrow();
  expect(slack.messages('general')).toHaveLength(1);
});
