// Linear, as a client meets it.
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { getPathValue, createHeaderClient, createTokenClient, postForm, getTextAt } from '../kit/api-client.ts';
import { startLinearEmulator } from './index.ts';
import type { LinearEmulator } from './index.ts';

const redirectUri = 'http://127.0.0.1:9/callback';
let linear: LinearEmulator;
let clock: Date;
let token: string;
let teamId: string;

const advanceClock = (seconds: number) => (clock = new Date(clock.getTime() + seconds * 1000));

beforeEach(async () => {
  clock = new Date('2026-03-02T09:00:00Z');
  linear = await startLinearEmulator({ now: () => clock });
  linear.addUser({ name: 'Ada' });
  linear.addUser({ name: 'Grace' });
  teamId = linear.addTeam({ key: 'ENG', name: 'Engine' }).id;
  token = linear.issueTokens('Ada').accessToken;
});

afterEach(() => linear.close());

const ask = (query: string, variables: Record<string, unknown> = {}, with_ = token) =>
  createTokenClient(linear.url, with_)('POST', '/graphql', { json: { query, variables } });

const create = (input: Record<string, unknown>, with_ = token) =>
  ask(
    'mutation($input: IssueCreateInput!) { issueCreate(input: $input) { success issue { id identifier state { name } } } }',
    { input: { teamId, ...input } },
    with_,
  );

const listTitles = (body: unknown) =>
  (getPathValue(body, 'data.issues.nodes') as { title: string }[]).map(({ title }) => title);

test('a token reads its user, the organisation and the teams', async () => {
  linear.addTeam({ key: 'SEC', private: true, members: ['Grace'] });
  const { body } = await ask(
    '{ viewer { name email } organization { urlKey } teams { nodes { key states { nodes { type } } } } }',
  );
  expect(body.data).toMatchObject({
    viewer: { name: 'Ada', email: 'ada@example.com' },
    organization: { urlKey: 'thalamus-test' },
    teams: { nodes: [{ key: 'ENG', states: { nodes: expect.any(Array) as unknown[] } }] },
  });
});

test('issues are listed newest first, page by page, and since a date', async () => {
  for (let count = 1; count <= 5; count += 1) {
    linear.seedIssue('ENG', { title: `t${count}`, creator: 'Ada' });
    advanceClock(60);
  }
  const query = `query($after: String, $since: DateTimeOrDuration) { issues(first: 2, after: $after, orderBy: updatedAt,
    filter: { updatedAt: { gt: $since } }) { nodes { title } pageInfo { hasNextPage endCursor } } }`;
  const first = await ask(query, { since: '2026-01-01T00:00:00Z' });
  expect(listTitles(first.body)).toEqual(['t5', 't4']);
  expect(getPathValue(first.body, 'data.issues.pageInfo.hasNextPage')).toBe(true);
  const after = getTextAt(first.body, 'data.issues.pageInfo.endCursor');
  expect(listTitles((await ask(query, { after, since: '2026-01-01T00:00:00Z' })).body)).toEqual(['t3', 't2']);
  linear.touchIssue('ENG-1', { title: 'changed', state: 'Done' });
  expect(listTitles((await ask(query, { since: '2026-03-02T09:04:30Z' })).body)).toEqual(['changed']);
  expect(getPathValue((await ask(query, { since: 'yesterday' })).body, 'errors.0.extensions.code')).toBe('INPUT_ERROR');
});

test('archived and deleted issues are shown only when asked for', async () => {
  linear.seedIssue('ENG', { title: 'kept', creator: 'Ada' });
  linear.seedIssue('ENG', { title: 'archived', creator: 'Ada' });
  linear.seedIssue('ENG', { title: 'trash', creator: 'Ada' });
  await ask('mutation { issueArchive(id: "ENG-2") { success } issueDelete(id: "ENG-3") { success } }');
  expect(listTitles((await ask('{ issues { nodes { title } } }')).body)).toEqual(['kept']);
  const all = await ask('{ issues(includeArchived: true) { nodes { title archivedAt trashed } } }');
  expect(getPathValue(all.body, 'data.issues.nodes')).toHaveLength(3);
  expect((await ask('{ issue(id: "ENG-3") { trashed } }')).body.data).toEqual({ issue: { trashed: true } });
  linear.purgeIssue('ENG-3');
  const trashedIssue = await ask('{ issue(id: "ENG-3") { trashed } }');
  expect(trashedIssue.body).toMatchObject({
    data: null,
    errors: [{ extensions: { code: 'INPUT_ERROR', userPresentableMessage: 'Could not find referenced Issue.' } }],
  });
});

