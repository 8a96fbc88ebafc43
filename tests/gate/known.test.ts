// Rules apply to the real target and the real recipients of a draft, for every way to name them.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { GoogleEmulator } from '#emulators/google/index';
import { startMicrosoftEmulator, type MicrosoftEmulator } from '#emulators/microsoft/index';
import { startSlackEmulator, type SlackEmulator } from '#emulators/slack/index';
import { buildOauthSettings } from '#emulators/settings';
import { createActionDraft, readRefusal, waitForOutcome } from '../support/acting.ts';
import { linkGoogle, signIn, startServerWithGoogle, type Browser } from '../support/google.ts';
import { linkAccount } from '../support/linking.ts';
import { openAsOwner } from '../support/owner-database.ts';
import { quickTimes } from '../support/quick-times.ts';
import type { TestServer } from '../support/server.ts';

const ada = 'ada@example.com';
let server: TestServer;
let google: GoogleEmulator;
let slack: SlackEmulator;
let microsoft: MicrosoftEmulator;
let channelId: string;
let close: () => Promise<void>;

beforeAll(async () => {
  slack = await startSlackEmulator();
  microsoft = await startMicrosoftEmulator();
  ({ server, google, close } = await startServerWithGoogle({
    ...buildOauthSettings('slack', slack),
    ...buildOauthSettings('microsoft', microsoft),
    ...quickTimes,
  }));
  slack.addUser({ name: 'ada' });
  channelId = slack.addChannel({ name: 'general', members: ['ada'] }).id;
  slack.addChannel({ name: 'other', members: ['ada'] });
  microsoft.addAccount({ email: ada, name: 'Ada' });
  google.addAccount({ email: ada, name: 'Ada' });
  await linkGoogle(server, google);
  await linkAccount(server, { provider: 'slack', source: 'slack' }, (url) => slack.approve(url, { user: 'ada' }));
  for (const source of ['outlook_mail', 'outlook_calendar'])
    await linkAccount(server, { provider: 'microsoft', source }, (url) => microsoft.approve(url, { email: ada }));
});
afterAll(async () => {
  await close();
  await slack.close();
  await microsoft.close();
});
afterEach(async () => {
  for (const { failures } of [slack, microsoft, google]) failures.clear();
  await setRules();
});

type Preview = { fields: { label: string; text: string; was?: string }[] };

/** Somebody who signed in by mail. */
async function signInPerson(): Promise<Browser> {
  const browser = await signIn(server);
  const database = await openAsOwner(server.connectionString);
  await database.rows('update sessions set is_human_surface = true');
  await database.close();
  return browser;
}

async function setRules(...rules: object[]): Promise<void> {
  const { version } = await server.ok('get_policy');
  await server.ok('set_policy', { version, rules });
}
const post = (channel: string, text = 'Hello') => ({
  source: 'slack',
  action_name: 'post_message',
  input: { channel, text },
});
const reply = (message_id: string, reply_all = false) => ({
  source: 'outlook_mail',
  action_name: 'reply_to_email',
  input: { message_id, body: 'Yes.', reply_all },
});
const seedReceivedMail = (more: object = {}) =>
  microsoft.seedMessage(ada, { from: 'grace@rival.example', to: [ada, 'noah@example.com'], subject: 'When?', ...more })
    .immutableId;
const readPreviewFields = async (id: string) => {
  const { preview } = await server.ok('get_action', { draft_id: id });
  return Object.fromEntries(
    (preview as { fields: { label: string; text: string }[] }).fields.map(({ label, text }) => [label, text]),
  );
};
const findPrompt = async (draftId: string, key?: string) => {
  const { prompts } = await server.ok('list_inbox_prompts', {}, key === undefined ? {} : { key });
  return (prompts as { id: string }[]).find(({ id }) => id === draftId);
};
const readEffect = async (id: string) =>
  (await server.ok('get_action', { draft_id: id }))['policy'] as { effect: string };

test('a rule on the name applies to the id, and the other way round', async () => {
  await setRules({ effect: 'block', target: 'channel general' });
  for (const channel of ['general', '#general', channelId])
    expect((await server.call('act_on_integration', post(channel))).status, channel).toBe(403);
  await setRules({ effect: 'block', target: `channel ${channelId}` });
  for (const channel of ['general', channelId])
    expect((await server.call('act_on_integration', post(channel))).status, channel).toBe(403);
  expect((await server.call('act_on_integration', post('other'))).status).toBe(200);
});

