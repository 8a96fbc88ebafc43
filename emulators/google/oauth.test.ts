// Google's authorization and tokens, as a client meets them.
import { createHash, createPublicKey, verify } from 'node:crypto';
import type { JsonWebKey } from 'node:crypto';
import * as oauth from 'oauth4webapi';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { getTextAt } from '../kit/api-client.ts';
import { createGoogleClient } from './api-client.ts';
import { startGoogleEmulator } from './index.ts';
import type { GoogleEmulator } from './index.ts';

const readonly = 'https://www.googleapis.com/auth/gmail.readonly';
const redirectUri = 'http://127.0.0.1:9/callback';
const verifier = 'a'.repeat(64);
const challenge = createHash('sha256').update(verifier).digest('base64url');
let google: GoogleEmulator;
let clock = new Date('2026-03-02T09:00:00Z');

beforeAll(async () => {
  google = await startGoogleEmulator({ now: () => clock });
  for (const [email, name] of [
    ['ada@example.com', 'Ada Lovelace'],
    ['grace@example.com', 'Grace Hopper'],
    ['linus@example.com', 'Linus Pauling'],
    ['rosalind@example.com', 'Rosalind Franklin'],
    ['alan@example.com', 'Alan Turing'],
  ] as const) {
    google.addAccount({ email, name });
  }
});

afterAll(() => google.close());

function buildAuthorizationUrl(changes: Record<string, string> = {}): string {
  const url = new URL('/o/oauth2/v2/auth', google.url);
  const parameters = {
    client_id: google.client.id,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: `openid email profile ${readonly}`,
    state: 'a state',
    access_type: 'offline',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    nonce: 'once',
    ...changes,
  };
  for (const [name, value] of Object.entries(parameters)) if (value !== '') url.searchParams.set(name, value);
  return url.href;
}

async function requestCode(email: string, changes: Record<string, string> = {}): Promise<string> {
  const back = new URL(await google.approve(buildAuthorizationUrl(changes), { email }));
  return back.searchParams.get('code') ?? '';
}

async function requestToken(form: Record<string, string>, path = '/token', headers: Record<string, string> = {}) {
  const response = await fetch(new URL(path, google.url), {
    method: 'POST',
    headers,
    body: new URLSearchParams({ client_id: google.client.id, client_secret: google.client.secret, ...form }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, string> };
}

const exchange = (code: string, changes: Record<string, string> = {}) =>
  requestToken({
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    code_verifier: verifier,
    ...changes,
  });

test('a person who allows access sends the client back with a code that it exchanges for tokens', async () => {
  const back = new URL(await google.approve(buildAuthorizationUrl(), { email: 'ada@example.com' }));
  expect(back.origin + back.pathname).toBe(redirectUri);
  expect(back.searchParams.get('state')).toBe('a state');
  expect(back.searchParams.get('scope')).toContain(readonly);
  const { status, body } = await exchange(back.searchParams.get('code') ?? '');
  expect(status).toBe(200);
  expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 3599 });
  expect(body.refresh_token).toMatch(/^1\/\//);
  expect(body.scope).toBe(
    `openid https://www.googleapis.com/auth/userinfo.email https://www.googleapis.com/auth/userinfo.profile ${readonly}`,
  );
  const who = await createGoogleClient(google.url, body.access_token)('GET', '/v1/userinfo');
  expect(who.body).toMatchObject({ email: 'ada@example.com', email_verified: true, given_name: 'Ada' });
});

test('the id token is signed by the published key and says who and for whom', async () => {
  const { body } = await exchange(await requestCode('ada@example.com'));
  const [head = '', claims = '', signature = ''] = (body.id_token ?? '').split('.');
  const certs = (await (await fetch(new URL('/oauth2/v3/certs', google.url))).json()) as {
    keys: (JsonWebKey & { kid: string })[];
  };
  const key = createPublicKey({ key: certs.keys[0] as JsonWebKey, format: 'jwk' });
  expect(verify('RSA-SHA256', Buffer.from(`${head}.${claims}`), key, Buffer.from(signature, 'base64url'))).toBe(true);
  expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
    iss: google.url,
    aud: google.client.id,
    email: 'ada@example.com',
    nonce: 'once',
  });
});

