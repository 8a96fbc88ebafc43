// GitHub, as a client meets it.
import { createHash } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { getPathValue, buildBasicAuth, createTokenClient, postForm } from '../kit/api-client.ts';
import type { ApiClient } from '../kit/api-client.ts';
import { startGitHubEmulator } from './index.ts';
import type { GitHubEmulator } from './index.ts';

const repo = '/repos/ada/engine';
const redirectUri = 'http://127.0.0.1:9/callback';
let github: GitHubEmulator;
let ada: ApiClient;
let clock: Date;

const advanceClock = (seconds: number) => (clock = new Date(clock.getTime() + seconds * 1000));

beforeEach(async () => {
  clock = new Date('2026-03-02T09:00:00Z');
  github = await startGitHubEmulator({ now: () => clock });
  github.addUser({ login: 'ada', name: 'Ada Lovelace' });
  github.addUser({ login: 'grace' });
  github.addRepo({ owner: 'ada', name: 'engine', private: true });
  ada = createTokenClient(github.url, github.issueTokens('ada').accessToken);
});

afterEach(() => github.close());

const listTitles = (body: unknown) => (body as { title: string }[]).map(({ title }) => title);

test('a token reads its user and their repositories', async () => {
  github.addRepo({ owner: 'navy', name: 'cobol', members: { ada: 'read' } });
  github.addRepo({ owner: 'grace', name: 'secret', private: true });
  expect((await ada('GET', '/user')).body).toMatchObject({ login: 'ada', name: 'Ada Lovelace', type: 'User' });
  const { body } = await ada('GET', '/user/repos');
  expect(body).toMatchObject([{ full_name: 'ada/engine', private: true }, { full_name: 'navy/cobol' }]);
  expect((await ada('GET', '/user/repos', { query: { affiliation: 'owner' } })).body).toHaveLength(1);
  expect((await ada('GET', '/repos/grace/secret')).status).toBe(404);
});

test('issues are listed newest first, in pages with a Link header, pull requests among them', async () => {
  for (let count = 1; count <= 5; count += 1) {
    github.seedIssue('ada/engine', { author: 'ada', title: `t${count}`, ...(count === 3 ? { pull: {} } : {}) });
    advanceClock(1);
  }
  const first = await ada('GET', `${repo}/issues`, { query: { per_page: '2' } });
  expect(listTitles(first.body)).toEqual(['t5', 't4']);
  expect(first.headers.get('link')).toBe(
    `<${github.url}${repo}/issues?per_page=2&page=2>; rel="next", <${github.url}${repo}/issues?per_page=2&page=3>; rel="last"`,
  );
  const second = await ada('GET', `${repo}/issues`, { query: { per_page: '2', page: '2' } });
  expect(getPathValue(second.body, '0.pull_request.url')).toBe(`${github.url}${repo}/pulls/3`);
  expect(second.headers.get('link')).toContain('rel="prev"');
  expect((await ada('GET', `${repo}/pulls`)).body).toMatchObject([{ number: 3 }]);
  const pages = await ada('GET', `${repo}/issues`, { query: { per_page: '100' } });
  expect(pages.headers.get('link')).toBeNull();
});

test('since and state select the changed issues', async () => {
  github.seedIssue('ada/engine', { author: 'ada', title: 'old' });
  github.seedIssue('ada/engine', { author: 'ada', title: 'touched' });
  advanceClock(60);
  github.seedComment('ada/engine', 2, { author: 'grace', body: 'me too' });
  const changed = await ada('GET', `${repo}/issues`, { query: { since: '2026-03-02T09:00:30Z', state: 'all' } });
  expect(listTitles(changed.body)).toEqual(['touched']);
  github.touchIssue('ada/engine', 1, { state: 'closed' });
  expect(listTitles((await ada('GET', `${repo}/issues`)).body)).toEqual(['touched']);
  const closed = await ada('GET', `${repo}/issues`, { query: { state: 'closed' } });
  expect(closed.body).toMatchObject([{ state_reason: 'completed', closed_at: '2026-03-02T09:01:00Z' }]);
  github.deleteIssue('ada/engine', 1);
  expect((await ada('GET', `${repo}/issues/1`)).status).toBe(410);
});

