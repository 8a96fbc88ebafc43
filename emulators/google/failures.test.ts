// Ordered failures, the ledger, and quotas.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createApiClient } from './api-client.ts';
import type { ApiClient } from './api-client.ts';
import { composeMail } from './compose.ts';
import { startGoogleEmulator } from './index.ts';
import type { GoogleEmulator } from './index.ts';

const profile = '/gmail/v1/users/me/profile';
const send = '/gmail/v1/users/me/messages/send';
let google: GoogleEmulator;
let ada: ApiClient;
let clock: Date;

beforeEach(async () => {
  clock = new Date('2026-03-02T09:00:00Z');
  google = await startGoogleEmulator({ now: () => clock });
  google.addAccount({ email: 'ada@example.com', name: 'Ada Lovelace' });
  ada = createApiClient(google, 'ada@example.com', [
    'https://mail.google.com/',
    'https://www.googleapis.com/auth/drive',
  ]);
});

afterEach(() => google.close());

const buildMail = () => ({
  raw: composeMail({ from: 'ada@example.com', to: 'x@example.net', subject: 'Hi', text: 'Hi' }).toString('base64url'),
});
const sendMail = () => ada('POST', send, { json: buildMail() });

test.each([
  [{ kind: 'status', status: 500 } as const, 500, 'backendError'],
  [{ kind: 'status', status: 503, retryAfter: 7 } as const, 503, 'backendError'],
  [{ kind: 'status', status: 429, retryAfter: 7 } as const, 429, 'rateLimitExceeded'],
  [{ kind: 'rate_limited' } as const, 403, 'rateLimitExceeded'],
  [{ kind: 'status', status: 401 } as const, 401, 'authError'],
])('the failure %j is answered without an effect, once', async (failure, status, reason) => {
  google.failures.next({ method: 'POST', path: /messages\/send$/ }, failure);
  expect((await ada('GET', profile)).status).toBe(200);
  const failed = await sendMail();
  expect(failed.status).toBe(status);
  expect(failed.body.error?.errors[0]?.reason).toBe(reason);
  if ('retryAfter' in failure) expect(failed.headers.get('retry-after')).toBe('7');
  expect(google.ledger.sent()).toEqual([]);
  expect((await sendMail()).status).toBe(200);
});

test('a connection cut before handling has no effect', async () => {
  google.failures.next({ path: send }, { kind: 'cut', when: 'before' });
  await expect(sendMail()).rejects.toThrow();
  expect(google.ledger.sent()).toEqual([]);
});

test('a connection cut after handling has its effect', async () => {
  google.failures.next({ path: send }, { kind: 'cut', when: 'after' });
  await expect(sendMail()).rejects.toThrow();
  expect(google.ledger.sent()).toHaveLength(1);
  expect(google.ledger.all({ path: send })).toMatchObject([{ status: 0, failure: 'cut', account: 'ada@example.com' }]);
});

test('an error after handling has its effect', async () => {
  google.failures.next({ path: send }, { kind: 'status', status: 500, when: 'after' });
  expect((await sendMail()).status).toBe(500);
  expect(google.ledger.sent()).toHaveLength(1);
});

test('a false success looks like a success and stores nothing', async () => {
  google.failures.next({ path: send }, { kind: 'lie' });
  const lie = await sendMail();
  expect(lie.status).toBe(200);
  expect(lie.body).toMatchObject({ labelIds: ['SENT'] });
  expect(google.ledger.sent()).toEqual([]);
  expect((await ada('GET', `/gmail/v1/users/me/messages/${String(lie.body.id)}`)).status).toBe(404);
  google.failures.next({ path: '/drive/v3/files' }, { kind: 'lie' });
  expect((await ada('POST', '/drive/v3/files', { json: { name: 'x' } })).status).toBe(200);
  expect((await ada('GET', '/drive/v3/files')).body.files).toEqual([]);
});

test('a false refusal looks like the refusal', async () => {
  google.failures.next({ path: send }, { kind: 'lie' });
  expect((await ada('POST', send, { json: {} })).status).toBe(400);
});