test('the buttons of the consent page answer it', async () => {
  const page = await (await fetch(buildAuthorizationUrl({ login_hint: 'grace@example.com' }))).text();
  for (const id of ['id="account-0"', 'id="allow"', 'id="deny"', 'id="scope-3"']) expect(page).toContain(id);
  expect(page).toMatch(/value="grace@example\.com" required checked/);
});

test('a person who declines sends the client back with access_denied', async () => {
  const back = new URL(await google.approve(buildAuthorizationUrl(), { email: 'ada@example.com', deny: true }));
  expect(back.searchParams.get('error')).toBe('access_denied');
  expect(back.searchParams.get('state')).toBe('a state');
});

test('a person can grant fewer scopes than were asked for', async () => {
  const scope = `openid ${readonly} https://www.googleapis.com/auth/calendar`;
  const back = new URL(
    await google.approve(buildAuthorizationUrl({ scope }), { email: 'ada@example.com', only: [readonly] }),
  );
  const { body } = await exchange(back.searchParams.get('code') ?? '');
  expect(body.scope).toBe(`openid ${readonly}`);
  const calendar = await createGoogleClient(google.url, body.access_token)('GET', '/calendar/v3/users/me/calendarList');
  expect(calendar.status).toBe(403);
  expect(calendar.body.error).toMatchObject({
    status: 'PERMISSION_DENIED',
    errors: [{ reason: 'insufficientPermissions' }],
  });
});

test.each([
  [{ redirect_uri: 'https://evil.example/callback' }, 400, 'redirect_uri_mismatch'],
  [{ client_id: 'nobody' }, 401, 'invalid_client'],
  [{ scope: 'openid everything' }, 400, 'invalid_scope'],
  [{ response_type: 'cookie' }, 400, 'unsupported_response_type'],
  [{ scope: '' }, 400, 'invalid_request'],
  [{ colour: 'red' }, 400, 'invalid_request'],
  [{ code_challenge: 'short' }, 400, 'invalid_request'],
])('an invalid request %j shows an error page and is not sent back', async (changes, status, reason) => {
  const response = await fetch(buildAuthorizationUrl(changes as Record<string, string>), { redirect: 'manual' });
  expect(response.status).toBe(status);
  expect(await response.text()).toContain(reason);
});

test('a code does not work with another verifier, redirect URI or secret', async () => {
  const code = await requestCode('ada@example.com');
  expect(await exchange(code, { code_verifier: 'b'.repeat(64) })).toEqual({
    status: 400,
    body: { error: 'invalid_grant', error_description: 'Invalid code verifier.' },
  });
  expect((await exchange(code, { code_verifier: '' })).body.error_description).toBe('Missing code verifier.');
  expect((await exchange(code, { redirect_uri: 'http://127.0.0.1:9/other' })).body.error).toBe('redirect_uri_mismatch');
  expect((await exchange(code, { client_secret: 'wrong' })).status).toBe(401);
  expect((await exchange(code)).status).toBe(200);
});

test('using a code twice revokes the tokens it gave', async () => {
  const code = await requestCode('grace@example.com');
  const first = await exchange(code);
  const second = await exchange(code);
  expect(second).toEqual({ status: 400, body: { error: 'invalid_grant', error_description: 'Bad Request' } });
  const profile = await createGoogleClient(google.url, first.body.access_token)('GET', '/gmail/v1/users/me/profile');
  expect(profile.status).toBe(401);
  const refreshed = await requestToken({ grant_type: 'refresh_token', refresh_token: first.body.refresh_token ?? '' });
  expect(refreshed.body.error).toBe('invalid_grant');
});

test('only the first consent, or prompt=consent, gives a refresh token', async () => {
  expect((await exchange(await requestCode('linus@example.com'))).body.refresh_token).toBeDefined();
  expect((await exchange(await requestCode('linus@example.com'))).body.refresh_token).toBeUndefined();
  expect(
    (await exchange(await requestCode('linus@example.com', { prompt: 'consent' }))).body.refresh_token,
  ).toBeDefined();
  expect(
    (await exchange(await requestCode('linus@example.com', { prompt: 'consent', access_type: 'online' }))).body
      .refresh_token,
  ).toBeUndefined();
});

