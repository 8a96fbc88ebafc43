// Microsoft's sign-in and Graph, as a client meets them.
import { createHash } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { getPathValue, createTokenClient, postForm, getTextAt } from '../kit/api-client.ts';
import type { ApiClient } from '../kit/api-client.ts';
import { startMicrosoftEmulator } from './index.ts';
import type { MicrosoftEmulator } from './index.ts';

const redirectUri = 'http://127.0.0.1:9/callback';
const immutable = { prefer: 'IdType="ImmutableId"' };
const inboxDelta = '/v1.0/me/mailFolders/inbox/messages/delta';
let microsoft: MicrosoftEmulator;
let clock: Date;
let ada: ApiClient;

const advanceClock = (seconds: number) => (clock = new Date(clock.getTime() + seconds * 1000));

beforeEach(async () => {
  clock = new Date('2026-03-02T09:00:00Z');
  microsoft = await startMicrosoftEmulator({ now: () => clock });
  microsoft.addAccount({ email: 'ada@example.com', name: 'Ada Lovelace' });
  microsoft.addAccount({ email: 'grace@example.com', name: 'Grace Hopper' });
  const scopes = ['User.Read', 'Mail.ReadWrite', 'Mail.Send', 'Calendars.ReadWrite'];
  ada = createTokenClient(microsoft.url, microsoft.issueTokens('ada@example.com', scopes).accessToken);
});

afterEach(() => microsoft.close());

const seed = (subject: string) => microsoft.seedMessage('ada@example.com', { from: 'x@example.net', subject });
const listValues = (body: unknown) => getPathValue(body, 'value') as Record<string, unknown>[];
const follow = async (link: unknown, headers: Record<string, string> = {}) => {
  const url = new URL(String(link));
  return (await ada('GET', `${url.pathname}${url.search}`, { headers })).body;
};

test('a token reads its user, and an answer repeats the client’s request id', async () => {
  const me = await ada('GET', '/v1.0/me', { headers: { 'client-request-id': 'mine' } });
  expect(me.body).toMatchObject({ displayName: 'Ada Lovelace', mail: 'ada@example.com' });
  expect(me.headers.get('client-request-id')).toBe('mine');
  const stranger = await createTokenClient(microsoft.url, 'x')('GET', '/v1.0/me');
  expect([stranger.status, getPathValue(stranger.body, 'error.code')]).toEqual([401, 'InvalidAuthenticationToken']);
  const narrow = createTokenClient(microsoft.url, microsoft.issueTokens('ada@example.com', ['User.Read']).accessToken);
  expect((await narrow('GET', '/v1.0/me/messages')).status).toBe(403);
});

test('messages are listed, filtered and selected', async () => {
  seed('old');
  advanceClock(60);
  seed('new');
  const all = await ada('GET', '/v1.0/me/messages', { query: { $top: '1', $select: 'subject' } });
  expect(listValues(all.body)).toEqual([
    { '@odata.etag': expect.any(String) as string, id: expect.any(String) as string, subject: 'new' },
  ]);
  expect(listValues(await follow(all.body['@odata.nextLink']))).toMatchObject([{ subject: 'old' }]);
  const since = { $filter: 'receivedDateTime ge 2026-03-02T09:01:00Z' };
  expect(listValues((await ada('GET', '/v1.0/me/messages', { query: since })).body)).toMatchObject([
    { subject: 'new' },
  ]);
  for (const query of [{ $filter: 'colour eq 1' }, { colour: 'red' }, { $top: '0' }, { $select: 'colour' }] as Record<
    string,
    string
  >[]) {
    expect((await ada('GET', '/v1.0/me/messages', { query })).status).toBe(400);
  }
});

