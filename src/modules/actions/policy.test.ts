import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { GoogleEmulator } from '../../../tests/emulators/google/index.ts';
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

async function setPolicy(policy: object): Promise<Record<string, unknown>> {
  const { version } = await server.ok('get_policy');
  return server.ok('set_policy', { version, ...policy });
}

let number = 0;
function draft(over: object = {}) {
  number += 1;
  const input = { to: ['noah@example.com'], subject: `Ruled ${number}`, body: 'Hello.', ...over };
  return server.call(
    'act_on_integration',
    { install_id: installId, action_name: 'send_email', input },
    { key: agentKey },
  );
}
const confirm = (draftId: unknown, over: object = {}) => server.call('confirm_action', { draft_id: draftId, ...over });
const sent = () => google.ledger.all({ path: '/gmail/v1/users/me/drafts/send' }).length;
const allowAmongOurselves = { effect: 'allow', every_recipient: '*@example.com', note: 'Among ourselves.' };

test('what the policy allows is sent without asking, once, and the ledger tells by which rule', async () => {
  const { version } = await setPolicy({ rules: [allowAmongOurselves] });
  const { body } = await draft();
  expect(body).toMatchObject({
    kind: 'auto_executed',
    status: 'confirmed',
    result: { message_id: expect.any(String) },
  });
  expect(sent()).toBe(1);
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
  const outside = await draft({ to: ['noah@example.com', 'eve@elsewhere.org'] });
  expect(outside.body).toMatchObject({ kind: 'draft' });
  expect(sent()).toBe(1);
});

test('what the policy blocks is not even drafted, and the answer names the rule', async () => {
  await setPolicy({ rules: [{ effect: 'block', any_recipient: '*@rival.example', note: 'Legal asked for it.' }] });
  const { status, body } = await draft({ to: ['boss@rival.example'] });
  expect(status).toBe(403);
  expect(body['detail']).toContain("Rule 1 of the workspace's rules: Legal asked for it.");
  expect(google.ledger.all()).toEqual([]);
});

test('what needs a person is confirmed on the console, and by no key however much it may', async () => {
  const { body } = await draft({ to: Array.from({ length: 11 }, (_, n) => `person${n}@example.com`) });
  const byKey = await confirm(body['draft_id']);
  expect(byKey).toMatchObject({ status: 409, body: { code: 'approval_required' } });
  expect(byKey.body['detail']).toContain('It reaches more than 10 people.');
  const many = await server.ok('confirm_actions', { draft_ids: [body['draft_id']] });
  expect(many['results']).toMatchObject([{ status: 'failed' }]);
  expect(sent()).toBe(0);
  const person = await signIn(server);
  const database = await openAsOwner(server.connectionString);
  await database.rows('update sessions set is_human_surface = true'); // as a person who signed in by mail has it
  await database.close();
  expect(await person.ok('confirm_action', { draft_id: body['draft_id'] })).toMatchObject({ status: 'confirmed' });
  expect(sent()).toBe(1);
});

test('a draft that another rule would answer now is stale: nothing is sent, and whoever confirms learns why', async () => {
  const { body } = await draft();
  await setPolicy({ rules: [{ effect: 'require_approval', note: 'Since today.' }] });
  expect((await confirm(body['draft_id'])).body).toMatchObject({
    status: 'failed',
    error: expect.stringContaining('The policy changed since it was drafted, and nothing was sent.'),
  });
  expect(await server.ok('get_action', { draft_id: body['draft_id'] })).toMatchObject({ status: 'stale' });
  expect(await confirm(body['draft_id'])).toMatchObject({ status: 409 });
  expect(sent()).toBe(0);
});

test('a change elsewhere in the list leaves a draft as it is', async () => {
  await setPolicy({ rules: [{ effect: 'require_approval', note: 'Mail.' }] });
  const { body } = await draft();
  await setPolicy({
    rules: [
      { effect: 'block', sources: ['slack'] },
      { effect: 'require_approval', note: 'Mail.' },
    ],
  });
  expect((await confirm(body['draft_id'])).body).toMatchObject({ status: 'confirmed' });
});

test('an edit is judged as what it makes of the draft', async () => {
  await setPolicy({ rules: [{ effect: 'block', any_recipient: '*@rival.example' }] });
  const { body } = await draft();
  const refused = await confirm(body['draft_id'], { edits: { to: ['boss@rival.example'] } });
  expect(refused.status).toBe(403);
  const many = Array.from({ length: 11 }, (_, n) => `person${n}@example.com`);
  expect((await confirm(body['draft_id'], { edits: { cc: many } })).body).toMatchObject({ code: 'approval_required' });
  expect((await confirm(body['draft_id'], { edits: { subject: 'Better' } })).body).toMatchObject({
    status: 'confirmed',
  });
});

test('reading can be refused by a rule', async () => {
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

test('two changes at once: one is stored, and the other is told to read again', async () => {
  const { version } = await server.ok('get_policy');
  const change = (note: string) => server.call('set_policy', { version, rules: [{ effect: 'block', note }] });
  const answers = await Promise.all(['a', 'b', 'c', 'd'].map(change));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409]);
});

test('an agent sees the policy and what it would answer, and changes nothing', async () => {
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