test('a rule that allows applies to both names, and to no other channel', async () => {
  await setRules({ effect: 'allow', target: 'channel general' });
  for (const channel of ['general', channelId])
    expect(await server.ok('act_on_integration', post(channel, `To ${channel}`))).toMatchObject({
      kind: 'auto_executed',
      status: 'confirmed',
    });
  expect(await server.ok('act_on_integration', post('other'))).toMatchObject({ kind: 'draft' });
});

test('the preview shows both names, and the recipients of a reply', async () => {
  expect(await readPreviewFields(await createActionDraft(server, post(channelId, 'Seen')))).toMatchObject({
    Channel: `#general (${channelId})`,
  });
  const id = await createActionDraft(server, reply(seedReceivedMail(), true));
  expect(await readPreviewFields(id)).toMatchObject({
    Mail: expect.stringContaining('When?'),
    'To (from the thread)': 'grace@rival.example',
    'Also to (from the thread)': 'noah@example.com',
  });
  expect(
    await readPreviewFields(
      await createActionDraft(server, reply(seedReceivedMail({ replyTo: ['list@example.com'] }))),
    ),
  ).toMatchObject({
    'To (from the thread)': 'list@example.com',
  });
});

test('rules about people apply to the people that a reply really reaches', async () => {
  await setRules({ effect: 'block', any_recipient: '*@rival.example' });
  expect((await server.call('act_on_integration', reply(seedReceivedMail()))).status).toBe(403);
  expect((await server.call('act_on_integration', reply(seedReceivedMail({ from: 'noah@example.com' })))).status).toBe(
    200,
  );
  await setRules({ effect: 'allow', every_recipient: '*@example.com' });
  const among = { from: 'noah@example.com' };
  expect(await server.ok('act_on_integration', reply(seedReceivedMail(among), true))).toMatchObject({
    kind: 'auto_executed',
  });
  expect(await server.ok('act_on_integration', reply(seedReceivedMail(), true))).toMatchObject({ kind: 'draft' });
});

test('a changed event reaches its guests; more than ten of them need a person', async () => {
  const seeded = (count: number) =>
    google.seedEvent(ada, {
      summary: 'Review',
      attendees: Array.from({ length: count }, (_, n) => ({ email: `n${n}@example.com` })),
      start: '2027-06-01T12:00:00Z',
      end: '2027-06-01T13:00:00Z',
    }).id;
  const move = (event_id: string) => ({
    source: 'calendar',
    action_name: 'update_event',
    input: { event_id, location: 'Corner café' },
  });
  const few = await createActionDraft(server, move(seeded(2)));
  expect(await readPreviewFields(few)).toMatchObject({
    'Guests now': 'n0@example.com, n1@example.com',
    Calendar: expect.stringContaining(ada),
  });
  expect(await readEffect(few)).toMatchObject({ effect: 'require_approval' });
  expect(await readEffect(await createActionDraft(server, move(seeded(11))))).toMatchObject({
    effect: 'require_human',
  });
});

test('the account’s calendar has its address as a name, too', async () => {
  const input = { summary: 'Lunch', start: '2027-06-01T12:00:00Z', end: '2027-06-01T13:00:00Z' };
  const lunch = (more: object) => ({ source: 'calendar', action_name: 'create_event', input: { ...input, ...more } });
  await setRules({ effect: 'block', sources: ['calendar'], target: `event in ${ada}` });
  expect((await server.call('act_on_integration', lunch({}))).status).toBe(403);
  await setRules({ effect: 'block', sources: ['calendar'], target: 'event in primary' });
  expect((await server.call('act_on_integration', lunch({ calendar_id: ada }))).status).toBe(403);
});

test('a target that could not be looked up counts as the strictest case, and the approver is warned', async () => {
  const down = () => slack.failures.next({ path: /users\.conversations/ }, { kind: 'status', status: 500 }, 4);
  await setRules({ effect: 'block', target: 'channel general' });
  down();
  expect((await server.call('act_on_integration', post(channelId))).status).toBe(403);
  slack.failures.clear();
  down();
  await setRules({ effect: 'block', target: 'issue *' }, { effect: 'allow', target: 'channel general' });
  const id = await createActionDraft(server, post(channelId, 'Unseen'));
  expect((await readPreviewFields(id))['Not looked up']).toContain('could not be looked up');
  const { ledger } = await server.ok('get_action', { draft_id: id });
  expect(ledger).toMatchObject([{ step: 'drafted', detail: { not_looked_up: expect.any(String) } }]);
});

