import type { Output } from '#sdk';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { GoogleEmulator } from '#emulators/google/index';
import { linkGoogle, signIn, startServerWithGoogle } from '../../../tests/support/google.ts';
import { openAsOwner } from '../../../tests/support/owner-database.ts';
import type { TestServer } from '../../../tests/support/server.ts';

let server: TestServer;
let google: GoogleEmulator;
let close: () => Promise<void>;
let installId: string;
let agentKey: string;

beforeAll(async () => {
  ({ server, google, close } = await startServerWithGoogle());
  google.addAccount({ email: 'ada@example.com', name: 'Ada' });
  installId = (await linkGoogle(server, google)).connectionId;
  agentKey = String((await server.ok('create_key', { label: 'Agent' }))['key']);
});
afterAll(() => close());
beforeEach(async () => {
  google.ledger.clear();
  await setPolicy({ rules: [], floor: [] });
});

async function setPolicy(policy: object): Promise<Output<'set_policy'>> {
  const { version } = await server.ok('get_policy');
  return server.ok('set_policy', { version, ...policy });
}

let number = 0;
function createMailDraft(over: object = {}) {
  number += 1;
  const input = { to: ['noah@example.com'], subject: `Ruled ${number}`, body: 'Hello.', ...over };
  return createDraftWithKey(agentKey, input);
}
function createDraftWithKey(key: string, input: object, action = 'send_email') {
  return server.call('act_on_integration', { install_id: installId, action_name: action, input }, { key });
}
async function createKeyWithRules(rules: object[], over: object = {}): Promise<string> {
  return String((await server.ok('create_key', { label: 'Narrowed', rules, ...over }))['key']);
}
const confirm = (draftId: unknown, over: object = {}) => server.call('confirm_action', { draft_id: draftId, ...over });
const countSentMails = () => google.ledger.all({ path: '/gmail/v1/users/me/drafts/send' }).length;
const allowAmongOurselves = { effect: 'allow', every_recipient: '*@example.com', note: 'Internal mail.' };

test('an allowed draft is sent once without approval, and the ledger names the rule', async () => {
  const { version } = await setPolicy({ rules: [allowAmongOurselves] });
  const { body } = await createMailDraft();
  expect(body).toMatchObject({
    kind: 'auto_executed',
    status: 'confirmed',
    result: { message_id: expect.any(String) },
  });
  expect(countSentMails()).toBe(1);
  const action = await server.ok('get_action', { draft_id: body['audit_id'] });
  expect(action).toMatchObject({ status: 'confirmed', decided_by: 'policy', ledger_is_whole: true });
  expect(action['ledger']).toContainEqual(
    expect.objectContaining({
      step: 'decided',
      detail: expect.objectContaining({
        by: 'policy',
        policy: { effect: 'allow', from: 'rules', position: 1, version },
      }),
    }),
  );
  const outside = await createMailDraft({ to: ['noah@example.com', 'eve@elsewhere.org'] });
  expect(outside.body).toMatchObject({ kind: 'draft' });
  expect(countSentMails()).toBe(1);
});

test('a blocked action is not drafted, and the answer names the rule', async () => {
  await setPolicy({ rules: [{ effect: 'block', any_recipient: '*@rival.example', note: 'Legal asked for it.' }] });
  const { status, body } = await createMailDraft({ to: ['boss@rival.example'] });
  expect(status).toBe(403);
  expect(body['detail']).toContain("Rule 1 of the workspace's rules: Legal asked for it.");
  expect(google.ledger.all()).toEqual([]);
});

test('a draft that needs a person is confirmed on the console, and by no key', async () => {
  const { body } = await createMailDraft({ to: Array.from({ length: 11 }, (_, n) => `person${n}@example.com`) });
  const byKey = await confirm(body['draft_id']);
  expect(byKey).toMatchObject({ status: 409, body: { code: 'approval_required' } });
  expect(byKey.body['detail']).toContain('It reaches more than 10 people.');
  const many = await server.ok('confirm_actions', { draft_ids: [body['draft_id']] });
  expect(many['results']).toMatchObject([{ status: 'failed' }]);
  expect(countSentMails()).toBe(0);
  const person = await signIn(server);
  const database = await openAsOwner(server.connectionString);
  await database.rows('update sessions set is_human_surface = true'); // like a person who signed in by mail
  await database.close();
  expect(await person.ok('confirm_action', { draft_id: body['draft_id'] })).toMatchObject({ status: 'confirmed' });
  expect(countSentMails()).toBe(1);
});