test('a client may choose the id of an issue, once', async () => {
  const id = randomUUID();
  expect((await create({ id, title: 'Once' })).body.data).toMatchObject({
    issueCreate: { success: true, issue: { id, identifier: 'ENG-1', state: { name: 'Backlog' } } },
  });
  const again = await create({ id, title: 'Once' });
  expect(again.status).toBe(200);
  expect(again.body).toMatchObject({ data: null, errors: [{ extensions: { code: 'INPUT_ERROR', userError: true } }] });
  expect((await create({ id: 'not-a-uuid', title: 'x' })).body.errors).toMatchObject([
    { extensions: { code: 'INPUT_ERROR' } },
  ]);
  expect(linear.issues()).toHaveLength(1);
});

test('an issue is changed and gets comments', async () => {
  linear.seedIssue('ENG', { title: 'one', creator: 'Grace' });
  const states = await ask('{ team(id: "ENG") { states { nodes { id type } } } }');
  const done = (getPathValue(states.body, 'data.team.states.nodes') as { id: string; type: string }[]).find(
    ({ type }) => type === 'completed',
  );
  advanceClock(1);
  const update =
    'mutation($input: IssueUpdateInput!) { issueUpdate(id: "ENG-1", input: $input) { issue { title completedAt updatedAt } } }';
  expect((await ask(update, { input: { title: 'two', stateId: done?.id } })).body.data).toMatchObject({
    issueUpdate: { issue: { title: 'two', completedAt: '2026-03-02T09:00:01.000Z' } },
  });
  expect((await ask(update, { input: { stateId: randomUUID() } })).body.errors).toBeDefined();
  const comment =
    'mutation($input: CommentCreateInput!) { commentCreate(input: $input) { comment { id body user { name } } } }';
  const input = { id: randomUUID(), issueId: 'ENG-1', body: 'Done' };
  expect((await ask(comment, { input })).body.data).toMatchObject({
    commentCreate: { comment: { id: input.id, user: { name: 'Ada' } } },
  });
  expect((await ask(comment, { input })).body.errors).toBeDefined();
  expect((await ask('{ issue(id: "ENG-1") { comments { nodes { body } } } }')).body.data).toEqual({
    issue: { comments: { nodes: [{ body: 'Done' }] } },
  });
});

test.each([
  ['{ viewer { colour } }', 'GRAPHQL_VALIDATION_FAILED'],
  ['{ issues(colour: 1) { nodes { id } } }', 'GRAPHQL_VALIDATION_FAILED'],
  ['mutation { issueCreate(input: { teamId: "x", colour: "red" }) { success } }', 'GRAPHQL_VALIDATION_FAILED'],
  ['{ viewer {', 'GRAPHQL_PARSE_FAILED'],
])('the mutation %s is refused as a whole', async (query, code) => {
  const refused = await ask(query);
  expect([refused.status, getPathValue(refused.body, 'errors.0.extensions.code')]).toEqual([400, code]);
});

test('a mutation needs the scope, or the narrower one', async () => {
  const reader = linear.issueTokens('Ada', ['read']).accessToken;
  expect(getPathValue((await create({ title: 'x' }, reader)).body, 'errors.0.extensions.code')).toBe('FORBIDDEN');
  const creator = linear.issueTokens('Ada', ['read', 'issues:create']).accessToken;
  expect((await create({ title: 'x' }, creator)).body.errors).toBeUndefined();
  const update = await ask('mutation { issueArchive(id: "ENG-1") { success } }', {}, creator);
  expect(getPathValue(update.body, 'errors.0.extensions.code')).toBe('FORBIDDEN');
});

test('a personal key is sent without Bearer', async () => {
  const key = linear.apiKey('Grace');
  const json = { query: '{ viewer { name } }' };
  const plain = await createHeaderClient(linear.url, { authorization: key })('POST', '/graphql', { json });
  expect(plain.body.data).toEqual({ viewer: { name: 'Grace' } });
  const bearer = await ask(json.query, {}, key);
  expect([bearer.status, getPathValue(bearer.body, 'errors.0.message')]).toEqual([
    400,
    expect.stringContaining('Remove the Bearer prefix'),
  ]);
  const without = await createHeaderClient(linear.url, { authorization: token })('POST', '/graphql', { json });
  expect([without.status, getPathValue(without.body, 'errors.0.extensions.code')]).toEqual([
    401,
    'AUTHENTICATION_ERROR',
  ]);
});