test('an action that would certainly fail is refused when it is drafted', async () => {
  const { total } = await server.ok('list_pending_actions');
  expect(await readRefusal(server, post('nowhere'))).toBe(
    'post_message cannot be drafted. There is no channel nowhere that this account is in.',
  );
  const mail = { to: ['noah@example.com'], subject: 'Re: Friday?', body: 'Yes.', thread_id: 'abc' };
  expect(await readRefusal(server, { source: 'gmail', action_name: 'send_email', input: mail })).toContain(
    'There is no thread abc',
  );
  expect(await server.ok('list_pending_actions')).toMatchObject({ total });
  await setRules({ effect: 'allow', target: 'channel *' });
  expect(await readRefusal(server, post('nowhere', 'At once'))).toContain('There is no channel nowhere');
});

test('a change is shown with the present value, and times in the zone of the new ones', async () => {
  const { id } = google.seedEvent(ada, {
    summary: 'Planning',
    start: '2027-06-01T12:00:00Z',
    end: '2027-06-01T13:00:00Z',
    attendees: [{ email: 'grace@example.com' }, { email: 'noah@example.com' }],
  });
  const input = {
    event_id: id,
    summary: 'Planning',
    start: '2027-06-02T09:00:00+02:00',
    end: '2027-06-02T10:00:00+02:00',
    location: 'Room 2',
    attendees: ['grace@example.com'],
  };
  const { preview } = await server.ok('act_on_integration', { source: 'calendar', action_name: 'update_event', input });
  const { fields } = preview as Preview;
  expect(fields).toEqual(
    expect.arrayContaining([
      { label: 'Event', text: `Planning (${id})` },
      { label: 'Event begins', text: '2027-06-01T12:00:00Z' },
      { label: 'What', text: 'Planning' },
      { label: 'Start', text: '2027-06-02T09:00:00+02:00', was: '2027-06-01T14:00:00+02:00' },
      { label: 'End', text: '2027-06-02T10:00:00+02:00', was: '2027-06-01T15:00:00+02:00' },
      { label: 'Where', text: 'Room 2', was: 'None' },
      { label: 'Attendees', text: 'grace@example.com', was: 'grace@example.com, noah@example.com' },
    ]),
  );
});

test('the preview of an edited change has the present value, too', async () => {
  const { id: event_id } = microsoft.seedEvent(ada, {
    subject: 'Standup',
    start: { dateTime: '2027-06-01T12:00:00', timeZone: 'UTC' },
    end: { dateTime: '2027-06-01T12:15:00', timeZone: 'UTC' },
  });
  const input = { event_id, summary: 'Sitdown' };
  const id = await createActionDraft(server, { source: 'outlook_calendar', action_name: 'update_event', input });
  await server.ok('confirm_action', { draft_id: id, edits: { summary: 'Stand' } });
  const { preview } = await waitForOutcome(server, id);
  expect((preview as Preview).fields).toEqual(
    expect.arrayContaining([
      { label: 'Event begins', text: expect.stringMatching(/^2027-06-01T12:00:00[.0]*Z$/) },
      { label: 'What', text: 'Stand', was: 'Standup' },
    ]),
  );
});

test('the preview names a thread by its subject and its first author', async () => {
  const { threadId: thread_id } = google.seedMail(ada, {
    from: 'Grace Hopper <grace@example.com>',
    subject: 'The compiler review',
    text: 'It is ready.',
  });
  const archive = await createActionDraft(server, {
    source: 'gmail',
    action_name: 'archive_thread',
    input: { thread_id },
  });
  expect(await readPreviewFields(archive)).toMatchObject({
    Thread: `The compiler review (${thread_id})`,
    'Begun by': 'Grace Hopper <grace@example.com>',
  });
  const input = { to: ['grace@example.com'], subject: 'Re: The compiler review', body: 'Thanks.', thread_id };
  const answer = await createActionDraft(server, { source: 'gmail', action_name: 'send_email', input });
  expect(await readPreviewFields(answer)).toMatchObject({ 'Reply in thread': `The compiler review (${thread_id})` });
});

test('a draft is not sent when its recipients changed since it was drafted', async () => {
  const mail = seedReceivedMail();
  const id = await createActionDraft(server, reply(mail, true));
  const message = microsoft.messages(ada, 'inbox').find(({ immutableId }) => immutableId === mail);
  message?.ccRecipients.push({ emailAddress: { address: 'eve@elsewhere.example' } });
  await server.ok('confirm_action', { draft_id: id });
  expect(await waitForOutcome(server, id)).toMatchObject({ status: 'stale' });
  expect(microsoft.sent(ada).filter(({ cc }) => cc.includes('eve@elsewhere.example'))).toEqual([]);
});