test('a draft that another rule would match now is stale: it is not sent, and the confirming person learns the reason', async () => {
  const { body } = await createMailDraft();
  await setPolicy({ rules: [{ effect: 'require_approval', note: 'Since today.' }] });
  expect(await server.ok('get_action', { draft_id: body['draft_id'] })).toMatchObject({ status: 'stale' });
  expect(await confirm(body['draft_id'])).toMatchObject({
    status: 409,
    body: { detail: expect.stringContaining('The policy changed after this was drafted. Nothing was sent.') },
  });
  expect(countSentMails()).toBe(0);
});

test('a change elsewhere in the rules leaves a draft unchanged', async () => {
  await setPolicy({ rules: [{ effect: 'require_approval', note: 'Mail.' }] });
  const { body } = await createMailDraft();
  await setPolicy({
    rules: [
      { effect: 'block', sources: ['slack'] },
      { effect: 'require_approval', note: 'Mail.' },
    ],
  });
  expect((await confirm(body['draft_id'])).body).toMatchObject({ status: 'confirmed' });
});

test('the policy judges an edit by the content after it', async () => {
  await setPolicy({ rules: [{ effect: 'block', any_recipient: '*@rival.example' }] });
  const { body } = await createMailDraft();
  const refused = await confirm(body['draft_id'], { edits: { to: ['boss@rival.example'] } });
  expect(refused.status).toBe(403);
  const many = Array.from({ length: 11 }, (_, n) => `person${n}@example.com`);
  expect((await confirm(body['draft_id'], { edits: { cc: many } })).body).toMatchObject({ code: 'approval_required' });
  expect((await confirm(body['draft_id'], { edits: { subject: 'Better' } })).body).toMatchObject({
    status: 'confirmed',
  });
});

test('recipients that only the provider knows count as the strictest case', async () => {
  const explain = (rule: object, action = 'reply_to_email') =>
    server.ok('explain_policy', {
      source: 'outlook_mail',
      action,
      input: { message_id: 'AAMkAGI2', body: 'Yes.' },
      rules: [rule],
    });
  expect(await explain({ effect: 'block', any_recipient: '*@rival.example' })).toMatchObject({ effect: 'block' });
  expect(await explain({ effect: 'allow', every_recipient: '*@example.com' })).toMatchObject({ from: 'defaults' });
  expect(await explain({ effect: 'allow', any_recipient: '*@example.com' })).toMatchObject({ from: 'defaults' });
});

test('a rule can refuse reading', async () => {
  await setPolicy({ rules: [{ effect: 'block', sources: ['gmail'], actions: ['read'] }] });
  const input = { source: 'gmail', input: { query: 'from:noah' } };
  const refused = await server.call('fetch_from_integration', input, { key: agentKey });
  expect(refused).toMatchObject({
    status: 403,
    body: { detail: expect.stringContaining('does not let you read gmail') },
  });
  expect(google.ledger.all()).toEqual([]);
  await setPolicy({ rules: [] });
  expect(await server.ok('fetch_from_integration', input, { key: agentKey })).toMatchObject({ source: 'gmail' });
});

test.each([
  [{ actions: ['send_mail'] }, 'there is no send_mail'],
  [{ sources: ['Slack'] }, 'sources: there is no Slack. Known: calendar,'],
  [{ sources: ['gmial'], effect: 'allow' }, 'sources: there is no gmial. Known: calendar,'],
  [{ any_recipient: 'rival.example' }, 'write *@rival.example'],
  [{ every_recipient: '@example.com' }, 'write *@example.com'],
  [{ target: '#general' }, 'write channel general'],
])('the rule %j would match nothing and is refused', async (rule, says) => {
  const { version } = await server.ok('get_policy');
  for (const list of ['rules', 'floor']) {
    const change = {
      version,
      [list]: [
        { effect: 'allow', actions: ['read'] },
        { effect: 'block', ...rule },
      ],
    };
    const refused = await server.call('set_policy', change);
    expect(refused).toMatchObject({ status: 422, body: { detail: expect.stringContaining(says) } });
    expect(refused.body['detail']).toContain('Rule 2 would match nothing');
  }
});

test('two changes at once: one is stored, and the other must read the policy again', async () => {
  const { version } = await server.ok('get_policy');
  const change = (note: string) => server.call('set_policy', { version, rules: [{ effect: 'block', note }] });
  const answers = await Promise.all(['a', 'b', 'c', 'd'].map(change));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409]);
});

