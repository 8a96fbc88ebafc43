// Gmail: reading, searching, drafts, sending.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { getPathValue, getTextAt } from '../kit/api-client.ts';
import { createApiClient } from './api-client.ts';
import type { ApiClient } from './api-client.ts';
import { composeMail } from './compose.ts';
import { startGoogleEmulator } from './index.ts';
import type { GoogleEmulator } from './index.ts';

const me = '/gmail/v1/users/me';
const full = 'https://mail.google.com/';
let google: GoogleEmulator;
let ada: ApiClient;
let grace: ApiClient;

beforeAll(async () => {
  google = await startGoogleEmulator({ now: () => new Date('2026-03-02T09:00:00Z') });
  google.addAccount({ email: 'ada@example.com', name: 'Ada Lovelace' });
  google.addAccount({ email: 'grace@example.com', name: 'Grace Hopper' });
  ada = createApiClient(google, 'ada@example.com', [full]);
  grace = createApiClient(google, 'grace@example.com', [full]);
  seedOlympus();
});

function seedOlympus(): void {
  const seed = (from: string, subject: string, rest: object) =>
    google.seedMail('ada@example.com', {
      from: `${from} <${from.toLowerCase()}@olympus.example>`,
      subject,
      text: '',
      ...rest,
    });
  const attachments = [{ filename: 'fan.pdf', mimeType: 'application/pdf', content: 'x' }];
  seed('Zeus', 'Thunder', {
    text: 'A flash of light!',
    labels: ['Gods'],
    read: true,
    date: new Date('2026-02-20T12:00:00Z'),
    messageId: '<thunder@olympus.example>',
  });
  seed('Hera', 'Peacocks', { attachments, date: new Date('2026-03-01T12:00:00Z') });
  seed('Hades', 'Trashed', { labelIds: ['TRASH'] });
}

afterAll(() => google.close());

function buildRawMail(mail: Partial<Parameters<typeof composeMail>[0]>): string {
  return composeMail({
    from: 'ada@example.com',
    to: 'grace@example.com',
    subject: 'Hello',
    text: 'Hi.',
    ...mail,
  }).toString('base64url');
}

test('a message is shown as the tree of its parts, and its attachment is fetched apart', async () => {
  const { id } = google.seedMail('ada@example.com', {
    from: 'Zoë Müller <zoe@example.net>',
    subject: 'Überblick',
    text: 'Grüße',
    html: '<p>Grüße</p>',
    attachments: [{ filename: 'Plan für März.pdf', mimeType: 'application/pdf', content: 'PDF bytes' }],
  });
  const { body } = await ada('GET', `${me}/messages/${id}`);
  expect(body).toMatchObject({ id, labelIds: ['INBOX', 'CATEGORY_PERSONAL', 'UNREAD'], snippet: 'Grüße' });
  const headers = getPathValue(body, 'payload.headers') as { name: string; value: string }[];
  expect(headers.find((header) => header.name === 'Subject')?.value).toBe('=?UTF-8?B?w5xiZXJibGljaw==?=');
  expect(headers.find((header) => header.name === 'From')?.value).toBe(
    '=?UTF-8?B?Wm/DqyBNw7xsbGVy?= <zoe@example.net>',
  );
  expect(getPathValue(body, 'payload.mimeType')).toBe('multipart/mixed');
  expect(Buffer.from(getTextAt(body, 'payload.parts.0.parts.1.body.data'), 'base64url').toString()).toBe(
    '<p>Grüße</p>',
  );
  expect(getPathValue(body, 'payload.parts.0.parts.1.partId')).toBe('0.1');
  expect(getPathValue(body, 'payload.parts.1')).toMatchObject({ filename: 'Plan für März.pdf', body: { size: 9 } });
  const attachment = await ada(
    'GET',
    `${me}/messages/${id}/attachments/${getTextAt(body, 'payload.parts.1.body.attachmentId')}`,
  );
  expect(Buffer.from(getTextAt(attachment.body, 'data'), 'base64url').toString()).toBe('PDF bytes');
});

