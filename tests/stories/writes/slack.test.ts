import { afterEach, beforeAll, expect, test } from 'vitest';
import { startSlackEmulator } from '#emulators/slack/index';
import { act, createActionDraft, readRefusal, waitForOutcome } from '../../support/acting.ts';
import { signIn } from '../../support/google.ts';
import { linkAccount } from '../../support/linking.ts';
import { startTestServer } from '../../support/server.ts';
import { quickTimes } from '../../support/quick-times.ts';
import { share } from '../../support/share.ts';

const slack = share(() => startSlackEmulator());
const server = share(() =>
  startTestServer({
    THALAMUS_SLACK_BASE_URL: slack.url,
    THALAMUS_SLACK_CLIENT_ID: slack.client.id,
    THALAMUS_SLACK_CLIENT_SECRET: slack.client.secret,
    ...quickTimes,
  }),
);
beforeAll(async () => {
  slack.addUser({ name: 'ada' });
  slack.addUser({ name: 'grace' });
  slack.addChannel({ name: 'general', members: ['ada', 'grace'] });
  slack.addChannel({ name: 'board', kind: 'private_channel', members: ['ada'] });
  slack.addChannel({ name: 'elsewhere', members: ['grace'] });
  slack.addChannel({ name: 'old', members: ['ada'], archived: true });
  await link('grace', 'read');
  await link('ada', 'act');
});
afterEach(() => slack.failures.clear());

function link(user: string, access: 'read' | 'act'): Promise<string> {
  return linkAccount(server, { provider: 'slack', source: 'slack', access }, (url) => slack.approve(url, { user }));
}
const account = 'ada in Thalamus Test';
const buildRequest = (action_name: string, input: Record<string, string>) => ({
  source: 'slack',
  account,
  action_name,
  input,
});
const post = (text: string, channel = '#general') => buildRequest('post_message', { channel, text });
const listMessages = (text: string, channel = 'general') =>
  slack.messages(channel).filter((message) => message.text === text);
const posting = { path: '/api/chat.postMessage' };
const cutAfter = { name: 'cut after it was taken', failure: { kind: 'cut', when: 'after' } as const };
const failedAfter = {
  name: 'answered 500 after it was taken',
  failure: { kind: 'status', status: 500, when: 'after' } as const,
};

