// Files go out with mails at Outlook: small ones whole, large ones in pieces to an address that is a secret.
import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startMicrosoftEmulator } from '#emulators/microsoft/index';
import { act, createActionDraft, waitForOutcome } from '../../support/acting.ts';
import { linkAccount } from '../../support/linking.ts';
import { startWatchedServer, type WatchedServer } from '../../support/watched-server.ts';
import { quickTimes } from '../../support/quick-times.ts';
import { share } from '../../support/share.ts';

const ada = 'ada@example.com';

let server: WatchedServer;
const microsoft = share(() => startMicrosoftEmulator());
beforeAll(async () => {
  microsoft.addAccount({ email: ada, name: 'Ada Lovelace' });
  server = await startWatchedServer(microsoft, {
    THALAMUS_MICROSOFT_BASE_URL: microsoft.url,
    THALAMUS_MICROSOFT_CLIENT_ID: microsoft.client.id,
    THALAMUS_MICROSOFT_CLIENT_SECRET: microsoft.client.secret,
    THALAMUS_SEND_TIMEOUT_SECONDS: '20',
    THALAMUS_SETTLE_AFTER_SECONDS: '0.4',
  });
  await linkAccount(server, { provider: 'microsoft', source: 'outlook_mail' }, (url) =>
    microsoft.approve(url, { email: ada }),
  );
});
afterAll(() => server.close());
afterEach(() => {
  microsoft.failures.clear();
  microsoft.ledger.clear();
});

/** Bytes of which no part is like another. */
const createBytes = (length: number, seed: string) => {
  const pieces: Buffer[] = [];
  for (let n = 0; n * 64 < length; n += 1) pieces.push(createHash('sha512').update(`${seed} ${n}`).digest());
  return Buffer.concat(pieces).subarray(0, length);
};
const buildAttachment = (filename: string, content: Buffer, mime_type = 'application/pdf') => ({
  filename,
  mime_type,
  content_base64: content.toString('base64'),
});
const buildMailRequest = (subject: string, attachments: object[]) => ({
  source: 'outlook_mail',
  action_name: 'send_email',
  input: { to: ['grace@example.net'], subject, body: 'Here they are.' },
  attachments,
});
const listSentMails = (subject: string) =>
  microsoft.messages(ada, 'sentitems').filter((each) => each.subject === subject);
const listSentFiles = (subject: string) =>
  listSentMails(subject).map(({ attachments }) =>
    attachments.map(({ name, contentType, contentBytes }) => ({ name, contentType, content: contentBytes })),
  );
const buildExpectedFile = (filename: string, content: Buffer, contentType = 'application/pdf') => ({
  name: filename,
  contentType,
  content: content.toString('base64'),
});
const listPieceRequests = () => microsoft.ledger.all().filter(({ method }) => method === 'PUT');
const listUnsentMails = () => microsoft.messages(ada, 'drafts');

const plan = createBytes(200_000, 'plan');
const film = createBytes(7_000_001, 'film');

test('small and large files are shown, sent in their order, and arrive byte for byte', async () => {
  const list = Buffer.from('One, größer.');
  const attachments = [
    buildAttachment('plan.pdf', plan),
    buildAttachment('film größer.mp4', film, 'video/mp4'),
    buildAttachment('list.txt', list, 'text/plain'),
  ];
  const action = await act(server, buildMailRequest('Three files', attachments));
  expect(action).toMatchObject({
    status: 'confirmed',
    ledger_is_whole: true,
    preview: {
      fields: expect.arrayContaining([
        {
          label: 'Attachments',
          text: 'plan.pdf (200 kB, application/pdf)\nfilm größer.mp4 (7.0 MB, video/mp4)\nlist.txt (14 bytes, text/plain)',
        },
      ]),
    },
  });
  expect(listSentFiles('Three files')).toEqual([
    [
      buildExpectedFile('plan.pdf', plan),
      buildExpectedFile('film größer.mp4', film, 'video/mp4'),
      buildExpectedFile('list.txt', list, 'text/plain'),
    ],
  ]);
  expect(listPieceRequests()).toHaveLength(3);
});

test('a mail is answered with a file', async () => {
  const { immutableId } = microsoft.seedMessage(ada, {
    from: 'grace@example.net',
    subject: 'Plan?',
    text: 'Where is it?',
  });
  const request = {
    source: 'outlook_mail',
    action_name: 'reply_to_email',
    input: { message_id: immutableId, body: 'Here.' },
  };
  expect(await act(server, { ...request, attachments: [buildAttachment('plan.pdf', plan)] })).toMatchObject({
    status: 'confirmed',
  });
  expect(listSentFiles('RE: Plan?')).toEqual([[buildExpectedFile('plan.pdf', plan)]]);
});

