import { afterAll, beforeAll, expect, test } from 'vitest';
import { createActionDraft, waitForOutcome } from '../../../../tests/support/acting.ts';
import { linkGoogle, startServerWithGoogle } from '../../../../tests/support/google.ts';
import type { GoogleEmulator } from '#emulators/google/index';
import { openAsOwner } from '../../../../tests/support/owner-database.ts';
import type { TestServer } from '../../../../tests/support/server.ts';

let server: TestServer;
let google: GoogleEmulator;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ server, google, close } = await startServerWithGoogle());
  google.addAccount({ email: 'ada@example.com', name: 'Ada' });
  await linkGoogle(server, google);
});
afterAll(() => close());

const buildMail = (subject: string) => ({
  source: 'gmail',
  action_name: 'send_email',
  input: { to: ['noah@example.com'], subject, body: 'Hello.' },
});

async function createFailedDraft(subject: string): Promise<string> {
  const id = await createActionDraft(server, buildMail(subject));
  google.failures.next({ path: /drafts$/ }, { kind: 'status', status: 400 });
  await server.ok('confirm_action', { draft_id: id });
  expect(await waitForOutcome(server, id)).toMatchObject({ status: 'failed', can_redraft: true });
  return id;
}

test('a failed draft is drafted again once, linked to the first, and sent once', async () => {
  const id = await createFailedDraft('Again');
  const { draft_id } = await server.ok('act_on_integration', { ...buildMail('Again'), follows_id: id });
  expect(await server.ok('get_action', { draft_id })).toMatchObject({ follows_id: id, can_redraft: false });
  expect(await server.ok('get_action', { draft_id: id })).toMatchObject({ can_redraft: false });
  await server.ok('confirm_action', { draft_id });
  const twice = await server.call('act_on_integration', { ...buildMail('Again'), follows_id: id });
  expect(twice).toMatchObject({
    status: 409,
    body: { detail: expect.stringContaining(`drafted again as ${draft_id}`) },
  });
  expect(google.ledger.sent().filter(({ subject }) => subject === 'Again')).toHaveLength(1);
});

test('an expired draft is drafted again at once, also before it is marked as expired', async () => {
  const id = await createActionDraft(server, buildMail('Overdue'));
  const database = await openAsOwner(server.connectionString);
  await database.rows(`update drafts set expires_at = now() - interval '1 second' where id = $1`, [id]);
  await database.close();
  expect(await server.ok('get_action', { draft_id: id })).toMatchObject({ status: 'expired', can_redraft: true });
  const { draft_id } = await server.ok('act_on_integration', { ...buildMail('Overdue'), follows_id: id });
  expect(draft_id).not.toBe(id);
  expect(await server.ok('get_action', { draft_id })).toMatchObject({ status: 'pending', follows_id: id });
});

test('a pending, sent or declined draft is not drafted again', async () => {
  const waiting = await createActionDraft(server, buildMail('Waiting'));
  const sent = await createActionDraft(server, buildMail('Sent'));
  await server.ok('confirm_action', { draft_id: sent });
  const declined = await createActionDraft(server, buildMail('Declined'));
  await server.ok('discard_action', { draft_id: declined });
  for (const id of [waiting, sent, declined]) {
    expect(await server.ok('get_action', { draft_id: id })).toMatchObject({ can_redraft: false });
    const answer = await server.call('act_on_integration', { ...buildMail('Once more'), follows_id: id });
    expect(answer).toMatchObject({ status: 409, body: { code: 'conflict' } });
  }
});