test('each query has a complexity, and too much of it is refused', async () => {
  const small = await ask('{ viewer { name email } }');
  expect(small.headers.get('x-complexity')).toBe('2');
  expect(small.headers.get('x-ratelimit-requests-remaining')).toBe('4999');
  const pages = await ask('{ issues(first: 10) { nodes { id title } } }');
  expect(pages.headers.get('x-complexity')).toBe('12');
  const huge = await ask('{ issues(first: 250) { nodes { id comments(first: 250) { nodes { id body } } } } }');
  expect([huge.status, getPathValue(huge.body, 'errors.0.message')]).toEqual([400, 'Query too complex']);
  linear.setQuota({ requests: 1, seconds: 60 });
  await ask('{ viewer { id } }');
  const refused = await ask('{ viewer { id } }');
  expect([refused.status, getPathValue(refused.body, 'errors.0.extensions.code')]).toEqual([400, 'RATELIMITED']);
  expect(refused.headers.get('x-ratelimit-requests-reset')).toBe(String(clock.getTime() + 60_000));
});

async function requestTokens(form: Record<string, string>) {
  const { id, secret } = linear.client;
  return postForm(linear.url, '/oauth/token', { client_id: id, client_secret: secret, ...form });
}

async function signIn() {
  const query = {
    client_id: linear.client.id,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'read,write',
    state: 's',
  };
  const url = `${linear.url}/oauth/authorize?${new URLSearchParams(query).toString()}`;
  const back = new URL(await linear.approve(url, { user: 'Grace' }));
  return requestTokens({
    grant_type: 'authorization_code',
    code: back.searchParams.get('code') ?? '',
    redirect_uri: redirectUri,
  });
}

test('refresh tokens rotate; a used one works for half an hour and then ends the family', async () => {
  const { body } = await signIn();
  expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 86_400, scope: 'read write' });
  const form = { grant_type: 'refresh_token', refresh_token: getTextAt(body, 'refresh_token') };
  advanceClock(86_400);
  expect((await ask('{ viewer { id } }', {}, getTextAt(body, 'access_token'))).status).toBe(401);
  const fresh = await requestTokens(form);
  expect(fresh.body.refresh_token).not.toBe(form.refresh_token);
  advanceClock(1799);
  expect((await requestTokens(form)).status).toBe(200);
  advanceClock(1);
  const reused = await requestTokens(form);
  expect([reused.status, reused.body.error]).toEqual([400, 'invalid_grant']);
  expect((await ask('{ viewer { id } }', {}, getTextAt(fresh.body, 'access_token'))).status).toBe(401);
});

test('revoking a token also revokes its refresh token', async () => {
  const { body } = await signIn();
  expect((await postForm(linear.url, '/oauth/revoke', { token: getTextAt(body, 'access_token') })).status).toBe(200);
  expect((await ask('{ viewer { id } }', {}, getTextAt(body, 'access_token'))).status).toBe(401);
  expect(
    (await requestTokens({ grant_type: 'refresh_token', refresh_token: getTextAt(body, 'refresh_token') })).status,
  ).toBe(400);
  expect((await postForm(linear.url, '/oauth/revoke', { token: 'x' })).status).toBe(400);
});

test('failures happen before or after the effect, and a false success stores nothing', async () => {
  linear.failures.next({ path: '/graphql' }, { kind: 'cut', when: 'after' });
  await expect(create({ title: 'a' })).rejects.toThrow();
  linear.failures.next({ path: '/graphql', account: 'ada@example.com' }, { kind: 'lie' });
  expect((await create({ title: 'b' })).body.data).toMatchObject({ issueCreate: { success: true } });
  linear.failures.next({ path: '/graphql' }, { kind: 'rate_limited' });
  expect(getPathValue((await create({ title: 'c' })).body, 'errors.0.extensions.code')).toBe('RATELIMITED');
  expect(linear.issues().map(({ title }) => title)).toEqual(['a']);
  expect(linear.ledger.count({ path: '/graphql' })).toBe(3);
});
