import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startDiscordEmulator } from '#emulators/discord/index';
import { act, createActionDraft, readRefusal, waitForOutcome } from '../../support/acting.ts';
import { signIn } from '../../support/google.ts';
import { linkAccount } from '../../support/linking.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';
import { quickTimes } from '../../support/quick-times.ts';
import { share } from '../../support/share.ts';

let server: TestServer;
const discord = share(() => startDiscordEmulator());
beforeAll(async () => {
  discord.setQuota(undefined);
  server = await startTestServer({
    THALAMUS_DISCORD_BASE_URL: discord.url,
    THALAMUS_DISCORD_CLIENT_ID: discord.client.id,
    THALAMUS_DISCORD_CLIENT_SECRET: discord.client.secret,
    ...quickTimes,
  });
  discord.addUser({ username: 'ada' });
  const { token } = discord.addBot('relay');
  discord.addBot('other');
  const engine = discord.addGuild({ name: 'Engine', owner: 'ada', members: ['relay', 'other'] });
  discord.addChannel({ guild: engine, name: 'general' });
  discord.addChannel({ guild: engine, name: 'rules', readOnly: true });
  const loom = discord.addGuild({ name: 'Loom', owner: 'ada', members: ['relay'] });
  discord.addChannel({ guild: loom, name: 'threads' });
  const browser = await signIn(server);
  await browser.ok('connect_with_token', { provider: 'discord', token });
});
afterAll(() => server.close());
afterEach(() => discord.failures.clear());

const buildRequest = (input: Record<string, unknown>) => ({
  source: 'discord',
  action_name: 'post_message',
  input: { server: 'Engine', ...input },
});
const post = (text: string, channel = '#general') => buildRequest({ channel, text });
const listMessages = (text: string, channel = 'general') =>
  discord.messages(channel).filter((each) => each.content === text);
const posting = { method: 'POST', path: /\/messages$/ };

test('a message is drafted, edited, confirmed, and posted once', async () => {
  const action = await act(server, post('Gears slip'), { text: 'Gears **slip** & grind' });
  const [message, ...others] = listMessages('Gears **slip** & grind');
  expect(others).toEqual([]);
  expect(action).toMatchObject({
    status: 'confirmed',
    ledger_is_whole: true,
    preview: { title: 'Message to #general' },
    result: { message_id: message?.id, channel: 'general', link: expect.stringContaining(`/${message?.id}`) },
  });
  expect(action.ledger.map(({ step }) => step)).toEqual(['drafted', 'edited', 'decided', 'sending', 'confirmed']);
  expect(message?.nonce).toMatch(/^[a-z0-9]{20,25}$/);
});

test('a channel is named in its server, and a thread by its id alone', async () => {
  const there = buildRequest({ server: 'Loom', channel: 'threads', text: 'Elsewhere.' });
  expect(await act(server, there)).toMatchObject({ status: 'confirmed', result: { channel: 'threads' } });
  expect(listMessages('Elsewhere.', 'threads')).toHaveLength(1);
  const { id } = discord.addThread({ channel: 'general', name: 'Bearings' });
  const inThread = { ...buildRequest({}), input: { channel: id, text: 'In the thread.' } };
  expect(await act(server, inThread)).toMatchObject({ status: 'confirmed', result: { channel_id: id } });
  expect(listMessages('In the thread.', id)).toHaveLength(1);
});

test.each([
  { name: 'cut after it was taken', failure: { kind: 'cut', when: 'after' } as const },
  { name: 'answered 500 after it was taken', failure: { kind: 'status', status: 500, when: 'after' } as const },
])('a message that was $name is found and not posted again', async ({ name, failure }) => {
  for (let index = 0; index < 130; index += 1)
    discord.seedMessage('general', { author: 'ada', content: `Line ${index}` });
  const id = await createActionDraft(server, post(`Found,\n${name}`));
  discord.failures.next(posting, failure);
  await server.ok('confirm_action', { draft_id: id });
  const action = await waitForOutcome(server, id);
  const messages = listMessages(`Found,\n${name}`);
  expect(action).toMatchObject({ status: 'confirmed', result: { message_id: messages[0]?.id } });
  expect(messages).toHaveLength(1);
});

test('a message that was cut off before its acceptance fails, also where an equal message existed', async () => {
  await act(server, post('Twice'));
  const id = await createActionDraft(server, post('Twice'));
  discord.failures.next(posting, { kind: 'cut', when: 'before' });
  await server.ok('confirm_action', { draft_id: id });
  expect(await waitForOutcome(server, id)).toMatchObject({ status: 'failed' });
  expect(listMessages('Twice')).toHaveLength(1);
});

test('a message of another bot is not ours, and a changed message of our bot leaves the outcome unknown', async () => {
  const during = async (author: string, content: string) => {
    const id = await createActionDraft(server, post(content));
    const pausedRequest = discord.failures.pause(posting);
    const confirmed = server.ok('confirm_action', { draft_id: id });
    await pausedRequest.reached;
    discord.seedMessage('general', { author, content: author === 'other' ? content : 'Something else.' });
    await confirmed;
    return server.ok('get_action', { draft_id: id });
  };
  expect(await during('other', 'Same words.')).toMatchObject({
    status: 'ambiguous',
    error: expect.stringContaining('does not have it yet'),
  });
  expect(await during('relay', 'Our words.')).toMatchObject({
    status: 'ambiguous',
    error: expect.stringContaining('does not have the requested values'),
  });
});

test('the error names a missing, forbidden or ambiguous channel, and nothing is posted', async () => {
  discord.ledger.clear();
  const cases = [
    [post('Hello?', 'nowhere'), 'The server Engine has no channel nowhere'],
    [post('Hello?', '123456789012345678'), 'There is no channel 123456789012345678'],
    [buildRequest({ server: 'Attic', channel: 'general', text: 'Hello?' }), 'in no server that is called Attic'],
    [{ ...buildRequest({}), input: { channel: 'general', text: 'Hello?' } }, 'in several servers'],
  ] as const;
  for (const [each, message] of cases) expect(await readRefusal(server, each)).toContain(message);
  expect(discord.ledger.all({ method: 'POST' })).toEqual([]);
  const refused = await act(server, post('Hello?', 'rules'));
  expect(refused).toMatchObject({ status: 'failed', error: expect.stringContaining('Missing Permissions') });
});

test('an impossible input is refused before it is drafted', async () => {
  for (const [each, message] of [
    [post('x'.repeat(2_001)), 'text'],
    [post(''), 'text'],
    [buildRequest({ text: 'x' }), 'channel'],
  ] as const) {
    const { status, body } = await server.call('act_on_integration', each);
    expect({ status, detail: body['detail'] }).toMatchObject({ status: 422, detail: expect.stringContaining(message) });
  }
});

test('a person’s own consent posts nothing: only a bot does', async () => {
  const { connections } = await server.ok('list_connections');
  for (const { connection_id } of connections as { connection_id: string }[])
    await server.ok('revoke_connected_account', { connection_id });
  await linkAccount(server, { provider: 'discord', source: 'discord' }, (url) => discord.approve(url, { user: 'ada' }));
  expect(await server.call('act_on_integration', post('By hand'))).toMatchObject({
    status: 409,
    body: { detail: expect.stringContaining('/integrations/discord') },
  });
});
