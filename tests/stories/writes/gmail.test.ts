import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Account } from '#emulators/google/accounts';
import { act, createActionDraft, allowKeysToDestroy, readRefusal, waitForOutcome } from '../../support/acting.ts';
import { linkGoogle, signIn } from '../../support/google.ts';
import { quickTimes } from '../../support/quick-times.ts';
import { shareServerWithGoogle } from '../../support/share.ts';

const [ada, cleo] = ['ada@example.com', 'cleo@example.com'];
const formatScope = (name: string) => `https://www.googleapis.com/auth/gmail.${name}`;

let account: Account;
const { server, google } = shareServerWithGoogle(quickTimes);
beforeAll(async () => {
  account = google.addAccount({ email: ada, name: 'Ada' });
  await linkGoogle(server, google, { sources: ['gmail'] });
});
beforeEach(() => allowKeysToDestroy(server));
afterEach(() => google.failures.clear());

const buildRequest = (action_name: string, input: Record<string, unknown>) => ({ source: 'gmail', action_name, input });
const seedMailThread = (subject: string) =>
  google.seedThread(ada, [
    { from: 'grace@example.net', subject, text: 'One.', labelIds: ['INBOX', 'UNREAD'] },
    { from: 'grace@example.net', subject: `Re: ${subject}`, text: 'Two.', labelIds: ['INBOX', 'UNREAD'] },
  ])[0]!.threadId;
const listThreadLabels = (threadId: string) =>
  [...account.mailbox.messages.values()]
    .filter((message) => message.threadId === threadId)
    .map(({ labelIds }) => labelIds.map((id) => account.mailbox.labels.get(id)?.name ?? id).toSorted());
const toThreads = { method: 'POST', path: /\/threads\/[^/]+\/(modify|trash)$/ };

test('labels are put on a thread by their names, and removed', async () => {
  const thread_id = seedMailThread('Gears');
  const edits = { add: ['STARRED'], remove: ['UNREAD'] };
  const action = await act(server, buildRequest('label_thread', { thread_id, add: ['IMPORTANT'] }), edits);
  expect(action).toMatchObject({
    status: 'confirmed',
    ledger_is_whole: true,
    preview: {
      fields: [
        { label: 'Thread', text: `Gears (${thread_id})` },
        { label: 'Add', text: 'STARRED' },
        { label: 'Take off', text: 'UNREAD' },
        { label: 'Begun by', text: 'grace@example.net' },
      ],
    },
    result: { thread_id, modified_count: 2 },
  });
  expect(action.ledger.map(({ step }) => step)).toEqual(['drafted', 'edited', 'decided', 'sending', 'confirmed']);
  expect(listThreadLabels(thread_id)).toEqual([
    ['INBOX', 'STARRED'],
    ['INBOX', 'STARRED'],
  ]);
});

test('clients of other systems mark, label and search mails by their own names', async () => {
  const thread_id = seedMailThread('Cogs');
  const marked = await act(server, buildRequest('mark_read', { thread_id }));
  expect(marked).toMatchObject({ status: 'confirmed', action: 'mark_as_read' });
  await act(server, buildRequest('add_labels', { thread_id, labels: ['STARRED'] }));
  expect(listThreadLabels(thread_id)[0]).toEqual(['INBOX', 'STARRED']);

  const { connections } = await server.ok('list_connections');
  const install_id = connections[0]?.connection_id;
  const found = await server.ok('act_on_integration', {
    install_id,
    action_name: 'query_emails',
    input: { query: 'subject:Cogs', limit: 5 },
  });
  expect(found).toMatchObject({ kind: 'auto_executed', result: { source: 'gmail', ingested_count: 1 } });
  const { pages } = await server.ok('list_pages', {});
  expect(pages).toMatchObject([{ title: 'Cogs' }]);
  expect(found.result?.['page_slugs']).toEqual([pages[0]?.slug]);
  const again = await server.ok('act_on_integration', {
    source: 'gmail',
    action_name: 'search_emails',
    input: { query: 'subject:Cogs' },
  });
  const messages = again.result?.['messages'] as { date: string }[];
  expect(messages[0]).toMatchObject({ threadId: thread_id, subject: 'Cogs', snippet: expect.stringMatching(/\w/) });
  expect(messages.map(({ date }) => date)).toEqual(
    messages
      .map(({ date }) => date)
      .toSorted()
      .toReversed(),
  );
  const search = { action_name: 'query_emails', source: 'gmail' };
  expect(await readRefusal(server, { ...search, input: { query: 'x', limit: 51 } })).toMatch(/limit/);
  const { key } = await server.ok('create_key', { label: 'no reading', scopes: ['actions:draft'] });
  const refused = await server.call('act_on_integration', { ...search, input: { query: 'x' } }, { key: String(key) });
  expect([refused.status, refused.body['detail']]).toEqual([403, expect.stringContaining('integrations:fetch')]);
});

test('a search answers the mails that match, each with its own subject, and not all mails of their threads', async () => {
  const mails = [
    { from: ada, to: 'noor@example.net', subject: 'Rails', text: 'Shall we talk?' },
    { from: 'noor@example.net', subject: '', text: 'Yes, on Friday.' },
  ];
  google.seedThread(ada, mails);
  const search = async (query: string) => {
    const input = { query, limit: 10 };
    const { result } = await server.ok('act_on_integration', { source: 'gmail', action_name: 'search_emails', input });
    const messages = result?.['messages'] as { subject: string; from: string; snippet: string }[];
    return messages.map(({ subject, snippet }) => [subject, snippet]);
  };
  expect(await search('from:noor@example.net subject:"re:"')).toEqual([['Re: Rails', 'Yes, on Friday.']]);
  expect(await search('in:sent subject:"Rails"')).toEqual([['Rails', 'Shall we talk?']]);
  expect(await search('subject:Rails')).toHaveLength(2);
});