test('a user creates, changes, comments on and closes an issue', async () => {
  const made = await ada('POST', `${repo}/issues`, { json: { title: 'Fix it', labels: ['bug'], assignees: ['ada'] } });
  expect(made.status).toBe(201);
  expect(made.body).toMatchObject({ number: 1, state: 'open', user: { login: 'ada' }, labels: [{ name: 'bug' }] });
  const changed = await ada('PATCH', `${repo}/issues/1`, {
    json: { title: 'Fixed', state: 'closed', state_reason: 'not_planned' },
  });
  expect(changed.body).toMatchObject({ title: 'Fixed', state: 'closed', state_reason: 'not_planned' });
  const comment = await ada('POST', `${repo}/issues/1/comments`, { json: { body: 'Done' } });
  expect(comment.status).toBe(201);
  expect((await ada('GET', `${repo}/issues/1/comments`)).body).toMatchObject([
    { body: 'Done', user: { login: 'ada' } },
  ]);
  expect((await ada('GET', `${repo}/issues/1`)).body).toMatchObject({ comments: 1 });
  expect((await ada('GET', `${repo}/issues/comments`)).body).toHaveLength(1);
  expect((await ada('DELETE', `${repo}/issues/comments/${String(comment.body.id)}`)).status).toBe(204);
});

test.each([
  [{ title: ' ' }, { errors: [{ resource: 'Issue', field: 'title', code: 'missing_field' }] }],
  [{ title: 'x', assignees: ['grace'] }, { errors: [{ field: 'assignees', code: 'invalid', value: 'grace' }] }],
  [{}, { message: expect.stringContaining(`"title" wasn't supplied`) as string }],
  [{ title: 'x', colour: 'red' }, { message: expect.stringContaining('"colour" is not a permitted key') as string }],
])('the body %j is refused with 422', async (json, answer) => {
  const refused = await ada('POST', `${repo}/issues`, { json });
  expect(refused.status).toBe(422);
  expect(refused.body).toMatchObject(answer);
  expect(github.issues('ada/engine')).toEqual([]);
});

test('unknown parameters and wrong values are refused', async () => {
  expect((await ada('GET', `${repo}/issues`, { query: { perpage: '2' } })).status).toBe(422);
  expect((await ada('GET', `${repo}/issues`, { query: { per_page: '101' } })).status).toBe(422);
  expect((await ada('GET', `${repo}/issues`, { query: { since: 'yesterday' } })).status).toBe(422);
  expect((await ada('POST', `${repo}/issues`, { body: '{' })).status).toBe(400);
});

test('a user with read access opens issues, and their labels are dropped in silence', async () => {
  github.addRepo({ owner: 'ada', name: 'open', members: { grace: 'read' } });
  const grace = createTokenClient(github.url, github.personalToken('grace', ['public_repo']));
  const made = await grace('POST', '/repos/ada/open/issues', { json: { title: 'Hi', labels: ['bug'] } });
  expect(made.body).toMatchObject({ labels: [] });
  github.seedIssue('ada/open', { author: 'ada', title: 'Not yours' });
  expect((await grace('PATCH', '/repos/ada/open/issues/2', { json: { title: 'Mine' } })).status).toBe(403);
});

test('a token without the scope finds nothing', async () => {
  const narrow = createTokenClient(github.url, github.issueTokens('ada', ['read:user']).accessToken);
  expect((await narrow('GET', repo)).status).toBe(404);
  github.addRepo({ owner: 'ada', name: 'open' });
  expect((await narrow('GET', '/repos/ada/open')).status).toBe(200);
  expect((await narrow('POST', '/repos/ada/open/issues', { json: { title: 'x' } })).status).toBe(404);
  expect((await createTokenClient(github.url, 'gho_x')('GET', '/user')).body).toMatchObject({
    message: 'Bad credentials',
  });
  expect((await createTokenClient(github.url)('GET', '/user')).status).toBe(401);
});