test('the upload address gets no account token, and nobody sees it', async () => {
  const id = await createActionDraft(server, buildMailRequest('Secret address', [buildAttachment('film.mp4', film)]));
  microsoft.failures.next({ method: 'PUT' }, { kind: 'status', status: 500 });
  await server.ok('confirm_action', { draft_id: id });
  expect(await waitForOutcome(server, id)).toMatchObject({ status: 'failed' });
  const [piece] = listPieceRequests();
  expect(piece?.headers['authorization']).toBeUndefined();
  const token = /authtoken=([\w-]+)/.exec(JSON.stringify(microsoft.ledger.all()))?.[1] ?? '';
  expect(token).toHaveLength(32);
  expect(await server.leaks({ 'what opens an upload': token })).toEqual([]);
  expect(listSentMails('Secret address')).toEqual([]);
  await expect.poll(listUnsentMails).toEqual([]);
});

test('a file that is cut off in the middle leaves nothing, and a second draft sends each file once', async () => {
  const request = buildMailRequest('Cut', [buildAttachment('plan.pdf', plan), buildAttachment('film.mp4', film)]);
  const id = await createActionDraft(server, request);
  microsoft.failures.next({ method: 'PUT' }, { kind: 'cut', when: 'after' });
  await server.ok('confirm_action', { draft_id: id });
  expect(await waitForOutcome(server, id)).toMatchObject({ status: 'failed' });
  await expect.poll(listUnsentMails).toEqual([]);
  expect(await act(server, request)).toMatchObject({ status: 'confirmed' });
  expect(listSentFiles('Cut')).toEqual([[buildExpectedFile('plan.pdf', plan), buildExpectedFile('film.mp4', film)]]);
});

test('files of more than Outlook sends are refused before anything is drafted', async () => {
  const attachments = ['a', 'b', 'c'].map((name) => buildAttachment(`${name}.bin`, Buffer.alloc(9_000_000, name)));
  const { status, body } = await server.call('act_on_integration', buildMailRequest('Too large', attachments));
  expect({ status, detail: body['detail'] }).toEqual({
    status: 422,
    detail: expect.stringContaining('are 27.0 MB together, and Outlook sends at most 25.0 MB with a mail'),
  });
});

test.for([
  ['a small file', 200, 400, { method: 'POST', path: /\/attachments$/ }],
  ['a small file, for now', 200, 429, { method: 'POST', path: /\/attachments$/ }],
  ['a piece', 4_000_000, 413, { method: 'PUT' }],
  ['the way for pieces', 4_000_000, 403, { method: 'POST', path: /createUploadSession/ }],
] as const)('%s that is refused leaves no unsent mail behind', async ([subject, size, status, request]) => {
  const id = await createActionDraft(
    server,
    buildMailRequest(subject, [buildAttachment('plan.pdf', createBytes(size, 'plan'))]),
  );
  microsoft.failures.next(request, { kind: 'status', status });
  await server.ok('confirm_action', { draft_id: id });
  expect(await waitForOutcome(server, id)).toMatchObject({ status: 'failed' });
  await expect.poll(() => listUnsentMails().filter((each) => each.subject === subject)).toEqual([]);
  expect(listSentMails(subject)).toEqual([]);
});

test('files that take longer than other drafts may have the time they need', async () => {
  const settings = {
    THALAMUS_MICROSOFT_BASE_URL: microsoft.url,
    THALAMUS_MICROSOFT_CLIENT_ID: microsoft.client.id,
    THALAMUS_MICROSOFT_CLIENT_SECRET: microsoft.client.secret,
  };
  const hurried = await startWatchedServer(microsoft, { ...settings, ...quickTimes });
  await linkAccount(hurried, { provider: 'microsoft', source: 'outlook_mail' }, (url) =>
    microsoft.approve(url, { email: ada }),
  );
  for (let piece = 0; piece < 3; piece += 1) microsoft.failures.next({ method: 'PUT' }, { kind: 'delay', ms: 900 });
  expect(await act(hurried, buildMailRequest('A slow line', [buildAttachment('film.mp4', film)]))).toMatchObject({
    status: 'confirmed',
  });
  expect(listSentFiles('A slow line')).toEqual([[buildExpectedFile('film.mp4', film)]]);
  await hurried.close();
});