test('a delta lists everything in pages, then what was changed and deleted', async () => {
  const [first, second] = ['one', 'two', 'three'].map(seed);
  const headers = { prefer: 'odata.maxpagesize=2' };
  const page = (await ada('GET', inboxDelta, { query: { $select: 'subject' }, headers })).body;
  expect(listValues(page).map(({ subject }) => subject)).toEqual(['three', 'two']);
  const last = await follow(page['@odata.nextLink'], headers);
  expect(listValues(last)).toMatchObject([{ subject: 'one' }]);
  const link = last['@odata.deltaLink'];
  expect(listValues(await follow(link))).toEqual([]);
  const idBefore = second?.id;
  microsoft.touchMessage('ada@example.com', first?.id ?? '', { isRead: true });
  microsoft.touchMessage('ada@example.com', second?.id ?? '', { folder: 'archive' });
  seed('four');
  const round = await follow(link);
  expect(listValues(round)).toEqual([
    expect.objectContaining({ id: first?.id, subject: 'one' }),
    { id: idBefore, '@removed': { reason: 'deleted' } },
    expect.objectContaining({ subject: 'four' }),
  ]);
  expect(listValues(await follow(round['@odata.deltaLink']))).toEqual([]);
  expect(listValues(await follow(link))).toHaveLength(3);
  microsoft.expireDeltaLinks('ada@example.com');
  expect(getPathValue(await follow(round['@odata.deltaLink']), 'error.code')).toBe('SyncStateNotFound');
});

test('folders are listed level by level, with well-known names and stable ids', async () => {
  const projects = microsoft.addFolder('ada@example.com', { name: 'Projects' });
  const engine = microsoft.addFolder('ada@example.com', { name: 'Engine', in: projects });
  microsoft.seedMessage('ada@example.com', { from: 'x@example.net', subject: 'Gears', folder: engine });
  const list = async (path: string, query = {}) =>
    listValues((await ada('GET', `/v1.0/me/mailFolders${path}`, { query })).body);
  const top = await list('', { $select: 'displayName,childFolderCount', $top: '20' });
  expect(top).toContainEqual({ id: projects, displayName: 'Projects', childFolderCount: 1 });
  expect(top.map(({ displayName }) => displayName)).toEqual(
    expect.arrayContaining(['Inbox', 'Junk Email', 'Outbox', 'Deleted Items']),
  );
  expect(top).not.toContainEqual(expect.objectContaining({ id: engine }));
  const below = { id: engine, parentFolderId: projects, childFolderCount: 0, totalItemCount: 1 };
  expect(await list(`/${projects}/childFolders`)).toMatchObject([below]);
  const bin = (await ada('GET', '/v1.0/me/mailFolders/deleteditems')).body;
  microsoft.touchFolder('ada@example.com', projects, { in: 'deleteditems' });
  expect(await list(`/${getTextAt(bin, 'id')}/childFolders`)).toMatchObject([{ id: projects, childFolderCount: 1 }]);
  expect(await list(`/${engine}/messages`)).toMatchObject([{ subject: 'Gears', parentFolderId: engine }]);
  microsoft.touchFolder('ada@example.com', projects, { in: null });
  expect((await ada('GET', `/v1.0/me/mailFolders/${engine}/messages/delta`)).status).toBe(404);
  expect(microsoft.messages('ada@example.com')).toEqual([]);
});

test('an id changes when its message moves, and an immutable id does not', async () => {
  const { id, immutableId } = seed('one');
  const list = await ada('GET', '/v1.0/me/messages', { headers: immutable });
  expect(listValues(list.body)).toMatchObject([{ id: immutableId }]);
  await ada('POST', `/v1.0/me/messages/${id}/move`, { json: { destinationId: 'archive' } });
  expect((await ada('GET', `/v1.0/me/messages/${id}`)).status).toBe(404);
  expect((await ada('GET', `/v1.0/me/messages/${immutableId}`)).status).toBe(200);
  expect((await ada('DELETE', `/v1.0/me/messages/${immutableId}`)).status).toBe(204);
  expect(microsoft.messages('ada@example.com', 'deleteditems')).toHaveLength(1);
});

test('a draft is created, changed and sent; its internetMessageId stays', async () => {
  const json = {
    subject: 'Hi',
    body: { contentType: 'Text', content: 'Hello' },
    toRecipients: [{ emailAddress: { address: 'grace@example.com' } }],
  };
  const draft = await ada('POST', '/v1.0/me/messages', { json, headers: immutable });
  expect([draft.status, draft.body.isDraft]).toEqual([201, true]);
  const path = `/v1.0/me/messages/${getTextAt(draft.body, 'id')}`;
  await ada('PATCH', path, { json: { subject: 'Hello' } });
  const sent = await ada('POST', `${path}/send`, { headers: { 'client-request-id': 'once' } });
  expect([sent.status, sent.text]).toEqual([202, '']);
  expect(microsoft.sent()).toMatchObject([
    {
      subject: 'Hello',
      to: ['grace@example.com'],
      internetMessageId: draft.body.internetMessageId,
      clientRequestId: 'once',
    },
  ]);
  expect((await ada('GET', path)).body).toMatchObject({ isDraft: false, parentFolderId: 'folder-sentitems' });
  expect(microsoft.messages('grace@example.com', 'inbox')).toMatchObject([
    { internetMessageId: draft.body.internetMessageId },
  ]);
  expect((await ada('POST', `${path}/send`)).status).toBe(400);
});