test.each([
  ['archive_thread', ['UNREAD']],
  ['mark_as_read', ['INBOX']],
  ['trash_thread', ['TRASH', 'UNREAD']],
])('a thread is changed: %s', async (action_name, left) => {
  const thread_id = seedMailThread(action_name);
  expect(await act(server, buildRequest(action_name, { thread_id }))).toMatchObject({
    status: 'confirmed',
    result: { thread_id, modified_count: 2 },
  });
  expect(listThreadLabels(thread_id)).toEqual([left, left]);
});

test('a thread is marked as read at once where the policy allows it', async () => {
  const { version } = await server.ok('get_policy');
  await server.ok('set_policy', { version, rules: [{ effect: 'allow', actions: ['mark_as_read'] }] });
  const thread_id = seedMailThread('Newsletter');
  expect(await server.ok('act_on_integration', buildRequest('mark_as_read', { thread_id }))).toMatchObject({
    kind: 'auto_executed',
    status: 'confirmed',
    result: { modified_count: 2 },
  });
});

const actions = [
  { name: 'label_thread', more: { add: ['STARRED'], remove: ['UNREAD'] }, left: ['INBOX', 'STARRED'] },
  { name: 'archive_thread', more: {}, left: ['UNREAD'] },
  { name: 'mark_as_read', more: {}, left: ['INBOX'] },
  { name: 'trash_thread', more: {}, left: ['TRASH', 'UNREAD'] },
];
const failures = [
  { how: 'cut after it was taken', failure: { kind: 'cut', when: 'after' } as const },
  { how: 'answered 500 after it was taken', failure: { kind: 'status', status: 500, when: 'after' } as const },
];
const cases = actions.flatMap((each) => failures.map((failing) => ({ ...each, ...failing })));

test.each(cases)('the action $name that was $how is found', async ({ name, more, left, how, failure }) => {
  const thread_id = seedMailThread(`${name}, ${how}`);
  const id = await createActionDraft(server, buildRequest(name, { thread_id, ...more }));
  google.failures.next(toThreads, failure);
  await server.ok('confirm_action', { draft_id: id });
  expect(await waitForOutcome(server, id)).toMatchObject({
    status: 'confirmed',
    result: { thread_id, modified_count: 2 },
  });
  expect(listThreadLabels(thread_id)).toEqual([left, left]);
});

test('a request that was cut off before it arrived fails, and the labels stay', async () => {
  const threads: { id: string; thread_id: string }[] = [];
  for (const { name, more } of actions) {
    const thread_id = seedMailThread(`${name}, lost`);
    const id = await createActionDraft(server, buildRequest(name, { thread_id, ...more }));
    google.failures.next(toThreads, { kind: 'cut', when: 'before' });
    await server.ok('confirm_action', { draft_id: id });
    threads.push({ id, thread_id });
  }
  for (const { id, thread_id } of threads) {
    expect(await waitForOutcome(server, id)).toMatchObject({ status: 'failed' });
    expect(listThreadLabels(thread_id)).toEqual([
      ['INBOX', 'UNREAD'],
      ['INBOX', 'UNREAD'],
    ]);
  }
});

test('a missing thread or label is reported, and nothing is changed', async () => {
  const nowhere = await readRefusal(server, buildRequest('archive_thread', { thread_id: 'abc' }));
  expect(nowhere).toContain('There is no thread abc');
  const thread_id = seedMailThread('Unlabelled');
  const unknown = await readRefusal(server, buildRequest('label_thread', { thread_id, add: ['STARRED', 'Gears'] }));
  expect(unknown).toContain('There is no label Gears');
  expect(listThreadLabels(thread_id)[0]).toEqual(['INBOX', 'UNREAD']);
});

test('an input without a thread id or labels is refused before it is drafted', async () => {
  const wrong = await server.call('act_on_integration', buildRequest('archive_thread', { thread_id: 'Hello there' }));
  expect(wrong.body['detail']).toContain('must be the id of a thread');
  const nothing = await server.call('act_on_integration', buildRequest('label_thread', { thread_id: 'abc' }));
  expect(nothing.body['detail']).toContain('needs one of add, remove');
});

test('an earlier Gmail account can still send, and asks for the new permissions when they are needed', async () => {
  google.addAccount({ email: cleo, name: 'Cleo' });
  const browser = await signIn(server);
  await linkGoogle(server, google, {
    email: cleo,
    sources: ['gmail'],
    only: [formatScope('readonly'), formatScope('compose')],
    browser,
  });
  const mail = buildRequest('send_email', { to: ['grace@example.net'], subject: 'Still', body: 'Sent.' });
  const answer = await server.ok('act_on_integration', { ...mail, account: cleo });
  await server.ok('confirm_action', { draft_id: answer['draft_id'] });
  expect(await waitForOutcome(server, String(answer['draft_id']))).toMatchObject({ status: 'confirmed' });
  const { status, body } = await server.call('act_on_integration', {
    ...buildRequest('archive_thread', { thread_id: 'abc' }),
    account: cleo,
  });
  expect({ status, detail: body['detail'] }).toMatchObject({
    status: 409,
    detail: expect.stringContaining('Link it again'),
  });
  const { integrations } = (await server.ok('list_integrations')) as {
    integrations: { name: string; accounts: object[] }[];
  };
  const accounts = integrations.find(({ name }) => name === 'gmail')?.accounts;
  const lacks = ['Label, archive and trash the threads that you approved.'];
  expect(accounts).toContainEqual(expect.objectContaining({ account: cleo, may_act: true, lacks }));
  expect(accounts).toContainEqual(expect.objectContaining({ account: ada, may_act: true, lacks: [] }));
});
