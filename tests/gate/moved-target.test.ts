// A draft is bound to the state of its target when it was drafted.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { GoogleEmulator } from '#emulators/google/index';
import { startLinearEmulator, type LinearEmulator } from '#emulators/linear/index';
import { act, createActionDraft, waitForOutcome } from '../support/acting.ts';
import { linkGoogle, startServerWithGoogle } from '../support/google.ts';
import { linkAccount } from '../support/linking.ts';
import type { TestServer } from '../support/server.ts';

const email = 'ada@example.com';
let server: TestServer;
let google: GoogleEmulator;
let linear: LinearEmulator;
let close: () => Promise<void>;

beforeAll(async () => {
  linear = await startLinearEmulator();
  ({ server, google, close } = await startServerWithGoogle({
    THALAMUS_LINEAR_BASE_URL: linear.url,
    THALAMUS_LINEAR_CLIENT_ID: linear.client.id,
    THALAMUS_LINEAR_CLIENT_SECRET: linear.client.secret,
  }));
  google.addAccount({ email, name: 'Ada' });
  linear.addUser({ name: 'Ada' });
  linear.addTeam({ key: 'ENG' });
  await linkGoogle(server, google);
  await linkAccount(server, { provider: 'linear', source: 'linear' }, (url) => linear.approve(url, { user: 'Ada' }));
});
afterAll(async () => {
  await close();
  await linear.close();
});

const change = (issue: string, input: object) => ({
  source: 'linear',
  action_name: 'update_issue',
  input: { issue, ...input },
});
function seedIssueKey(title: string): string {
  return `ENG-${linear.seedIssue('ENG', { title, creator: 'Ada' }).number}`;
}
const stale = { status: 'stale', error: expect.stringContaining('target changed after this was drafted') };

test('a file that changed meanwhile is not overwritten', async () => {
  const issue = seedIssueKey('As it was');
  const id = await createActionDraft(server, change(issue, { title: 'As an agent wants it' }));
  linear.touchIssue(issue, { title: 'As somebody made it' });
  const answer = await server.ok('confirm_action', { draft_id: id });
  expect(answer).toMatchObject({ status: 'failed', error: expect.stringContaining('nothing was sent') });
  const action = await waitForOutcome(server, id);
  expect(action).toMatchObject({ ...stale, ledger_is_whole: true });
  expect(linear.issues('ENG').map(({ title }) => title)).toContain('As somebody made it');
  expect((await server.call('confirm_action', { draft_id: id })).status).toBe(409);
});

test('a change of another item, and an earlier draft on the same item, leave the draft valid', async () => {
  const issue = seedIssueKey('Twice changed');
  const first = await createActionDraft(server, change(issue, { priority: 'high' }));
  const second = await createActionDraft(server, change(issue, { title: 'Changed twice' }));
  await act(server, { source: 'linear', action_name: 'create_comment', input: { issue, body: 'Meanwhile.' } });
  const { results } = await server.ok('confirm_actions', { draft_ids: [first, second] });
  expect((results as { status: string }[]).map(({ status }) => status)).toEqual(['confirmed', 'confirmed']);
});

test('drafting again makes a new draft about the present target, and the earlier one stale; an edit’s additions do not count', async () => {
  const issue = seedIssueKey('Again');
  const request = change(issue, { title: 'Wanted' });
  const id = await createActionDraft(server, request);
  linear.touchIssue(issue, { title: 'Moved', priority: 1 });
  const again = await createActionDraft(server, request);
  expect(again).not.toBe(id);
  expect(await server.call('confirm_action', { draft_id: id })).toMatchObject({ status: 409 });
  expect(await server.ok('get_action', { draft_id: id })).toMatchObject({ status: 'stale', ledger_is_whole: true });
  expect(await createActionDraft(server, request), 'nothing moved since').toBe(again);
  expect(await server.ok('confirm_action', { draft_id: again, edits: { priority: 'low' } })).toMatchObject({
    status: 'confirmed',
  });
});

test('a reply to a thread with newer messages is not sent', async () => {
  const mail = google.seedMail(email, { from: 'noah@example.com', subject: 'Friday?', text: 'Lunch?' });
  const input = { to: ['noah@example.com'], subject: 'Re: Friday?', body: 'Yes.', thread_id: mail.threadId };
  const request = { source: 'gmail', action_name: 'send_email', input };
  const id = await createActionDraft(server, request);
  google.seedMail(email, {
    from: 'noah@example.com',
    subject: 'Re: Friday?',
    text: 'Cancelled.',
    threadId: mail.threadId,
  });
  await server.ok('confirm_action', { draft_id: id });
  expect(await waitForOutcome(server, id)).toMatchObject(stale);
  expect(google.ledger.sent()).toEqual([]);
  expect(await act(server, request)).toMatchObject({ status: 'confirmed' });
});

test('a provider without an answer about the target does not delay drafting', async () => {
  const issue = seedIssueKey('Unread');
  linear.failures.next({ path: '/graphql' }, { kind: 'status', status: 500 }, 4);
  const id = await createActionDraft(server, change(issue, { title: 'All the same' }));
  linear.failures.clear();
  expect(await server.ok('confirm_action', { draft_id: id })).toMatchObject({ status: 'confirmed' });
});
