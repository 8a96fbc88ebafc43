import { afterAll, beforeAll, expect, test } from 'vitest';
import type { GoogleEmulator } from '#emulators/google/index';
import { waitForOutcome } from '../../../../tests/support/acting.ts';
import { linkGoogle, startServerWithGoogle } from '../../../../tests/support/google.ts';
import { openAsOwner } from '../../../../tests/support/owner-database.ts';
import { quickTimes } from '../../../../tests/support/quick-times.ts';
import type { TestServer } from '../../../../tests/support/server.ts';
import { endLeases } from '../../../../tests/support/time-passes.ts';

const ada = 'ada@example.com';

let server: TestServer;
let google: GoogleEmulator;
let close: () => Promise<void>;
let installId: string;
beforeAll(async () => {
  ({ server, google, close } = await startServerWithGoogle(quickTimes));
  google.addAccount({ email: ada, name: 'Ada' });
  installId = (await linkGoogle(server, google)).connectionId;
});
afterAll(() => close());

/**
 * Drafts and confirms a mail, lets another process take it over during sending, and gives `then` as the answer to the
 * sender.
 */
async function createTakenOverDraft(subject: string, then: () => Promise<void>): Promise<string> {
  const input = { to: ['noah@example.com'], subject, body: 'Hello.' };
  const { draft_id: id } = await server.ok('act_on_integration', {
    install_id: installId,
    action_name: 'send_email',
    input,
  });
  const sending = google.failures.pause({ method: 'POST', path: /drafts\/send/ });
  const confirming = server.call('confirm_action', { draft_id: id });
  await sending.reached;
  const database = await openAsOwner(server.connectionString);
  await database.rows('update drafts set lease_token = lease_token + 1 where id = $1', [id]);
  await database.close();
  await then();
  sending.release();
  await confirming; // its output was complete by then
  return String(id);
}

/** The account's unsent mail is deleted at the provider. */
async function throwAway(): Promise<void> {
  const { accessToken } = google.issueTokens(ada, ['https://www.googleapis.com/auth/gmail.compose']);
  const headers = { authorization: `Bearer ${accessToken}` };
  const url = `${google.url}/gmail/v1/users/me/drafts`;
  const { drafts } = (await (await fetch(url, { headers })).json()) as { drafts: { id: string }[] };
  for (const { id } of drafts) await fetch(`${url}/${id}`, { method: 'DELETE', headers });
}

test('a process that lost its lease while it sent, and was refused, does not end the draft', async () => {
  const id = await createTakenOverDraft('Refused', throwAway);
  const { status, error, ledger } = await server.ok('get_action', { draft_id: id });
  expect({ status, error }).toEqual({ status: 'confirming', error: null });
  expect((ledger as { step: string }[]).map(({ step }) => step)).toEqual(['drafted', 'decided', 'sending']);
  await endLeases(server.connectionString);
  // Gmail has it neither sent nor unsent: the process that took it over reports an unknown outcome.
  await expect.poll(async () => (await server.ok('get_action', { draft_id: id }))['status']).toBe('ambiguous');
});

test('a process that lost its lease while it sent, and succeeded, ends the draft as done', async () => {
  const id = await createTakenOverDraft('Went', async () => {});
  expect(await waitForOutcome(server, id)).toMatchObject({ status: 'confirmed', ledger_is_whole: true });
  expect(google.ledger.sent()).toHaveLength(1);
});