test('a 304 answer costs no request of the limit, and a change costs one', async () => {
  github.seedIssue('ada/engine', { author: 'ada', title: 'one' });
  const first = await ada('GET', `${repo}/issues`);
  expect(first.headers.get('x-ratelimit-remaining')).toBe('4999');
  const headers = { 'if-none-match': first.headers.get('etag') ?? '' };
  const same = await ada('GET', `${repo}/issues`, { headers });
  expect(same.status).toBe(304);
  expect(same.headers.get('x-ratelimit-remaining')).toBe('4999');
  github.touchIssue('ada/engine', 1, { title: 'two' });
  const changed = await ada('GET', `${repo}/issues`, { headers });
  expect(changed.status).toBe(200);
  expect(changed.headers.get('x-ratelimit-used')).toBe('2');
});

test('over the hourly limit every request answers 403 until the reset', async () => {
  github.setQuota({ requests: 1, seconds: 3600 });
  await ada('GET', '/user');
  const refused = await ada('GET', '/user');
  expect(refused.status).toBe(403);
  expect(refused.headers.get('x-ratelimit-remaining')).toBe('0');
  expect(refused.headers.get('x-ratelimit-reset')).toBe(String(clock.getTime() / 1000 + 3600));
  advanceClock(3600);
  expect((await ada('GET', '/user')).status).toBe(200);
});

test('too many created items meet a secondary limit with Retry-After', async () => {
  await github.close();
  github = await startGitHubEmulator({ now: () => clock, contentPerMinute: 1 });
  github.addUser({ login: 'ada' });
  github.addRepo({ owner: 'ada', name: 'engine' });
  const me = createTokenClient(github.url, github.personalToken('ada'));
  expect((await me('POST', `${repo}/issues`, { json: { title: 'a' } })).status).toBe(201);
  const refused = await me('POST', `${repo}/issues`, { json: { title: 'b' } });
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([403, '60']);
  github.failures.next({ path: '/user' }, { kind: 'status', status: 429, retryAfter: 3 });
  expect((await me('GET', '/user')).headers.get('retry-after')).toBe('3');
});

test('search lags behind changes, and listing does not', async () => {
  await ada('POST', `${repo}/issues`, { json: { title: 'A rare word' } });
  const search = () => ada('GET', '/search/issues', { query: { q: 'rare repo:ada/engine is:issue' } });
  expect((await search()).body).toMatchObject({ total_count: 0 });
  expect((await ada('GET', `${repo}/issues`)).body).toHaveLength(1);
  advanceClock(61);
  expect((await search()).body).toMatchObject({ total_count: 1, items: [{ title: 'A rare word' }] });
});

test('draft releases are visible to users who can write', async () => {
  github.addRepo({ owner: 'ada', name: 'open', members: { grace: 'read' } });
  github.seedRelease('ada/open', { tag: 'v1', author: 'ada', body: 'First' });
  github.seedRelease('ada/open', { tag: 'v2', author: 'ada', draft: true });
  const grace = createTokenClient(github.url, github.personalToken('grace'));
  expect((await grace('GET', '/repos/ada/open/releases')).body).toMatchObject([{ tag_name: 'v1' }]);
  const open = createTokenClient(github.url, github.personalToken('ada'));
  expect((await open('GET', '/repos/ada/open/releases')).body).toHaveLength(2);
  expect((await open('GET', '/repos/ada/open/releases/latest')).body).toMatchObject({ tag_name: 'v1' });
});

test('a request without a User-Agent or with an unknown version is refused', async () => {
  expect((await ada('GET', '/user', { headers: { 'x-github-api-version': '2022-11-28' } })).status).toBe(200);
  expect((await ada('GET', '/user', { headers: { 'x-github-api-version': '2021-01-01' } })).status).toBe(400);
  expect((await ada('GET', '/user', { headers: { 'user-agent': '' } })).status).toBe(403);
});

const verifier = 'v'.repeat(50);
const buildAuthorizationUrl = (changes: Record<string, string> = {}) =>
  `${github.url}/login/oauth/authorize?${new URLSearchParams({
    client_id: github.client.id,
    redirect_uri: redirectUri,
    scope: 'repo read:user',
    state: 'st',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...changes,
  }).toString()}`;

const exchange = (code: string, accept = 'application/json', changes: Record<string, string> = {}) =>
  postForm(
    github.url,
    '/login/oauth/access_token',
    {
      client_id: github.client.id,
      client_secret: github.client.secret,
      code,
      redirect_uri: redirectUri,
      code_verifier: verifier,
      ...changes,
    },
    { accept },
  );