test('a reply stays in its conversation; sendMail has an empty answer and accepts any recipient', async () => {
  const { id, conversationId } = seed('Question');
  const reply = await ada('POST', `/v1.0/me/messages/${id}/createReply`, { json: { comment: 'Yes' } });
  expect(reply.body).toMatchObject({
    subject: 'RE: Question',
    conversationId,
    toRecipients: [{ emailAddress: { address: 'x@example.net' } }],
  });
  const send = (message: object) => ada('POST', '/v1.0/me/sendMail', { json: { message } });
  expect((await send({ subject: 'x' })).status).toBe(400);
  expect((await send({ subject: 'x', colour: 'red' })).status).toBe(400);
  const sent = await send({ subject: 'x', toRecipients: [{ emailAddress: { address: 'y@example.net' } }] });
  expect([sent.status, sent.text]).toEqual([202, '']);
  expect(microsoft.sent('ada@example.com')).toHaveLength(1);
  expect(microsoft.messages('ada@example.com', 'drafts')).toHaveLength(1);
});

test('attachments are read with $expand or one by one', async () => {
  const file = { name: 'a.txt', contentType: 'text/plain', content: 'Notes' };
  const { id } = microsoft.seedMessage('ada@example.com', {
    from: 'x@example.net',
    subject: 'File',
    attachments: [file],
  });
  const full = await ada('GET', `/v1.0/me/messages/${id}`, { query: { $expand: 'attachments' } });
  expect(full.body).toMatchObject({ hasAttachments: true, attachments: [{ name: 'a.txt', size: 5 }] });
  const one = await ada('GET', `/v1.0/me/messages/${id}/attachments/${getTextAt(full.body, 'attachments.0.id')}`);
  expect(Buffer.from(String(one.body.contentBytes), 'base64').toString()).toBe('Notes');
  const list = await ada('GET', `/v1.0/me/messages/${id}/attachments`, { query: { $select: 'name,size' } });
  expect(list.body.value).toEqual([
    { '@odata.type': '#microsoft.graph.fileAttachment', id: one.body.id, name: 'a.txt', size: 5 },
  ]);
  const raw = await ada('GET', `/v1.0/me/messages/${id}/attachments/${String(one.body.id)}/$value`);
  expect(raw.text).toBe('Notes');
});

const event = {
  subject: 'Meeting',
  start: { dateTime: '2026-03-04T10:00:00', timeZone: 'Europe/Berlin' },
  end: { dateTime: '2026-03-04T11:00:00', timeZone: 'Europe/Berlin' },
};

test('an event with one transactionId is created once, then changed and deleted', async () => {
  const json = { ...event, transactionId: 't1', attendees: [{ emailAddress: { address: 'grace@example.com' } }] };
  const made = await ada('POST', '/v1.0/me/events', { json });
  expect(made.body).toMatchObject({
    start: { dateTime: '2026-03-04T09:00:00.0000000', timeZone: 'UTC' },
    transactionId: 't1',
  });
  const again = await ada('POST', '/v1.0/me/events', { json });
  expect(again.body.id).toBe(made.body.id);
  expect(microsoft.invitations()).toMatchObject([{ kind: 'invite', to: ['grace@example.com'] }]);
  const path = `/v1.0/me/events/${getTextAt(made.body, 'id')}`;
  expect((await ada('PATCH', path, { json: { subject: 'Other' } })).body.subject).toBe('Other');
  expect((await ada('PATCH', path, { json: { transactionId: 't2' } })).status).toBe(400);
  expect((await ada('POST', `${path}/accept`, { json: {} })).status).toBe(400);
  expect((await ada('DELETE', path)).status).toBe(204);
  expect((await ada('GET', path)).status).toBe(404);
  expect(microsoft.invitations().map(({ kind }) => kind)).toEqual(['invite', 'update', 'cancel']);
  expect(
    (
      await ada('POST', '/v1.0/me/events', {
        json: { ...event, end: { dateTime: '2026-03-03T00:00:00', timeZone: 'UTC' } },
      })
    ).status,
  ).toBe(400);
  expect((await ada('POST', '/v1.0/me/events', { json: { ...event, recurrence: {} } })).status).toBe(400);
});

