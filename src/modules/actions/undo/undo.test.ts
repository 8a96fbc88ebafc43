import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startLinearEmulator, type LinearEmulator } from '#emulators/linear/index';
import { act, type FinishedAction } from '../../../../tests/support/acting.ts';
import { signIn } from '../../../../tests/support/google.ts';
import { linkAccount } from '../../../../tests/support/linking.ts';
import { openAsOwner } from '../../../../tests/support/owner-database.ts';
import { startTestServer, type TestServer } from '../../../../tests/support/server.ts';

let linear: LinearEmulator;
let server: TestServer;
beforeAll(async () => {
  linear = await startLinearEmulator();
  server = await startTestServer({
    THALAMUS_LINEAR_BASE_URL: linear.url,
    THALAMUS_LINEAR_CLIENT_ID: linear.client.id,
    THALAMUS_LINEAR_CLIENT_SECRET: linear.client.secret,
    THALAMUS_SEND_TIMEOUT_SECONDS: '1.5',
  });
  linear.addUser({ name: 'Ada' });
  linear.addTeam({ key: 'ENG' });
  await linkAccount(server, { provider: 'linear', source: 'linear' }, (url) => linear.approve(url, { user: 'Ada' }));
});
afterAll(async () => {
  await server.close();
  await linear.close();
});
beforeEach(() => {
  linear.failures.clear();
  linear.ledger.clear();
});

let number = 0;
async function createIssue(): Promise<FinishedAction> {
  number += 1;
  const input = { team: 'ENG', title: `Undo ${number}` };
  return act(server, { source: 'linear', action_name: 'create_issue', input });
}
const isThere = (action: FinishedAction) =>
  linear
    .issues('ENG')
    .some(({ id, trashed }) => id === (action['result'] as { issue_id: string }).issue_id && !trashed);
const undo = (action: FinishedAction, as: object = {}) =>
  server.call('undo_action', { draft_id: action['draft_id'] }, as);
const listDeletions = () =>
  linear.ledger.all({ path: '/graphql' }).filter(({ body }) => String(body).includes('issueDelete'));

async function runAsOwner(statement: string): Promise<void> {
  const database = await openAsOwner(server.connectionString);
  await database.rows(statement);
  await database.close();
}

test('an undo works once, a second one changes nothing, and the ledger names its author', async () => {
  const action = await createIssue();
  expect(action).toMatchObject({ undo: { says: 'Delete the issue', until: expect.any(String) } });
  expect(await undo(action)).toMatchObject({ status: 200, body: { status: 'undone' } });
  expect(isThere(action)).toBe(false);
  expect(await undo(action)).toMatchObject({ status: 200, body: { status: 'undone' } });
  const after = await server.ok('get_action', { draft_id: action['draft_id'] });
  expect(after).toMatchObject({ status: 'undone', undo: null, ledger_is_whole: true });
  const steps = (after['ledger'] as { step: string; detail: object }[]).slice(-2);
  expect(steps).toMatchObject([{ step: 'undoing', detail: { by: expect.any(String) } }, { step: 'undone' }]);
  expect(await server.ok('confirm_action', { draft_id: action['draft_id'] })).toMatchObject({ status: 'confirmed' });
});

test('two people who undo at the same time undo it once, and both learn so', async () => {
  const action = await createIssue();
  const answers = await Promise.all([undo(action), undo(action), undo(action)]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(isThere(action)).toBe(false);
  const after = await server.ok('get_action', { draft_id: action['draft_id'] });
  expect((after['ledger'] as { step: string }[]).filter(({ step }) => step === 'undone')).toHaveLength(1);
});

test('an item that was deleted at the provider counts as undone', async () => {
  const action = await createIssue();
  linear.purgeIssue((action['result'] as { issue_id: string }).issue_id);
  expect(await undo(action)).toMatchObject({ status: 200, body: { status: 'undone' } });
});

test('an undo that the provider fails leaves the action done, reports the error, and can be repeated', async () => {
  const action = await createIssue();
  linear.failures.next({ path: '/graphql' }, { kind: 'status', status: 500 });
  expect(await undo(action)).toMatchObject({
    status: 502,
    body: { detail: expect.stringContaining('The undo failed') },
  });
  expect(await server.ok('get_action', { draft_id: action['draft_id'] })).toMatchObject({ status: 'confirmed' });
  expect(await undo(action)).toMatchObject({ status: 200 });
  expect(isThere(action)).toBe(false);
});

test('an action cannot be undone after its time, or before it was done', async () => {
  const action = await createIssue();
  const input = { team: 'ENG', title: 'Still a draft' };
  const { draft_id } = await server.ok('act_on_integration', { source: 'linear', action_name: 'create_issue', input });
  expect(await server.call('undo_action', { draft_id })).toMatchObject({ status: 409 });
  await runAsOwner("update drafts set settled_at = settled_at - interval '61 minutes'");
  expect(await undo(action)).toMatchObject({
    status: 409,
    body: { detail: expect.stringContaining('It could be undone until') },
  });
  expect(listDeletions()).toEqual([]);
});

test('an agent cannot undo, and an action that needed a person needs one for its undo', async () => {
  const action = await createIssue();
  const { key } = await server.ok('create_key', { label: 'Agent' });
  expect(await undo(action, { key: String(key) })).toMatchObject({ status: 409, body: { code: 'approval_required' } });
  const { version } = await server.ok('get_policy');
  await server.ok('set_policy', { version, rules: [{ effect: 'require_human', sources: ['linear'] }] });
  const person = await signIn(server);
  await runAsOwner('update sessions set is_human_surface = true'); // like a person who signed in by mail
  const input = { team: 'ENG', title: 'By a person' };
  const { draft_id } = await server.ok('act_on_integration', { source: 'linear', action_name: 'create_issue', input });
  await person.ok('confirm_action', { draft_id });
  expect(await server.call('undo_action', { draft_id })).toMatchObject({ body: { code: 'approval_required' } });
  expect(listDeletions()).toEqual([]);
  expect(await person.ok('undo_action', { draft_id })).toMatchObject({ status: 'undone' });
});

test('an undo that the policy now refuses fails, and concurrent undos that fail leave an intact record', async () => {
  const { version } = await server.ok('get_policy');
  await server.ok('set_policy', { version, rules: [] });
  const action = await createIssue();
  linear.failures.next({ path: '/graphql', body: /issueDelete/ }, { kind: 'status', status: 500 }, 12);
  const failing = await Promise.all(Array.from({ length: 12 }, () => undo(action)));
  expect(new Set(failing.map(({ status }) => status))).toEqual(new Set([502]));
  const { ledger } = await server.ok('get_action', { draft_id: action['draft_id'] });
  expect(ledger.filter(({ step }) => step === 'undo_failed')).toHaveLength(12);
  linear.failures.clear();
  await server.ok('set_policy', { version: Number(version) + 1, rules: [{ effect: 'block', sources: ['linear'] }] });
  expect(await undo(action)).toMatchObject({ status: 403 });
  expect(isThere(action)).toBe(true);
  await server.ok('set_policy', { version: Number(version) + 2, rules: [] });
  // It began in time: its outcome may be unknown, so it may be tried again.
  await runAsOwner("update drafts set settled_at = settled_at - interval '61 minutes'");
  expect(await undo(action)).toMatchObject({ status: 200 });
});