test('an agent sees the policy and what it would answer, and cannot change it', async () => {
  await setPolicy({ rules: [allowAmongOurselves] });
  const asked = { source: 'gmail', action: 'send_email', input: { to: ['a@example.com'], subject: 'S', body: 'B' } };
  expect(await server.ok('explain_policy', asked, { key: agentKey })).toMatchObject({ effect: 'allow', position: 1 });
  const tried = { ...asked, floor: [{ effect: 'require_human' }] };
  expect(await server.ok('explain_policy', tried, { key: agentKey })).toMatchObject({
    effect: 'require_human',
    from: 'floor',
  });
  const { version } = await server.ok('get_policy', {}, { key: agentKey });
  expect((await server.call('set_policy', { version, rules: [] }, { key: agentKey })).status).toBe(403);
});

test('edits are checked before they are made, and are not stored', async () => {
  await setPolicy({ rules: [{ effect: 'block', any_recipient: '*@rival.example' }] });
  const { body } = await createMailDraft();
  const explain = (edits: object) => server.call('explain_policy', { draft_id: body['draft_id'], edits });
  expect((await explain({ subject: 'Other' })).body).toMatchObject({ effect: 'require_approval' });
  expect((await explain({ to: ['eve@rival.example'] })).body).toMatchObject({ effect: 'block', position: 1 });
  expect(await explain({ to: ['noah@example.com', 'eve'] })).toMatchObject({
    status: 422,
    body: { details: { issues: [{ path: 'to.1', message: expect.stringContaining('must be one address') }] } },
  });
  expect((await explain({ thread_id: 'abc' })).body['detail']).toContain('thread_id cannot be edited');
  const { payload } = await server.ok('get_action', { draft_id: body['draft_id'] });
  expect(payload).toMatchObject({ to: ['noah@example.com'] });
});

test('rules and mails use the same addresses: an ambiguous address is refused', async () => {
  await setPolicy({ rules: [allowAmongOurselves] });
  for (const to of ['eve@rival.example (<ana@example.com>', 'eve@rival.example "<ana@example.com>'])
    expect((await createMailDraft({ to: [to] })).status).toBe(422);
  expect((await createMailDraft({ to: ['"Ana (Sales)" <ana@example.com>'] })).body).toMatchObject({
    kind: 'auto_executed',
  });
  expect(google.ledger.sent()).toMatchObject([{ to: ['ana@example.com'] }]);
});

test('the rules of a key restrict what the policy allows it, and never extend it', async () => {
  await setPolicy({ rules: [allowAmongOurselves] });
  const narrowed = await createKeyWithRules([
    { effect: 'allow', any_recipient: 'noah@example.com' },
    { effect: 'require_human', every_recipient: '*@example.com', note: 'Noah alone.' },
    { effect: 'block', risks: ['write', 'destructive'] },
  ]);
  const mail = (to: string) => ({ to: [to], subject: `To ${to}`, body: 'Hello.' });
  expect((await createDraftWithKey(narrowed, mail('noah@example.com'))).body).toMatchObject({ kind: 'auto_executed' });
  const keyDraft = await createDraftWithKey(narrowed, mail('ana@example.com'));
  expect(keyDraft.body).toMatchObject({ kind: 'draft' });
  const draftId = keyDraft.body['draft_id'];
  expect(await server.ok('explain_policy', { draft_id: draftId })).toMatchObject({ from: 'key', position: 2 });
  const refused = await createDraftWithKey(narrowed, mail('eve@elsewhere.org'));
  expect(refused.status).toBe(403);
  expect(refused.body['detail']).toContain(
    'The rules of this agent block it. Blocked. Rule 3 of the rules of this agent',
  );
  expect((await createDraftWithKey(agentKey, mail('eve@elsewhere.org'))).body).toMatchObject({ kind: 'draft' });
  const asked = { source: 'gmail', action: 'send_email', recipients: ['eve@elsewhere.org'] };
  expect(await server.ok('explain_policy', asked, { key: narrowed })).toMatchObject({ effect: 'block', from: 'key' });
  expect(await server.ok('who_am_i', {}, { key: narrowed })).toMatchObject({ rules: [{}, {}, { effect: 'block' }] });
  // The confirming person decides under the rules of the key that drafted, even if an edit would pass the policy.
  expect(await confirm(draftId)).toMatchObject({ status: 409, body: { code: 'approval_required' } });
  expect(await confirm(draftId, { edits: { to: ['eve@elsewhere.org'] } })).toMatchObject({ status: 403 });
  expect(countSentMails()).toBe(1);
});