test('a delayed or slow answer is correct in the end', async () => {
  google.failures.next({ path: profile }, { kind: 'delay', ms: 60 });
  google.failures.next({ path: profile }, { kind: 'drip', ms: 20, pieces: 4 });
  for (let count = 0; count < 2; count += 1) {
    const start = performance.now();
    expect((await ada('GET', profile)).body.emailAddress).toBe('ada@example.com');
    expect(performance.now() - start).toBeGreaterThan(50);
  }
});

test('a request that hangs ends by the client’s own timeout', async () => {
  google.failures.next({ path: profile }, { kind: 'hang', when: 'before' });
  await expect(fetch(new URL(profile, google.url), { signal: AbortSignal.timeout(50) })).rejects.toThrow();
});

test('a held request waits until it is released', async () => {
  const before = google.failures.pause({ path: send }, 'before');
  const first = sendMail();
  await before.reached;
  expect(google.ledger.sent()).toEqual([]);
  before.release();
  expect((await first).status).toBe(200);
  const after = google.failures.pause({ path: send }, 'after');
  const second = sendMail();
  await after.reached;
  expect(google.ledger.sent()).toHaveLength(2);
  after.release();
  expect((await second).status).toBe(200);
});

test('the token endpoint reports a revoked grant as often as ordered', async () => {
  const { refreshToken } = google.issueTokens('ada@example.com', ['https://mail.google.com/']);
  google.failures.next({ path: '/token' }, { kind: 'invalid_grant' }, 2);
  const refresh = async () => {
    const body = new URLSearchParams({
      grant_type: 'refresh_token',
      refresh_token: refreshToken,
      client_id: google.client.id,
      client_secret: google.client.secret,
    });
    const response = await fetch(new URL('/token', google.url), { method: 'POST', body });
    return { status: response.status, ...((await response.json()) as { error?: string }) };
  };
  expect(await refresh()).toMatchObject({ status: 400, error: 'invalid_grant' });
  expect(await refresh()).toMatchObject({ status: 400, error: 'invalid_grant' });
  expect(await refresh()).toMatchObject({ status: 200 });
});

test('a garbage answer is an HTML page with status 200', async () => {
  google.failures.next({ path: profile }, { kind: 'garbage' });
  const answer = await ada('GET', profile);
  expect(answer.status).toBe(200);
  expect(answer.text).toContain('<html>');
});

test('clearing removes the ordered failures', async () => {
  google.failures.next({}, { kind: 'status', status: 500 }, 10);
  google.failures.clear();
  expect((await ada('GET', profile)).status).toBe(200);
});

test('the list of requests keeps method, path, query, body, account and status', async () => {
  await ada('GET', '/gmail/v1/users/me/messages', { query: { q: 'x', labelIds: ['INBOX', 'UNREAD'] } });
  expect(google.ledger.all()).toMatchObject([
    {
      method: 'GET',
      path: '/gmail/v1/users/me/messages',
      query: { q: 'x', labelIds: ['INBOX', 'UNREAD'] },
      account: 'ada@example.com',
      status: 200,
      at: clock,
    },
  ]);
  await ada('POST', '/drive/v3/files', { json: { name: 'n' } });
  expect(google.ledger.all({ method: 'post' })[0]).toMatchObject({ body: { name: 'n' }, response: { name: 'n' } });
  expect(google.ledger.count({ path: /^\/gmail/, account: 'ada@example.com', status: 200 })).toBe(1);
  google.ledger.clear();
  expect(google.ledger.count()).toBe(0);
});

test('a quota refuses in the words of each API until its window ends', async () => {
  google.setQuota({ requests: 1, seconds: 60 });
  expect((await ada('GET', profile)).status).toBe(200);
  expect((await ada('GET', profile)).body.error).toMatchObject({
    code: 429,
    status: 'RESOURCE_EXHAUSTED',
    errors: [{ reason: 'rateLimitExceeded' }],
  });
  expect((await ada('GET', '/drive/v3/files')).body.error).toMatchObject({
    code: 403,
    errors: [{ domain: 'usageLimits', reason: 'userRateLimitExceeded' }],
  });
  clock = new Date(clock.getTime() + 60_000);
  expect((await ada('GET', profile)).status).toBe(200);
});
