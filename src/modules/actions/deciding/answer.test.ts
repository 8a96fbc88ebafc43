import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { GoogleEmulator } from '#emulators/google/index';
import { linkGoogle, signIn, startServerWithGoogle, type Browser } from '../../../../tests/support/google.ts';
import { openAsOwner } from '../../../../tests/support/owner-database.ts';
import type { TestServer } from '../../../../tests/support/server.ts';
import { passTimeAndWait } from '../../../../tests/support/time-passes.ts';

let server: TestServer;
let google: GoogleEmulator;
let close: () => Promise<void>;
let installId: string;
let person: Browser;

beforeAll(async () => {
  ({ server, google, close } = await startServerWithGoogle({
    // Longer than any test takes: the test itself moves the clock past the time in which a request may still arrive.
    THALAMUS_SEND_TIMEOUT_SECONDS: '1.5',
    THALAMUS_SETTLE_AFTER_SECONDS: '20',
  }));
  google.addAccount({ email: 'ada@example.com', name: 'Ada' });
  installId = (await linkGoogle(server, google)).connectionId;
  person = await signIn(server);
  const database = await openAsOwner(server.connectionString);
  await database.rows('update sessions set is_human_surface = true'); // like a person who signed in by mail
  await database.close();
});
afterAll(() => close());
beforeEach(() => {
  google.failures.clear();
  google.ledger.clear();
});

const ada = 'ada@example.com';
let number = 0;
/** A mail whose connection broke during sending, at a provider that then refuses to tell the outcome. */
async function createLostMail(when: 'before' | 'after', more: object = {}): Promise<string> {
  number += 1;
  const input = { to: ['noah@example.com'], subject: `Lost ${number}`, body: 'Hello.' };
  const asked = { install_id: installId, action_name: 'send_email', input, ...more };
  const { draft_id } = await server.ok('act_on_integration', asked);
  google.failures.next({ method: 'POST', path: /drafts\/send/ }, { kind: 'cut', when });
  google.failures.next({ method: 'GET', path: /^\/gmail.*\/drafts/ }, { kind: 'status', status: 400 }, 1_000);
  expect(await server.ok('confirm_action', { draft_id })).toMatchObject({ status: 'ambiguous' });
  return String(draft_id);
}
const call = (draft_id: string, answer: string) => person.ok('answer_action', { draft_id, answer });
/** Returns once the request can no longer arrive. */
async function answer(draftId: string, said: string): Promise<Record<string, unknown>> {
  await passTimeAndWait(server.connectionString, 60);
  return call(draftId, said);
}
const countSent = () => google.ledger.sent().length;

test('a person confirms that the action happened: the draft is done, and the ledger names them', async () => {
  const id = await createLostMail('after');
  expect(await answer(id, 'it_happened')).toMatchObject({ status: 'confirmed', again: null });
  const action = await server.ok('get_action', { draft_id: id });
  expect(action).toMatchObject({ status: 'confirmed', ledger_is_whole: true });
  expect(action['ledger']).toContainEqual(
    expect.objectContaining({ step: 'answered', detail: expect.objectContaining({ answer: 'it_happened' }) }),
  );
  expect(countSent()).toBe(1);
});