test('a second draft about a changed target makes the first one stale', async () => {
  const mail = seedReceivedMail();
  const id = await createActionDraft(server, reply(mail, true));
  expect(await createActionDraft(server, reply(mail, true))).toBe(id);
  const message = microsoft.messages(ada, 'inbox').find(({ immutableId }) => immutableId === mail);
  message?.ccRecipients.push({ emailAddress: { address: 'ana@example.com' } });
  microsoft.failures.next({ path: /\/me\/messages\// }, { kind: 'status', status: 503 }, 4);
  expect(await createActionDraft(server, reply(mail, true))).toBe(id);
  microsoft.failures.clear();
  const again = await createActionDraft(server, reply(mail, true));
  expect(again).not.toBe(id);
  expect(await server.ok('get_action', { draft_id: id })).toMatchObject({
    status: 'stale',
    ledger_is_whole: true,
    can_redraft: false, // the new one stands for it
  });
  await server.ok('confirm_action', { draft_id: again });
  expect(await waitForOutcome(server, again)).toMatchObject({ status: 'confirmed' });
});

test('two drafts at once, one without an answer of its provider, give one draft', async () => {
  for (const round of ['one', 'two', 'three', 'four']) {
    const { total } = await server.ok('list_pending_actions');
    slack.failures.next({ path: /users\.conversations/ }, { kind: 'status', status: 500 }, 4); // as often as one of them asks
    const request = post(channelId, `At once, ${round}`);
    await Promise.all([
      createActionDraft(server, request),
      createActionDraft(server, request),
      createActionDraft(server, request),
    ]);
    slack.failures.clear();
    expect((await server.ok('list_pending_actions'))['total']).toBe(Number(total) + 1);
  }
});

test('a target that is looked up only when sending is judged then, and a stricter rule stops it', async () => {
  const event = google.seedEvent(ada, {
    summary: 'Crowd',
    attendees: Array.from({ length: 11 }, (_, n) => ({ email: `n${n}@example.com` })),
    start: '2027-06-01T12:00:00Z',
    end: '2027-06-01T13:00:00Z',
  });
  google.failures.next({ path: /calendarList/ }, { kind: 'status', status: 500 }, 4);
  const input = { event_id: event.id, location: 'Elsewhere' };
  const id = await createActionDraft(server, { source: 'calendar', action_name: 'update_event', input });
  google.failures.clear();
  expect(await readEffect(id)).toMatchObject({ effect: 'require_approval' });
  await server.ok('confirm_action', { draft_id: id });
  expect(await waitForOutcome(server, id)).toMatchObject({
    status: 'stale',
    error: expect.stringContaining('only now'),
  });
});

test('guests who were hidden from the draft and are visible when sending are judged then', async () => {
  const event = google.seedEvent(ada, {
    summary: 'Masked',
    attendees: Array.from({ length: 11 }, (_, n) => ({ email: `n${n}@example.com` })),
    start: '2027-06-01T12:00:00Z',
    end: '2027-06-01T13:00:00Z',
  });
  Object.assign(event.content, { guestsCanSeeOtherGuests: false });
  const input = { event_id: event.id, location: 'Elsewhere' };
  const id = await createActionDraft(server, { source: 'calendar', action_name: 'update_event', input });
  expect(await readEffect(id)).toMatchObject({ effect: 'require_approval' });
  Object.assign(event.content, { guestsCanSeeOtherGuests: true });
  await server.ok('confirm_action', { draft_id: id });
  expect(await waitForOutcome(server, id)).toMatchObject({
    status: 'stale',
    error: expect.stringContaining('only now'),
  });
  expect(event.content['location']).toBeUndefined();

  Object.assign(event.content, { guestsCanSeeOtherGuests: false });
  const again = await createActionDraft(server, { source: 'calendar', action_name: 'update_event', input });
  Object.assign(event.content, { guestsCanSeeOtherGuests: true });
  await (await signInPerson()).ok('confirm_action', { draft_id: again });
  expect(await waitForOutcome(server, again), 'more than a person cannot be asked for').toMatchObject({
    status: 'confirmed',
  });
});

test('a value that already applies is not a change, in any notation, and Outlook time changes are reported', async () => {
  const guests = ['grace@example.com', 'noah@example.com'];
  const { id: event_id } = google.seedEvent(ada, {
    summary: 'Same',
    start: '2027-06-01T12:00:00Z',
    end: '2027-06-01T13:00:00Z',
    attendees: guests.map((email) => ({ email })),
  });
  const same = { start: '2027-06-01T14:00:00.000+02:00', end: '2027-06-01T13:00:00Z', attendees: guests.toReversed() };
  const input = { event_id, summary: 'Same', ...same };
  const unchanged = await server.ok('act_on_integration', { source: 'calendar', action_name: 'update_event', input });
  expect((unchanged['preview'] as Preview).fields.filter(({ was }) => was !== undefined)).toEqual([]);

  const { id } = microsoft.seedEvent(ada, {
    subject: 'Standup',
    start: { dateTime: '2027-06-01T12:00:00', timeZone: 'UTC' },
    end: { dateTime: '2027-06-01T12:15:00', timeZone: 'UTC' },
  });
  const moved = { event_id: id, start: '2027-06-01T15:00:00+02:00', end: '2027-06-01T15:15:00+02:00' };
  const request = { source: 'outlook_calendar', action_name: 'update_event', input: moved };
  expect(((await server.ok('act_on_integration', request))['preview'] as Preview).fields).toEqual(
    expect.arrayContaining([
      { label: 'Start', text: '2027-06-01T15:00:00+02:00', was: '2027-06-01T14:00:00+02:00' },
      { label: 'End', text: '2027-06-01T15:15:00+02:00', was: '2027-06-01T14:15:00+02:00' },
    ]),
  );
});

test('a key that may not read the target learns nothing about it from another caller’s draft', async () => {
  const { id: event_id } = google.seedEvent(ada, {
    summary: 'Kept to ourselves',
    start: '2027-06-01T12:00:00Z',
    end: '2027-06-01T13:00:00Z',
    attendees: [{ email: 'secret.guest@example.com' }],
  });
  const request = { source: 'calendar', action_name: 'update_event', input: { event_id, summary: 'Renamed' } };
  const draft_id = await createActionDraft(server, request);
  const blind = [
    { label: 'Without reading', scopes: ['actions:read'] },
    { label: 'Not this source', rules: [{ effect: 'block', sources: ['calendar'], actions: ['read'] }] },
  ];
  for (const each of blind) {
    const key = String((await server.ok('create_key', each))['key']);
    for (const [operation, asked] of [
      ['get_action', { draft_id }],
      ['list_pending_actions', {}],
    ] as const) {
      const { status, body } = await server.call(operation, asked, { key });
      expect(status).toBe(200);
      expect(JSON.stringify(body), each.label).toContain('Renamed');
      expect(JSON.stringify(body), each.label).not.toContain('Kept to ourselves');
      expect(JSON.stringify(body), each.label).not.toContain('secret.guest');
    }
    expect(await findPrompt(draft_id, key), each.label).toMatchObject({ title: 'Change an event' });
  }
  expect(await findPrompt(draft_id)).toMatchObject({ title: 'Change an event: Kept to ourselves' });
  const { ledger, ...shownDraft } = await server.ok('get_action', { draft_id });
  expect(shownDraft).toMatchObject({ about: 'Kept to ourselves' });
  expect(JSON.stringify(shownDraft)).toContain('Kept to ourselves');
  expect(JSON.stringify(ledger)).toContain('secret.guest');
});

test('a caller that may not read an account learns nothing about its target', async () => {
  await setRules({ effect: 'block', sources: ['slack'], actions: ['read'] });
  const fields = await readPreviewFields(await createActionDraft(server, post(channelId, 'Blind')));
  expect(fields).toMatchObject({ Channel: channelId, 'Not looked up': expect.stringContaining('may not read there') });
  await setRules();
  const { key } = await server.ok('create_key', { label: 'Drafts alone', scopes: ['actions:draft', 'actions:read'] });
  const { body } = await server.call('act_on_integration', post(channelId, 'Blind, too'), { key: String(key) });
  expect(JSON.stringify(body)).not.toContain('general');
  expect(JSON.stringify(body)).toContain('may not read there');
});

test('a mail with given recipients asks the provider nothing', async () => {
  const before = google.ledger.ever().length;
  const input = { to: ['noah@example.com'], subject: 'Plain', body: 'Hi.' };
  await createActionDraft(server, { source: 'gmail', action_name: 'send_email', input });
  expect(google.ledger.ever().length).toBe(before);
});

test('explain_policy answers for a request and for a draft', async () => {
  const rules = [{ effect: 'block', target: 'channel general' }];
  const asked = { source: 'slack', action: 'post_message', rules };
  const explain = async (more: object) => (await server.ok('explain_policy', { ...asked, ...more }))['effect'];
  expect(await explain({ input: { channel: 'general', text: 'x' } })).toBe('block');
  expect(await explain({ input: { channel: channelId, text: 'x' } })).toBe('require_approval');
  const id = await createActionDraft(server, post(channelId, 'Explained'));
  expect((await server.ok('explain_policy', { draft_id: id, rules }))['effect']).toBe('block');
});