test('the formats metadata, minimal and raw have their documented fields', async () => {
  const { id } = google.seedMail('ada@example.com', { from: 'a@example.net', subject: 'Formats', text: 'Body' });
  const metadata = await ada('GET', `${me}/messages/${id}`, {
    query: { format: 'metadata', metadataHeaders: ['Subject', 'To'] },
  });
  expect(getPathValue(metadata.body, 'payload.headers')).toEqual([
    { name: 'To', value: 'ada@example.com' },
    { name: 'Subject', value: 'Formats' },
  ]);
  expect((await ada('GET', `${me}/messages/${id}`, { query: { format: 'minimal' } })).body.payload).toBeUndefined();
  const whole = await ada('GET', `${me}/messages/${id}`, { query: { format: 'raw' } });
  expect(Buffer.from(getTextAt(whole.body, 'raw'), 'base64url').toString()).toContain('Subject: Formats');
});

test('unknown parameters, fields and ids are refused in Google’s words', async () => {
  const parameter = await ada('GET', `${me}/messages`, { query: { limit: '3' } });
  expect(parameter.status).toBe(400);
  expect(parameter.body.error?.message).toContain('Unknown name "limit": Cannot bind query parameter');
  const field = await ada('POST', `${me}/messages/send`, { json: { raw: buildRawMail({}), to: 'grace@example.com' } });
  expect(field.body.error?.message).toContain('Unknown name "to"');
  expect((await ada('GET', `${me}/messages/18d00000000000ff`)).body.error).toMatchObject({
    code: 404,
    status: 'NOT_FOUND',
    message: 'Requested entity was not found.',
    errors: [{ domain: 'global', reason: 'notFound' }],
  });
  expect((await ada('GET', `${me}/messages/not-an-id`)).body.error?.message).toBe('Invalid id value');
  expect((await ada('GET', '/gmail/v1/users/grace@example.com/profile')).status).toBe(403);
  expect((await ada('GET', `${me}/everything`)).status).toBe(404);
});

test.each([
  ['from:zeus', ['Thunder']],
  ['from:zeus@olympus.example', ['Thunder']],
  ['to:ada subject:thunder', ['Thunder']],
  ['"flash of light"', ['Thunder']],
  ['light flash', ['Thunder']],
  ['thund', []],
  ['has:attachment from:hera', ['Peacocks']],
  ['from:olympus.example -from:zeus', ['Peacocks']],
  ['from:zeus OR from:hera', ['Peacocks', 'Thunder']],
  ['{from:zeus from:hera} label:gods', ['Thunder']],
  ['from:(zeus) after:2026/02/19 before:2026/02/21', ['Thunder']],
  ['from:hera newer_than:2d', ['Peacocks']],
  ['from:zeus newer_than:2d', []],
  ['rfc822msgid:thunder@olympus.example', ['Thunder']],
  ['is:unread from:zeus', []],
  ['is:read from:zeus', ['Thunder']],
  ['from:hades', []],
  ['in:trash from:hades', ['Trashed']],
  ['in:anywhere from:hades', ['Trashed']],
  ['filename:pdf from:hera', ['Peacocks']],
])('searching %s finds %j', async (q, subjects) => {
  const { body } = await ada('GET', `${me}/messages`, { query: { q } });
  const ids = ((body.messages ?? []) as { id: string }[]).map((message) => message.id);
  const found = await Promise.all(
    ids.map((id) => ada('GET', `${me}/messages/${id}`, { query: { format: 'metadata', metadataHeaders: 'Subject' } })),
  );
  expect(found.map((message) => getTextAt(message.body, 'payload.headers.0.value'))).toEqual(subjects);
});