test('a key cannot approve, undo or send without approval what its own rules refuse', async () => {
  const scopes = ['actions:read', 'actions:draft', 'actions:confirm', 'integrations:read', 'connections:read'];
  const approver = await createKeyWithRules([{ effect: 'block', any_recipient: '*@example.com' }], { scopes });
  const { body } = await createMailDraft();
  const refused = await server.call('confirm_action', { draft_id: body['draft_id'] }, { key: approver });
  expect(refused).toMatchObject({ status: 403, body: { detail: expect.stringContaining('The rules of this agent') } });
  expect(countSentMails()).toBe(0);
  const other = await createMailDraft({ to: ['eve@elsewhere.org'] });
  const edited = { draft_id: other.body['draft_id'], edits: { to: ['noah@example.com'] } };
  expect(await server.call('confirm_action', edited, { key: approver })).toMatchObject({ status: 403 });
  expect(countSentMails()).toBe(0);
  const approved = await server.call('confirm_action', { draft_id: other.body['draft_id'] }, { key: approver });
  expect(approved.body).toMatchObject({ status: 'confirmed' });
  expect(await confirm(body['draft_id'])).toMatchObject({ body: { status: 'confirmed' } });
});

test('a key with rules cannot create keys and sessions, which the rules would not restrict', async () => {
  const rules = [{ effect: 'block', risks: ['write'] }];
  const scopes = ['keys:write', 'sign_in_links:create', 'actions:read'];
  const refused = await server.call('create_key', { label: 'A way out', rules, scopes });
  expect(refused).toMatchObject({
    status: 422,
    body: { detail: expect.stringContaining('keys:write, sign_in_links:create') },
  });
  const made = await server.ok('create_key', { label: 'Listed', rules });
  const { keys } = await server.ok('list_keys');
  expect(keys).toContainEqual(expect.objectContaining({ key_id: made['key_id'], rules }));
});

test('a rule may allow the whole safe set without approval, and the set is the same for everybody', async () => {
  const [message] = google.seedThread('ada@example.com', [
    { from: 'grace@example.net', subject: 'A newsletter', text: 'One.', labelIds: ['INBOX', 'UNREAD'] },
  ]);
  await setPolicy({ rules: [{ effect: 'allow', is_safe: true }] });
  const { actions } = await server.ok('get_policy');
  const safe = (actions as { action: string; is_safe: boolean }[]).filter(({ is_safe }) => is_safe);
  expect(safe.map(({ action }) => action).toSorted()).toEqual([
    'archive_email',
    'archive_thread',
    'label_thread',
    'mark_as_read',
    'push',
  ]);
  const read = await createDraftWithKey(agentKey, { thread_id: message?.threadId }, 'mark_as_read');
  expect(read.body).toMatchObject({ kind: 'auto_executed', status: 'confirmed' });
  const binned = await createDraftWithKey(agentKey, { thread_id: message?.threadId }, 'trash_thread');
  expect(binned.body).toMatchObject({ kind: 'draft' });
  expect((await createMailDraft()).body).toMatchObject({ kind: 'draft' });
});

test('trying rules shows what would need no approval, and changes nothing', async () => {
  const { version } = await server.ok('get_policy');
  const tried = await server.ok('set_policy', { version, rules: [{ effect: 'allow' }], dry_run: true });
  const { actions, unasked } = tried as { actions: object[]; unasked: { when: string }[] };
  expect(unasked).toHaveLength(actions.length);
  expect(await server.ok('get_policy')).toMatchObject({ version, rules: [], unasked: [] });
  const some = await setPolicy({ rules: [allowAmongOurselves] });
  expect(some['unasked']).toContainEqual({ source: 'gmail', action: 'send_email', when: 'sometimes' });
});

test('the rules of a key may only name existing sources and actions, too', async () => {
  for (const [rule, says] of [
    [{ effect: 'block', sources: ['gmial'] }, 'sources: there is no gmial. Known: calendar,'],
    [{ effect: 'block', actions: ['send_mail'] }, 'actions: there is no send_mail'],
  ])
    expect(await server.call('create_key', { label: 'Misspelt', rules: [rule] })).toMatchObject({
      status: 422,
      body: { detail: expect.stringContaining(String(says)) },
    });
  expect(
    (await server.call('create_key', { label: 'Reads', rules: [{ effect: 'block', sources: ['http'] }] })).status,
  ).toBe(200);
});