test('a person states that the action did not happen: the draft fails, and what was prepared at the provider is removed', async () => {
  const id = await createLostMail('before');
  expect(await answer(id, 'it_did_not')).toMatchObject({ status: 'failed' });
  await expect.poll(() => google.ledger.count({ method: 'DELETE', path: /\/drafts\// })).toBe(1);
  expect(countSent()).toBe(0);
});

test('sending again makes a new draft that waits for approval, linked to the ambiguous one', async () => {
  const id = await createLostMail('before');
  const { again } = await answer(id, 'send_again');
  const { draft_id } = again as { draft_id: string };
  const next = await server.ok('get_action', { draft_id });
  expect(next).toMatchObject({ status: 'pending', follows_id: id, account: 'ada@example.com' });
  expect(await server.ok('get_action', { draft_id: id })).toMatchObject({ status: 'failed', can_redraft: false });
  expect(countSent()).toBe(0);
  google.failures.clear();
  expect(await server.ok('confirm_action', { draft_id })).toMatchObject({ status: 'confirmed' });
  expect(countSent()).toBe(1);
});

test('a draft that was sent again stays ambiguous, and one whose request was never sent counts as not sent', async () => {
  const id = await createLostMail('before');
  await answer(id, 'send_again');
  const unknown = await server.ok('get_action', { draft_id: id });
  expect(unknown).toMatchObject({
    status: 'failed',
    nothing_was_sent: false,
    error: expect.stringContaining('not known whether it happened'),
  });
  // The session is notified of the draft that replaces it.
  expect((await server.ok('list_inbox_prompts'))['text']).not.toContain(`action ${id}`);

  google.failures.clear();
  google.failures.next({ method: 'POST', path: /drafts\/send/ }, { kind: 'status', status: 403 });
  const input = { to: ['noah@example.com'], subject: 'Refused', body: 'Hello.' };
  const asked = { install_id: installId, action_name: 'send_email', input };
  const { draft_id: refused } = await server.ok('act_on_integration', asked);
  expect(await server.ok('confirm_action', { draft_id: refused })).toMatchObject({ status: 'failed' });
  expect(await server.ok('get_action', { draft_id: refused })).toMatchObject({ nothing_was_sent: true });
  const { text: next } = await server.ok('list_inbox_prompts');
  expect(String(next)).toMatch(new RegExp(`Nothing was sent: .*${String(refused)} <`));
});

test('a draft that is sent again keeps the files of the first one', async () => {
  const attachments = [{ filename: 'bearing.txt', content_base64: Buffer.from('Oil.').toString('base64') }];
  const { again } = await answer(await createLostMail('before', { attachments }), 'send_again');
  google.failures.clear();
  const { draft_id } = again as { draft_id: string };
  expect(await server.ok('confirm_action', { draft_id })).toMatchObject({ status: 'confirmed' });
  expect(google.ledger.sent()).toMatchObject([{ attachments: [{ filename: 'bearing.txt', size: 4 }] }]);
});

test('a draft that is sent again is checked against its target again: a reply to a changed thread is not sent', async () => {
  const { threadId } = google.seedMail(ada, { from: 'noah@example.com', subject: 'Friday?', text: 'Lunch?' });
  const input = { to: ['noah@example.com'], subject: 'Re: Friday?', body: 'Yes.', thread_id: threadId };
  const { again } = await answer(await createLostMail('before', { input }), 'send_again');
  google.failures.clear();
  google.seedMail(ada, { from: 'noah@example.com', subject: 'Re: Friday?', text: 'Cancelled.', threadId });
  const { draft_id } = again as { draft_id: string };
  await server.ok('confirm_action', { draft_id });
  expect(await server.ok('get_action', { draft_id })).toMatchObject({ status: 'stale' });
  expect(countSent()).toBe(0);
});

test('two people answer at once: one answer counts, and the other person learns the outcome', async () => {
  const id = await createLostMail('after');
  await expect(call(id, 'it_did_not')).rejects.toThrow(/may still arrive/);
  await passTimeAndWait(server.connectionString, 60);
  const both = await Promise.allSettled([call(id, 'it_happened'), call(id, 'it_did_not')]);
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
});

test('no key may answer, and nobody may answer for a known outcome', async () => {
  const id = await createLostMail('after');
  const byKey = await server.call('answer_action', { draft_id: id, answer: 'it_happened' });
  expect(byKey).toMatchObject({ status: 409, body: { code: 'approval_required' } });
  expect(byKey.body['detail']).toContain('ask the person to check and to answer: http');
  google.failures.clear();
  await passTimeAndWait(server.connectionString, 60);
  expect(await server.ok('get_action', { draft_id: id })).toMatchObject({ status: 'confirmed' });
  await expect(call(id, 'it_did_not')).rejects.toThrow(/is known: it is confirmed/);
});