test('lists come in pages, and an empty one has no messages field', async () => {
  google.addAccount({ email: 'pages@example.com', name: 'Pages' });
  const pages = createApiClient(google, 'pages@example.com', [full]);
  expect((await pages('GET', `${me}/messages`)).body).toEqual({ resultSizeEstimate: 0 });
  for (let count = 0; count < 5; count += 1)
    google.seedMail('pages@example.com', { from: 'x@example.net', subject: `${count}`, text: '' });
  const first = await pages('GET', `${me}/messages`, { query: { maxResults: '3' } });
  const second = await pages('GET', `${me}/messages`, {
    query: { maxResults: '3', pageToken: getTextAt(first.body, 'nextPageToken') },
  });
  expect([first, second].map((page) => (page.body.messages as unknown[]).length)).toEqual([3, 2]);
  expect(second.body.nextPageToken).toBeUndefined();
  expect((await pages('GET', `${me}/messages`, { query: { pageToken: 'rubbish' } })).status).toBe(400);
});

test('sending overwrites the Message-ID, files the mail under SENT and delivers it', async () => {
  google.ledger.clear();
  const sent = await ada('POST', `${me}/messages/send`, {
    json: { raw: buildRawMail({ messageId: '<mine@example.com>', subject: 'Once', bcc: 'hidden@example.net' }) },
  });
  expect(sent.body).toMatchObject({ labelIds: ['SENT'] });
  const kept = await ada('GET', `${me}/messages/${getTextAt(sent.body, 'id')}`, { query: { format: 'raw' } });
  const source = Buffer.from(getTextAt(kept.body, 'raw'), 'base64url').toString();
  expect(source).toMatch(/^Message-ID: <CA[^>]+@mail\.gmail\.com>/m);
  expect(source).not.toContain('mine@example.com');
  expect(google.ledger.sent()).toMatchObject([
    { account: 'ada@example.com', subject: 'Once', to: ['grace@example.com'], bcc: ['hidden@example.net'] },
  ]);
  const inbox = await grace('GET', `${me}/messages`, { query: { q: 'subject:once in:inbox is:unread' } });
  const arrived = await grace('GET', `${me}/messages/${getTextAt(inbox.body, 'messages.0.id')}`, {
    query: { format: 'raw' },
  });
  expect(Buffer.from(getTextAt(arrived.body, 'raw'), 'base64url').toString()).not.toContain('hidden@example.net');
  const found = await ada('GET', `${me}/messages`, { query: { q: 'in:sent rfc822msgid:mine@example.com' } });
  expect(found.body.resultSizeEstimate).toBe(0);
});

test('a mail without recipients, or from another sender, does not leave as written', async () => {
  const nobody = Buffer.from('Subject: Nobody\r\n\r\nHi').toString('base64url');
  expect((await ada('POST', `${me}/messages/send`, { json: { raw: nobody } })).body.error?.message).toBe(
    'Recipient address required',
  );
  expect((await ada('POST', `${me}/messages/send`, { json: {} })).status).toBe(400);
  google.ledger.clear();
  await ada('POST', `${me}/messages/send`, { json: { raw: buildRawMail({ from: 'Boss <boss@example.com>' }) } });
  expect(google.ledger.sent()[0]?.from).toBe('Ada Lovelace <ada@example.com>');
});

test('a reply joins its thread only when it refers to it and keeps the subject', async () => {
  const [first] = google.seedThread('ada@example.com', [
    { from: 'grace@example.com', subject: 'Plans', text: 'Well?', messageId: '<plans@example.com>' },
  ]);
  const threadId = first?.threadId ?? '';
  const answer = { subject: 'Re: Plans', inReplyTo: '<plans@example.com>', references: ['<plans@example.com>'] };
  const send = (mail: object, thread = threadId) =>
    ada('POST', `${me}/messages/send`, { json: { threadId: thread, raw: buildRawMail(mail) } });
  expect((await send(answer)).body.threadId).toBe(threadId);
  expect((await send({ ...answer, subject: 'Other' })).body.threadId).not.toBe(threadId);
  expect((await send({ subject: 'Re: Plans' })).body.threadId).not.toBe(threadId);
  expect((await send(answer, '18d00000000000ff')).status).toBe(404);
  const thread = await ada('GET', `${me}/threads/${threadId}`, { query: { format: 'minimal' } });
  expect(thread.body.messages).toHaveLength(2);
});