test('an expired access token is refused and a refresh gives a new one', async () => {
  const { body } = await exchange(await requestCode('rosalind@example.com'));
  clock = new Date(clock.getTime() + 3_600_000);
  const stale = await createGoogleClient(google.url, body.access_token)('GET', '/gmail/v1/users/me/profile');
  expect(stale.status).toBe(401);
  expect(stale.body.error).toMatchObject({ code: 401, status: 'UNAUTHENTICATED', errors: [{ reason: 'authError' }] });
  const basic = `Basic ${Buffer.from(`${google.client.id}:${google.client.secret}`).toString('base64')}`;
  const form = {
    grant_type: 'refresh_token',
    refresh_token: body.refresh_token ?? '',
    client_id: '',
    client_secret: '',
  };
  const fresh = await requestToken(form, '/oauth2/token', { authorization: basic });
  expect(fresh.status).toBe(200);
  expect(fresh.body.refresh_token).toBeUndefined();
  const profile = await createGoogleClient(google.url, fresh.body.access_token)('GET', '/gmail/v1/users/me/profile');
  expect(getTextAt(profile.body, 'emailAddress')).toBe('rosalind@example.com');
});

test('revoking ends the whole grant', async () => {
  const { body } = await exchange(await requestCode('alan@example.com'));
  const revoked = await fetch(new URL('/revoke', google.url), {
    method: 'POST',
    body: new URLSearchParams({ token: body.refresh_token ?? '' }),
  });
  expect(revoked.status).toBe(200);
  expect((await createGoogleClient(google.url, body.access_token)('GET', '/v1/userinfo')).status).toBe(401);
  expect((await requestToken({ grant_type: 'refresh_token', refresh_token: body.refresh_token ?? '' })).body).toEqual({
    error: 'invalid_grant',
    error_description: 'Token has been expired or revoked.',
  });
  expect((await exchange(await requestCode('alan@example.com'))).body.refresh_token).toBeDefined();
});

test('a request without a token gets the answer that one is required', async () => {
  const answer = await createGoogleClient(google.url)('GET', '/gmail/v1/users/me/profile');
  expect(answer.status).toBe(401);
  expect(answer.body.error?.errors[0]?.reason).toBe('required');
  expect(answer.headers.get('www-authenticate')).toContain('Bearer');
});

test('a strict client of another author signs in, refreshes and revokes', async () => {
  const live = await startGoogleEmulator();
  live.addAccount({ email: 'ada@example.com', name: 'Ada Lovelace' });
  const options = { [oauth.allowInsecureRequests]: true };
  const issuer = new URL(live.url);
  const server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, options));
  const client = { client_id: live.client.id };
  const secret = oauth.ClientSecretPost(live.client.secret);
  const url = new URL(buildAuthorizationUrl({ client_id: live.client.id }));
  url.port = issuer.port;
  const back = new URL(await live.approve(url.href, { email: 'ada@example.com' }));
  const parameters = oauth.validateAuthResponse(server, client, back, 'a state');
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    secret,
    parameters,
    redirectUri,
    verifier,
    options,
  );
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, {
    expectedNonce: 'once',
    requireIdToken: true,
  });
  await oauth.validateApplicationLevelSignature(server, response, options);
  const subject = oauth.getValidatedIdTokenClaims(tokens)?.sub ?? '';
  const info = await oauth.processUserInfoResponse(
    server,
    client,
    subject,
    await oauth.userInfoRequest(server, client, tokens.access_token, options),
  );
  expect(info.email).toBe('ada@example.com');
  const again = await oauth.refreshTokenGrantRequest(
    server,
    client,
    oauth.ClientSecretBasic(live.client.secret),
    tokens.refresh_token ?? '',
    options,
  );
  expect((await oauth.processRefreshTokenResponse(server, client, again)).expires_in).toBe(3599);
  await oauth.processRevocationResponse(
    await oauth.revocationRequest(server, client, secret, tokens.refresh_token ?? '', options),
  );
  await live.close();
});
