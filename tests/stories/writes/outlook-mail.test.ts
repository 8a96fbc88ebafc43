import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startMicrosoftEmulator } from '#emulators/microsoft/index';
import { act, createActionDraft, readRefusal, waitForOutcome } from '../../support/acting.ts';
import { linkAccount } from '../../support/linking.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';
import { quickTimes } from '../../support/quick-times.ts';
import { passTimeAndWait } from '../../support/time-passes.ts';
import { share } from '../../support/share.ts';

const ada = 'ada@example.com';

let server: TestServer;
let connectionId: string;
const microsoft = share(() => startMicrosoftEmulator());
beforeAll(async () => {
  microsoft.addAccount({ email: ada, name: 'Ada Lovelace' });
  server = await startTestServer({
    THALAMUS_MICROSOFT_BASE_URL: microsoft.url,
    THALAMUS_MICROSOFT_CLIENT_ID: microsoft.client.id,
    THALAMUS_MICROSOFT_CLIENT_SECRET: microsoft.client.secret,
    ...quickTimes,
  });
  connectionId = await linkAccount(server, { provider: 'microsoft', source: 'outlook_mail' }, (url) =>
    microsoft.approve(url, { email: ada }),
  );
});
afterAll(() => server.close());
afterEach(() => microsoft.failures.clear());

const buildRequest = (action_name: string, input: Record<string, unknown>) => ({
  source: 'outlook_mail',
  action_name,
  input,
});
const buildMailRequest = (subject: string) =>
  buildRequest('send_email', {
    to: ['grace@example.net'],
    cc: ['noah@example.net'],
    bcc: ['ana@example.net'],
    subject,
    body: 'On Friday.\n\nAda',
  });
const reply = (message_id: string, reply_all?: boolean) =>
  buildRequest('reply_to_email', { message_id, body: 'Yes.', ...(reply_all !== undefined && { reply_all }) });
const listSentMails = (subject: string) => microsoft.sent(ada).filter((each) => each.subject === subject);
const listUnsentMails = () => microsoft.messages(ada, 'drafts');
const seedReceivedMail = (subject: string) =>
  microsoft.seedMessage(ada, { from: 'grace@example.net', to: [ada, 'noah@example.net'], subject, text: 'When?' });
const listArchivedMails = (subject: string) =>
  microsoft.messages(ada, 'archive').filter((each) => each.subject === subject);

test('a mail is drafted, edited, confirmed, and sent once', async () => {
  const action = await act(server, buildMailRequest('Gears'), { subject: 'Gears, again', bcc: [] });
  expect(action).toMatchObject({
    status: 'confirmed',
    ledger_is_whole: true,
    preview: {
      title: 'Mail to grace@example.net: Gears, again',
      fields: [
        { label: 'To', text: 'grace@example.net' },
        { label: 'Cc', text: 'noah@example.net' },
        { label: 'Subject', text: 'Gears, again' },
        { label: 'Body', text: 'On Friday.\n\nAda' },
        { label: 'Also sent', text: expect.stringContaining('property') },
      ],
    },
    result: { message_id: expect.any(String), thread_id: expect.any(String) },
  });
  expect(action.ledger.map(({ step }) => step)).toEqual(['drafted', 'edited', 'decided', 'sending', 'confirmed']);
  expect(listSentMails('Gears, again')).toMatchObject([
    { to: ['grace@example.net'], cc: ['noah@example.net'], bcc: [], content: 'On Friday.\n\nAda' },
  ]);
  const { message_id } = action['result'] as { message_id: string };
  const [kept] = microsoft.messages(ada, 'sentitems').filter(({ subject }) => subject === 'Gears, again');
  expect(kept?.immutableId).toBe(message_id);
  expect(listUnsentMails()).toEqual([]);
});

test('an account id and an action name select the action of that provider', async () => {
  const { source: _, ...byAccount } = buildMailRequest('By the account');
  const answer = await server.ok('act_on_integration', { ...byAccount, install_id: connectionId });
  await server.ok('confirm_action', { draft_id: answer['draft_id'] });
  expect(await waitForOutcome(server, String(answer['draft_id']))).toMatchObject({ status: 'confirmed' });
  expect(listSentMails('By the account')).toHaveLength(1);
});

test('a mail is answered in its thread: to its author, or to everybody', async () => {
  const question = seedReceivedMail('Which day?');
  const one = await act(server, reply(question.immutableId), { body: 'Yes, Friday.' });
  expect(one).toMatchObject({ status: 'confirmed', result: { thread_id: question.conversationId } });
  expect(await act(server, reply(question.immutableId, true))).toMatchObject({ status: 'confirmed' });
  expect(listSentMails('RE: Which day?')).toMatchObject([
    { to: ['grace@example.net'], cc: [], content: 'Yes, Friday.' },
    { to: ['grace@example.net'], cc: ['noah@example.net'], content: 'Yes.' },
  ]);
  expect(listUnsentMails()).toEqual([]);
});

test('a mail is moved to the archive', async () => {
  const { immutableId } = seedReceivedMail('Old news');
  expect(await act(server, buildRequest('archive_email', { message_id: immutableId }))).toMatchObject({
    status: 'confirmed',
    result: { message_id: immutableId },
  });
  expect(listArchivedMails('Old news')).toHaveLength(1);
});

const failures = [
  { name: 'cut after it was taken', failure: { kind: 'cut', when: 'after' } as const },
  { name: 'answered 500 after it was taken', failure: { kind: 'status', status: 500, when: 'after' } as const },
];