test('an invitation is accepted, and a calendar view has a delta', async () => {
  const utc = (dateTime: string) => ({ dateTime, timeZone: 'UTC' });
  const invited = microsoft.seedEvent('ada@example.com', {
    subject: 'Theirs',
    start: utc('2026-03-05T09:00:00'),
    end: utc('2026-03-05T10:00:00'),
    invitedBy: 'x@example.net',
  });
  microsoft.seedEvent('ada@example.com', {
    subject: 'Far',
    start: utc('2027-01-01T09:00:00'),
    end: utc('2027-01-01T10:00:00'),
  });
  const query = { startDateTime: '2026-03-01T00:00:00Z', endDateTime: '2026-04-01T00:00:00Z' };
  const path = '/v1.0/me/calendarView/delta';
  expect((await ada('GET', path)).status).toBe(400);
  const first = (await ada('GET', path, { query })).body;
  expect(listValues(first)).toMatchObject([{ subject: 'Theirs', responseStatus: { response: 'notResponded' } }]);
  expect((await ada('POST', `/v1.0/me/events/${invited.id}/accept`, { json: { sendResponse: true } })).status).toBe(
    202,
  );
  expect(microsoft.invitations()).toMatchObject([{ kind: 'response', to: ['x@example.net'] }]);
  const second = await follow(first['@odata.deltaLink']);
  expect(listValues(second)).toMatchObject([{ responseStatus: { response: 'accepted' } }]);
  microsoft.deleteEvent('ada@example.com', invited.id);
  expect(listValues(await follow(second['@odata.deltaLink']))).toEqual([
    { id: invited.id, '@removed': { reason: 'deleted' } },
  ]);
});

const verifier = 'v'.repeat(64);

async function requestTokens(form: Record<string, string>) {
  const { id, secret } = microsoft.client;
  return postForm(microsoft.url, '/common/oauth2/v2.0/token', { client_id: id, client_secret: secret, ...form });
}

async function signIn(scope: string) {
  const query = {
    client_id: microsoft.client.id,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  };
  const url = `${microsoft.url}/common/oauth2/v2.0/authorize?${new URLSearchParams(query).toString()}`;
  const code = new URL(await microsoft.approve(url, { email: 'Ada@example.com' })).searchParams.get('code') ?? '';
  return requestTokens({ grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier });
}

test('only offline_access gives a refresh token, which rotates while the old one lives', async () => {
  expect((await signIn('User.Read')).body).not.toHaveProperty('refresh_token');
  const { body } = await signIn('https://graph.microsoft.com/User.Read offline_access');
  expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 3600, scope: 'User.Read' });
  advanceClock(3600);
  const works = async (token: unknown) =>
    (await createTokenClient(microsoft.url, String(token))('GET', '/v1.0/me')).status;
  expect(await works(body.access_token)).toBe(401);
  const form = { grant_type: 'refresh_token', refresh_token: getTextAt(body, 'refresh_token') };
  const fresh = (await requestTokens(form)).body;
  expect(fresh.refresh_token).not.toBe(form.refresh_token);
  expect([await works(fresh.access_token), (await requestTokens(form)).status]).toEqual([200, 200]);
  microsoft.revokeAccess('ada@example.com');
  const dead = await requestTokens(form);
  expect([dead.status, dead.body.error, dead.body.error_codes]).toEqual([400, 'invalid_grant', [700082]]);
});

test('throttling is 429 with Retry-After; failures happen before or after the effect, and a false success stores nothing', async () => {
  microsoft.setQuota({ requests: 1, seconds: 30 });
  await ada('GET', '/v1.0/me');
  const refused = await ada('GET', '/v1.0/me');
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '30']);
  microsoft.setQuota(undefined);
  const create = () => ada('POST', '/v1.0/me/events', { json: event });
  microsoft.failures.next({ path: '/v1.0/me/events' }, { kind: 'lie' });
  expect((await create()).status).toBe(201);
  microsoft.failures.next(
    { path: '/v1.0/me/events', account: 'ada@example.com' },
    { kind: 'status', status: 503, when: 'after' },
  );
  expect((await create()).status).toBe(503);
  expect(microsoft.events('ada@example.com')).toHaveLength(1);
});