async function requestCode(): Promise<string> {
  const back = new URL(await github.approve(buildAuthorizationUrl(), { login: 'ada' }));
  expect(back.searchParams.get('state')).toBe('st');
  return back.searchParams.get('code') ?? '';
}

test('a person who authorizes gives a token that does not expire', async () => {
  const code = await requestCode();
  const { body } = await exchange(code);
  expect(body).toEqual({
    access_token: expect.stringMatching(/^gho_/) as string,
    token_type: 'bearer',
    scope: 'repo,read:user',
  });
  advanceClock(86_400 * 365);
  const me = await createTokenClient(github.url, String(body.access_token))('GET', '/user');
  expect(me.headers.get('x-oauth-scopes')).toBe('repo, read:user');
  expect(me.body).toMatchObject({ login: 'ada' });
});

test('the token endpoint answers errors with 200, and a form by default', async () => {
  const wrong = await exchange('nope');
  expect([wrong.status, wrong.body.error]).toEqual([200, 'bad_verification_code']);
  const secret = await exchange(await requestCode(), 'application/json', { client_secret: 'x' });
  expect(secret.body.error).toBe('incorrect_client_credentials');
  const unverified = await exchange(await requestCode(), 'application/json', { code_verifier: 'w'.repeat(50) });
  expect(unverified.body.error).toBe('bad_verification_code');
  const form = await exchange(await requestCode(), '*/*');
  expect(new URLSearchParams(form.text).get('access_token')).toMatch(/^gho_/);
  const late = await requestCode();
  advanceClock(601);
  expect((await exchange(late)).body.error).toBe('bad_verification_code');
});

test('a person can decline, and an invalid request never redirects to the client', async () => {
  const back = new URL(await github.approve(buildAuthorizationUrl(), { login: 'ada', deny: true }));
  expect(back.searchParams.get('error')).toBe('access_denied');
  const badRequests: Record<string, string>[] = [
    { redirect_uri: 'https://evil.example/' },
    { scope: 'everything' },
    { client_id: 'x' },
    { extra: '1' },
  ];
  for (const bad of badRequests) {
    await expect(github.approve(buildAuthorizationUrl(bad), { login: 'ada' })).rejects.toThrow(/answered 4/);
  }
});

test('the app ends a token or the whole grant with its own password', async () => {
  const { id, secret } = github.client;
  const tokens = [1, 2, 3].map(() => github.issueTokens('ada').accessToken);
  const app = (method: string, what: string, token: string, headers = buildBasicAuth(id, secret)) =>
    createTokenClient(github.url)(method, `/applications/${id}/${what}`, { json: { access_token: token }, headers });
  const works = async (token = '') => (await createTokenClient(github.url, token)('GET', '/user')).status;
  expect((await app('DELETE', 'token', tokens[0] ?? '', buildBasicAuth(id, 'wrong'))).status).toBe(404);
  expect((await app('POST', 'token', tokens[0] ?? '')).body).toMatchObject({
    user: { login: 'ada' },
    scopes: ['repo'],
  });
  expect((await app('DELETE', 'token', tokens[0] ?? '')).status).toBe(204);
  expect([await works(tokens[0]), await works(tokens[1])]).toEqual([401, 200]);
  expect((await app('DELETE', 'grant', tokens[1] ?? '')).status).toBe(204);
  expect(await works(tokens[2])).toBe(401);
  expect((await app('DELETE', 'grant', tokens[1] ?? '')).status).toBe(404);
});

test('failures happen before or after the effect, and a false success stores nothing', async () => {
  const create = () => ada('POST', `${repo}/issues`, { json: { title: 'Once' } });
  github.failures.next({ method: 'POST', path: `${repo}/issues` }, { kind: 'cut', when: 'after' });
  await expect(create()).rejects.toThrow();
  expect(github.issues('ada/engine')).toHaveLength(1);
  github.failures.next({ method: 'POST', account: 'ada' }, { kind: 'lie' });
  expect((await create()).status).toBe(201);
  github.failures.next({ method: 'POST' }, { kind: 'status', status: 502 });
  expect((await create()).status).toBe(502);
  expect(github.issues('ada/engine')).toHaveLength(1);
  expect(github.ledger.count({ method: 'POST', path: /\/issues$/, account: 'ada' })).toBe(3);
});