test.each(failures)('a mail whose sending was $name is found and not sent again', async ({ name, failure }) => {
  const id = await createActionDraft(server, buildMailRequest(name));
  microsoft.failures.next({ path: /\/send$/ }, failure);
  await server.ok('confirm_action', { draft_id: id });
  expect(await waitForOutcome(server, id)).toMatchObject({
    status: 'confirmed',
    result: { message_id: expect.any(String) },
  });
  expect(listSentMails(name)).toHaveLength(1);
});

test.each(failures)('a reply whose sending was $name is found and not sent again', async ({ name, failure }) => {
  const id = await createActionDraft(server, reply(seedReceivedMail(name).immutableId, true));
  microsoft.failures.next({ path: /\/send$/ }, failure);
  await server.ok('confirm_action', { draft_id: id });
  expect(await waitForOutcome(server, id)).toMatchObject({ status: 'confirmed' });
  expect(listSentMails(`RE: ${name}`)).toHaveLength(1);
});

test.each(failures)('a mail whose archiving was $name is found in the archive', async ({ name, failure }) => {
  const subject = `Archive, ${name}`;
  const id = await createActionDraft(
    server,
    buildRequest('archive_email', { message_id: seedReceivedMail(subject).immutableId }),
  );
  microsoft.failures.next({ path: /\/move$/ }, failure);
  await server.ok('confirm_action', { draft_id: id });
  expect(await waitForOutcome(server, id)).toMatchObject({ status: 'confirmed' });
  expect(listArchivedMails(subject)).toHaveLength(1);
});

test('an unsent mail without a known id is deleted', async () => {
  for (const requested of [buildMailRequest('Untold'), reply(seedReceivedMail('Untold, too').immutableId)]) {
    microsoft.failures.next({ method: 'POST', path: /\/(messages|createReply)$/ }, { kind: 'cut', when: 'after' });
    expect(await act(server, requested)).toMatchObject({ status: 'failed' });
    await expect.poll(listUnsentMails).toEqual([]);
  }
});

test('a person’s own unsent mail stays, also where a search finds every mail', async () => {
  const own = microsoft.seedMessage(ada, { from: ada, subject: 'Half written', folder: 'drafts' });
  microsoft.findEverything(true);
  microsoft.failures.next({ method: 'POST', path: /\/messages$/ }, { kind: 'cut', when: 'after' });
  expect(await act(server, buildMailRequest('Lost while it was prepared'))).toMatchObject({ status: 'failed' });
  await expect.poll(() => listUnsentMails().map(({ subject }) => subject)).toEqual(['Half written']);
  microsoft.findEverything(false);
  microsoft.touchMessage(ada, own.id, { folder: null });
});

test('a request that was cut off before it arrived fails, and no unsent mail is left', async () => {
  const archive = buildRequest('archive_email', { message_id: seedReceivedMail('Stays').immutableId });
  const ids: string[] = [];
  for (const each of [buildMailRequest('Lost'), reply(seedReceivedMail('Lost').immutableId), archive]) {
    const id = await createActionDraft(server, each);
    microsoft.failures.next({ path: /\/(send|move)$/ }, { kind: 'cut', when: 'before' });
    await server.ok('confirm_action', { draft_id: id });
    ids.push(id);
  }
  for (const id of ids) expect(await waitForOutcome(server, id)).toMatchObject({ status: 'failed' });
  expect([...listSentMails('Lost'), ...listSentMails('RE: Lost'), ...listArchivedMails('Stays')]).toEqual([]);
  await expect.poll(listUnsentMails).toEqual([]);
});

test('a deleted unsent mail does not prove that it was not sent', async () => {
  const id = await createActionDraft(server, buildMailRequest('Taken away'));
  microsoft.failures.next({ path: /\/send$/ }, { kind: 'cut', when: 'before' });
  const pausedRequest = microsoft.failures.pause({ method: 'GET', path: /\/messages\// });
  const confirming = server.ok('confirm_action', { draft_id: id });
  await pausedRequest.reached;
  for (const { id: unsentId } of listUnsentMails()) microsoft.touchMessage(ada, unsentId, { folder: null });
  pausedRequest.release();
  await confirming;
  await passTimeAndWait(server.connectionString, 60);
  expect(await server.ok('get_action', { draft_id: id })).toMatchObject({ status: 'ambiguous' });
});

test('a missing mail is reported, and nothing is sent', async () => {
  const before = microsoft.sent(ada).length;
  for (const each of [reply('nowhere'), buildRequest('archive_email', { message_id: 'nowhere' })])
    expect(await readRefusal(server, each)).toContain('There is no mail nowhere');
  expect(microsoft.sent(ada)).toHaveLength(before);
});

test.each([
  ['nobody to send to', { to: [], subject: 'Hi', body: 'Hi' }, /to: needs at least 1/],
  ['no address', { to: ['ana'], subject: 'Hi', body: 'Hi' }, /to\.0/],
  ['two lines of subject', { to: ['ana@example.com'], subject: 'Hi\nBcc: x@example.net', body: 'Hi' }, /one line/],
])('the input with %s is refused before it is drafted', async (_, input, says) => {
  const { status, body } = await server.call('act_on_integration', buildRequest('send_email', input));
  expect(status).toBe(422);
  expect(body['detail']).toMatch(says);
});