test('a draft is sent once; the second attempt does not find it', async () => {
  google.ledger.clear();
  const draft = await ada('POST', `${me}/drafts`, { json: { message: { raw: buildRawMail({ subject: 'Draft' }) } } });
  const id = getTextAt(draft.body, 'id');
  const messageId = getTextAt(draft.body, 'message.id');
  expect((await ada('GET', `${me}/drafts/${id}`)).body.message).toMatchObject({ id: messageId, labelIds: ['DRAFT'] });
  const sent = await ada('POST', `${me}/drafts/send`, { json: { id } });
  expect(sent.body).toMatchObject({ threadId: getTextAt(draft.body, 'message.threadId'), labelIds: ['SENT'] });
  expect(sent.body.id).not.toBe(messageId);
  expect((await ada('POST', `${me}/drafts/send`, { json: { id } })).status).toBe(404);
  expect((await ada('GET', `${me}/drafts/${id}`)).status).toBe(404);
  expect((await ada('GET', `${me}/messages/${messageId}`)).status).toBe(404);
  expect(google.ledger.sent()).toMatchObject([{ draftId: id, subject: 'Draft' }]);
});

test('two requests at the same time send a draft once', async () => {
  google.ledger.clear();
  const draft = await ada('POST', `${me}/drafts`, { json: { message: { raw: buildRawMail({}) } } });
  const answers = await Promise.all(
    [1, 2].map(() => ada('POST', `${me}/drafts/send`, { json: { id: draft.body.id } })),
  );
  expect(answers.map((answer) => answer.status).sort()).toEqual([200, 404]);
  expect(google.ledger.sent()).toHaveLength(1);
});

test('updating a draft keeps its id and changes its message', async () => {
  const draft = await ada('POST', `${me}/drafts`, { json: { message: { raw: buildRawMail({ subject: 'Before' }) } } });
  const id = getTextAt(draft.body, 'id');
  const changed = await ada('PUT', `${me}/drafts/${id}`, {
    json: { message: { raw: buildRawMail({ subject: 'After' }) } },
  });
  expect(changed.body.id).toBe(id);
  expect(getPathValue(changed.body, 'message.id')).not.toBe(getPathValue(draft.body, 'message.id'));
  expect((await ada('DELETE', `${me}/drafts/${id}`)).status).toBe(204);
  expect((await ada('DELETE', `${me}/drafts/${id}`)).status).toBe(404);
});

test('mail can be uploaded as bytes, alone or with its thread', async () => {
  const bytes = composeMail({ from: 'ada@example.com', to: 'x@example.net', subject: 'Bytes', text: 'Hi' });
  const alone = await ada('POST', `/upload${me}/messages/send`, {
    query: { uploadType: 'media' },
    body: bytes,
    headers: { 'content-type': 'message/rfc822' },
  });
  expect(alone.status).toBe(200);
  const related = `--b\r\nContent-Type: application/json\r\n\r\n{"message":{}}\r\n--b\r\nContent-Type: message/rfc822\r\n\r\n${bytes.toString()}\r\n--b--`;
  const both = await ada('POST', `/upload${me}/drafts`, {
    query: { uploadType: 'multipart' },
    body: related,
    headers: { 'content-type': 'multipart/related; boundary=b' },
  });
  expect(both.status).toBe(200);
  const draft = await ada('GET', `${me}/drafts/${getTextAt(both.body, 'id')}`);
  expect(getPathValue(draft.body, 'message.snippet')).toBe('Hi');
});

test('history lists what changed since an id, and drops what is too old', async () => {
  const start = getTextAt((await ada('GET', `${me}/profile`)).body, 'historyId');
  expect((await ada('GET', `${me}/history`, { query: { startHistoryId: start } })).body).toEqual({ historyId: start });
  const { id } = google.seedMail('ada@example.com', { from: 'x@example.net', subject: 'New', text: '' });
  await ada('POST', `${me}/messages/${id}/modify`, { json: { removeLabelIds: ['UNREAD'], addLabelIds: ['STARRED'] } });
  const changes = await ada('GET', `${me}/history`, { query: { startHistoryId: start } });
  expect(changes.body.history).toMatchObject([
    { messagesAdded: [{ message: { id } }] },
    { labelsAdded: [{ labelIds: ['STARRED'] }] },
    { labelsRemoved: [{ labelIds: ['UNREAD'] }] },
  ]);
  google.expireHistory('ada@example.com');
  expect((await ada('GET', `${me}/history`, { query: { startHistoryId: start } })).status).toBe(404);
});