test('a message is drafted, edited, confirmed, and posted once, in the name of the person', async () => {
  const action = await act(server, post('The gears slip'), { text: 'The gears slip & grind <badly>' });
  const [message, ...others] = listMessages('The gears slip & grind <badly>');
  expect(others).toEqual([]);
  expect(action).toMatchObject({
    status: 'confirmed',
    ledger_is_whole: true,
    result: { channel: 'general', ts: message?.ts },
    preview: {
      title: 'Message to #general',
      fields: [
        { label: 'Channel', text: expect.stringMatching(/^#general \(C\w+\)$/) },
        { label: 'Text', text: 'The gears slip & grind <badly>' },
        { label: 'Also sent', text: expect.stringContaining('metadata') },
      ],
    },
  });
  expect(action.ledger.map(({ step }) => step)).toEqual(['drafted', 'edited', 'decided', 'sending', 'confirmed']);
  expect(listMessages('The gears slip')).toEqual([]);
});

test('Markdown is shown and posted in Slack’s own markup, in an edited draft too', async () => {
  const id = await createActionDraft(server, post('**Bold** and [a plan](https://x.example/a)'));
  const { preview } = (await server.ok('get_action', { draft_id: id })) as { preview: { fields: object[] } };
  expect(preview.fields).toContainEqual({ label: 'Text', text: '*Bold* and <https://x.example/a|a plan>' });
  await act(server, post('**First**'), { text: '## Second\n~~third~~' });
  expect(listMessages('*Second*\n~third~')).toHaveLength(1);
});

test('a channel is named by its name or its id, private ones too', async () => {
  const { result } = await act(server, post('By name', 'board'));
  const { channel_id } = result as { channel_id: string };
  const byId = await act(server, post('By id', channel_id));
  expect(byId).toMatchObject({ status: 'confirmed', result: { channel: 'board', channel_id } });
  expect(slack.messages('board').map(({ text }) => text)).toEqual(['By name', 'By id']);
});

test('a thread is answered, and a posted message is changed', async () => {
  const parent = slack.seedMessage('general', { user: 'grace', text: 'Which oil?' });
  const answered = await act(
    server,
    buildRequest('post_message', { channel: 'general', text: 'Saffron.', thread_ts: parent.ts }),
  );
  expect(answered).toMatchObject({ status: 'confirmed', result: { thread_ts: parent.ts } });
  expect(listMessages('Saffron.')).toMatchObject([{ threadTs: parent.ts }]);
  const { ts } = answered['result'] as { ts: string };
  const changed = await act(server, buildRequest('update_message', { channel: '#general', ts, text: 'Walnut.' }));
  expect(changed).toMatchObject({ status: 'confirmed', result: { ts } });
  expect(listMessages('Walnut.')).toMatchObject([{ ts, threadTs: parent.ts, edited: {} }]);
  expect(listMessages('Saffron.')).toEqual([]);
});

test('a change shows the present text, and does not overwrite another person’s change', async () => {
  const { ts } = slack.seedMessage('general', { user: 'ada', text: 'Almond.' });
  const id = await createActionDraft(
    server,
    buildRequest('update_message', { channel: 'general', ts, text: 'Hazel.' }),
  );
  const { preview } = (await server.ok('get_action', { draft_id: id })) as { preview: { fields: object[] } };
  expect(preview.fields).toContainEqual({ label: 'Text', text: 'Hazel.', was: 'Almond.' });
  slack.editMessage('general', ts, 'Almond, roasted.');
  await server.ok('confirm_action', { draft_id: id });
  expect(await waitForOutcome(server, id)).toMatchObject({ status: 'stale' });
  expect(listMessages('Almond, roasted.')).toHaveLength(1);
});

test.each([cutAfter, failedAfter])(
  'a message, a reply and a change that were $name are found',
  async ({ name, failure }) => {
    const parent = slack.seedMessage('general', { user: 'ada', text: `Parent, ${name}` });
    const cases = [
      [post(`Message, ${name}`), '/api/chat.postMessage'],
      [
        buildRequest('post_message', { channel: 'general', text: `Reply, ${name}`, thread_ts: parent.ts }),
        '/api/chat.postMessage',
      ],
      [
        buildRequest('update_message', { channel: 'general', ts: parent.ts, text: `Changed, ${name}` }),
        '/api/chat.update',
      ],
    ] as const;
    for (const [each, path] of cases) {
      const id = await createActionDraft(server, each);
      slack.failures.next({ path }, failure);
      await server.ok('confirm_action', { draft_id: id });
      const message = listMessages(String(each.input['text'])).at(0);
      expect(await waitForOutcome(server, id)).toMatchObject({ status: 'confirmed', result: { ts: message?.ts } });
      expect(listMessages(String(each.input['text']))).toHaveLength(1);
    }
  },
);

test('each of two equal messages is recognised by its own mark', async () => {
  await act(server, post('Twice'));
  const id = await createActionDraft(server, post('Twice'));
  slack.failures.next(posting, { kind: 'cut', when: 'before' });
  await server.ok('confirm_action', { draft_id: id });
  expect(await waitForOutcome(server, id)).toMatchObject({ status: 'failed' });
  expect(listMessages('Twice')).toHaveLength(1);
});

test('a request that Slack broke off is looked up, and one that it refused is not', async () => {
  const half = await createActionDraft(server, post('Half'));
  slack.failures.next(posting, { kind: 'status', status: 200, when: 'after', reason: 'fatal_error' });
  await server.ok('confirm_action', { draft_id: half });
  expect(await waitForOutcome(server, half)).toMatchObject({ status: 'confirmed' });
  const refused = await createActionDraft(server, post('Refused'));
  slack.failures.next(posting, { kind: 'status', status: 200, reason: 'restricted_action' });
  await server.ok('confirm_action', { draft_id: refused });
  const action = await waitForOutcome(server, refused);
  expect(action).toMatchObject({ status: 'failed', error: expect.stringContaining('restricted_action') });
  expect([listMessages('Half').length, listMessages('Refused').length]).toEqual([1, 0]);
});

test('a missing channel, thread or message is reported, and nothing is sent', async () => {
  const ts = '1600000000.000100';
  slack.ledger.clear();
  const cases = [
    [post('Hello?', 'nowhere'), 'There is no channel nowhere'],
    [post('Hello?', 'elsewhere'), 'There is no channel elsewhere that this account is in'],
    [post('Hello?', 'old'), 'There is no channel old'],
    [
      buildRequest('post_message', { channel: 'general', text: 'Hello?', thread_ts: ts }),
      `No message ${ts} starts a thread in general`,
    ],
    [
      buildRequest('update_message', { channel: 'general', text: 'Hello?', ts }),
      `There is no message ${ts} in general`,
    ],
  ] as const;
  for (const [each, message] of cases) expect(await readRefusal(server, each)).toContain(message);
  expect(slack.ledger.all().filter(({ path }) => path.startsWith('/api/chat.'))).toEqual([]);
});

test('a message of another person cannot be changed, and the error has Slack’s word for it', async () => {
  const { ts } = slack.seedMessage('general', { user: 'grace', text: 'Mine.' });
  const action = await act(server, buildRequest('update_message', { channel: 'general', ts, text: 'Yours.' }));
  expect(action).toMatchObject({ status: 'failed', error: expect.stringContaining('cant_update_message') });
  expect(listMessages('Mine.')).toHaveLength(1);
});

test('an impossible input is refused before it is drafted', async () => {
  const cases = [
    [buildRequest('post_message', { channel: '#', text: 'x' }), 'channel'],
    [buildRequest('post_message', { channel: 'general', text: '' }), 'text'],
    [buildRequest('post_message', { channel: 'general', text: 'x', thread_ts: 'yesterday' }), 'ts of a message'],
    [buildRequest('update_message', { channel: 'general', text: 'x' }), 'ts'],
  ] as const;
  for (const [each, message] of cases) {
    const { status, body } = await server.call('act_on_integration', each);
    expect({ status, detail: body['detail'] }).toMatchObject({ status: 422, detail: expect.stringContaining(message) });
  }
});

test('an account that was linked only for reading can be read, and can post once it is linked for that', async () => {
  const ofGrace = { account: 'grace in Thalamus Test' };
  const reading = { source: 'slack', ...ofGrace, input: { since: '2026-01-01' } };
  expect((await server.ok('fetch_from_integration', reading))['page_slugs']).not.toEqual([]);
  const refused = await server.call('act_on_integration', { ...post('No'), ...ofGrace });
  expect(refused).toMatchObject({ status: 409, body: { detail: expect.stringContaining('leave every box ticked') } });
  await link('grace', 'act');
  expect(await act(server, { ...post('Yes'), ...ofGrace })).toMatchObject({ status: 'confirmed' });
  expect((await server.ok('fetch_from_integration', reading))['page_slugs']).not.toEqual([]);
});

test('a token for reading only still reads, and its error names what it lacks for posting', async () => {
  slack.addUser({ name: 'mary' });
  slack.join('general', 'mary');
  const user = ['channels:read', 'channels:history', 'groups:read', 'groups:history', 'users:read'];
  const { userToken } = slack.issueTokens('mary', { user });
  const browser = await signIn(server);
  await browser.ok('connect_with_token', { provider: 'slack', token: userToken });
  const ofMary = { account: 'mary in Thalamus Test' };
  const fetched = await server.ok('fetch_from_integration', {
    source: 'slack',
    ...ofMary,
    input: { since: '2026-01-01' },
  });
  expect(fetched['page_slugs']).not.toEqual([]);
  const action = await act(server, { ...post('Not by this token'), ...ofMary });
  expect(action).toMatchObject({ status: 'failed', error: expect.stringContaining('missing_scope') });
  expect(listMessages('Not by this token')).toEqual([]);
});
