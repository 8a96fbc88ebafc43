import { expect, test } from 'vitest';
import { encodeBasicCredentials, fillRequest, findFilledText } from './request-facts.ts';
import { normalizeTokenAnswer } from './token-answer.ts';

async function normalizePlain(body: unknown, tokensAt: string | null = null, status = 200) {
  const response = normalizeTokenAnswer(
    { tokensAt },
    { status, url: 'https://x.example', headers: {}, body: new TextEncoder().encode(JSON.stringify(body)) },
  );
  return { status: response.status, body: await response.json() };
}

test('tokens are read from the provider’s own fields', async () => {
  const slack = {
    ok: true,
    access_token: 'xoxb-bot',
    authed_user: { id: 'U1', access_token: 'xoxp-me', scope: 'a,b', token_type: 'user' },
  };
  expect((await normalizePlain(slack, 'authed_user')).body).toMatchObject({
    access_token: 'xoxp-me',
    token_type: 'bearer',
    scope: 'a,b',
  });
});

test('a refresh whose tokens are at the top level is read although consent nests them', async () => {
  const renewed = {
    ok: true,
    access_token: 'xoxe.xoxp-2',
    refresh_token: 'xoxe-2',
    expires_in: 43200,
    token_type: 'user',
  };
  expect((await normalizePlain(renewed, 'authed_user')).body).toMatchObject({
    access_token: 'xoxe.xoxp-2',
    expires_in: 43200,
  });
});

test('an error with status 200 is an error', async () => {
  expect(await normalizePlain({ error: 'bad_refresh_token', error_description: 'gone' })).toEqual({
    status: 400,
    body: { error: 'bad_refresh_token', error_description: 'gone' },
  });
  expect((await normalizePlain({ ok: false, error: 'invalid_code' }, 'authed_user')).status).toBe(400);
});

test('scopes as a list, seconds as text, and an identity token are converted', async () => {
  const { body } = await normalizePlain({
    access_token: 'a',
    scope: ['read', 'write'],
    expires_in: '60',
    id_token: 'x',
    refresh_token: '',
  });
  expect(body).toEqual({ access_token: 'a', token_type: 'bearer', scope: 'read write', expires_in: 60 });
});

test('a text uses the first template whose parts all exist', () => {
  const forms = ['{user.email} in {team}', '{user.email}', '{id}'];
  expect(findFilledText({ user: { email: 'a@x' }, team: 'T' }, forms)).toBe('a@x in T');
  expect(findFilledText({ user: { email: 'a@x' }, team: '' }, forms)).toBe('a@x');
  expect(findFilledText({ id: 7 }, forms)).toBe('7');
  expect(findFilledText({ user: null }, forms)).toBeUndefined();
});

test('a value in a URL cannot leave its part of the URL', () => {
  const facts = { method: 'GET' as const, url: 'https://api.example/bot{token}/getMe' };
  expect(fillRequest(facts, { token: '1:a/../../x?y#z' }, null).url).toBe(
    'https://api.example/bot1:a%2F..%2F..%2Fx%3Fy%23z/getMe',
  );
  expect(fillRequest(facts, { token: '1:a' }, 'http://127.0.0.1:9').url).toBe('http://127.0.0.1:9/bot1:a/getMe');
});

test('Basic credentials use only characters that strict and lenient providers read the same way', () => {
  expect(Buffer.from(encodeBasicCredentials('id', 'secret_a-b.c'), 'base64').toString()).toBe('id:secret_a-b.c');
  expect(Buffer.from(encodeBasicCredentials('i:d', 'a%b'), 'base64').toString()).toBe('i%3Ad:a%25b');
});