test('labels are created once, put on messages and counted', async () => {
  const label = await ada('POST', `${me}/labels`, { json: { name: 'Projects/Engine' } });
  const labelId = getTextAt(label.body, 'id');
  expect((await ada('POST', `${me}/labels`, { json: { name: 'projects/engine' } })).status).toBe(409);
  const { id, threadId } = google.seedMail('ada@example.com', { from: 'x@example.net', subject: 'Labelled', text: '' });
  await ada('POST', `${me}/threads/${threadId}/modify`, { json: { addLabelIds: [labelId] } });
  expect((await ada('GET', `${me}/labels/${labelId}`)).body).toMatchObject({ messagesTotal: 1, threadsUnread: 1 });
  expect(
    (await ada('POST', `${me}/messages/${id}/modify`, { json: { addLabelIds: ['SENT'] } })).body.error?.message,
  ).toBe('Invalid label: SENT');
  await ada('POST', `${me}/messages/${id}/trash`);
  expect((await ada('GET', `${me}/messages`, { query: { labelIds: labelId } })).body.resultSizeEstimate).toBe(0);
  expect(
    (await ada('GET', `${me}/messages`, { query: { labelIds: labelId, includeSpamTrash: 'true' } })).body
      .resultSizeEstimate,
  ).toBe(1);
});

test('a token for headers sees no bodies and cannot search; one for reading cannot write', async () => {
  const { id } = google.seedMail('ada@example.com', { from: 'x@example.net', subject: 'Private', text: 'secret' });
  const headers = createApiClient(google, 'ada@example.com', ['https://www.googleapis.com/auth/gmail.metadata']);
  expect((await headers('GET', `${me}/messages/${id}`)).body.error?.message).toBe(
    "Metadata scope doesn't allow format FULL",
  );
  expect((await headers('GET', `${me}/messages`, { query: { q: 'secret' } })).status).toBe(403);
  const reader = createApiClient(google, 'ada@example.com', ['https://www.googleapis.com/auth/gmail.readonly']);
  expect((await reader('POST', `${me}/messages/send`, { json: { raw: buildRawMail({}) } })).status).toBe(403);
  const composer = createApiClient(google, 'ada@example.com', ['https://www.googleapis.com/auth/gmail.send']);
  expect((await composer('DELETE', `${me}/messages/${id}`)).status).toBe(403);
});

test('a large mailbox is filled and listed in a time that grows with it and no faster, and a list shows what changes', async () => {
  google.addAccount({ email: 'edna@example.com', name: 'Edna' });
  const mail = { from: 'x@example.net', subject: 'Hello', text: 'Short.' };
  const begun = performance.now();
  for (let number = 0; number < 5_000; number += 1) google.seedThread('edna@example.com', [mail, mail]);
  const edna = createApiClient(google, 'edna@example.com', [full]);
  const listed = async () => {
    const ids: string[] = [];
    for (let pageToken: string | undefined; ;) {
      const { body } = await edna('GET', `${me}/threads`, {
        query: { maxResults: '100', ...(pageToken && { pageToken }) },
      });
      ids.push(...(body['threads'] as { id: string }[]).map(({ id }) => id));
      pageToken = body['nextPageToken'] as string | undefined;
      if (!pageToken) return ids;
    }
  };
  const ids = await listed();
  expect(new Set(ids).size).toBe(5_000);
  expect(performance.now() - begun).toBeLessThan(12_000); // each mail compared with every other one takes half a minute
  await edna('POST', `${me}/threads/${ids[0]}/trash`);
  expect(await listed()).toEqual(ids.slice(1));
  await edna('POST', `${me}/threads/${ids[0]}/untrash`);
  const { threadId } = google.seedMail('edna@example.com', { ...mail, date: new Date('2026-03-03') });
  expect(await listed()).toEqual([threadId, ...ids]);
});
