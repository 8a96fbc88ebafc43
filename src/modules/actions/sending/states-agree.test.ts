import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { GoogleEmulator } from '#emulators/google/index';
import { waitForOutcome } from '../../../../tests/support/acting.ts';
import { linkGoogle, startServerWithGoogle } from '../../../../tests/support/google.ts';
import { openAsOwner, type OwnerDatabase } from '../../../../tests/support/owner-database.ts';
import { quickTimes } from '../../../../tests/support/quick-times.ts';
import type { TestServer } from '../../../../tests/support/server.ts';
import { passTimeAndWait } from '../../../../tests/support/time-passes.ts';
import { draftStates, isFinalState, type DraftState } from '../draft-states.ts';

let server: TestServer;
let google: GoogleEmulator;
let close: () => Promise<void>;
let installId: string;
let database: OwnerDatabase;
beforeAll(async () => {
  ({ server, google, close } = await startServerWithGoogle(quickTimes));
  google.addAccount({ email: 'ada@example.com', name: 'Ada' });
  installId = (await linkGoogle(server, google)).connectionId;
  database = await openAsOwner(server.connectionString);
});
afterAll(async () => {
  await database.close();
  await close();
});
afterEach(() => google.failures.clear());

const sending = { method: 'POST', path: /drafts\/send/ };

async function createDraft(subject: string): Promise<string> {
  const input = { to: ['noah@example.com'], subject, body: 'Hello.' };
  const asked = { install_id: installId, action_name: 'send_email', input };
  return String((await server.ok('act_on_integration', asked))['draft_id']);
}
const confirm = (id: string) => server.ok('confirm_action', { draft_id: id });

test('an ambiguous draft that turns out to be sent has no error any more', async () => {
  const id = await createDraft('In doubt');
  google.failures.next(sending, { kind: 'cut', when: 'after' });
  google.failures.next({ method: 'GET', path: /^\/gmail.*\/drafts/ }, { kind: 'status', status: 400 }, 1_000);
  expect(await confirm(id)).toMatchObject({ status: 'ambiguous', error: expect.any(String) });
  google.failures.clear();
  await passTimeAndWait(server.connectionString, 60);
  expect(await waitForOutcome(server, id)).toMatchObject({ status: 'confirmed', error: null, nothing_was_sent: false });
  expect(await confirm(id)).toEqual(expect.not.objectContaining({ error: expect.anything() }));
});

test('a draft that the provider never received is failed, and not ambiguous', async () => {
  const id = await createDraft('Cut off');
  google.failures.next(sending, { kind: 'cut', when: 'before' });
  expect(await confirm(id)).toMatchObject({ status: 'ambiguous' });
  await passTimeAndWait(server.connectionString, 60);
  expect(await waitForOutcome(server, id)).toMatchObject({ status: 'failed', result: null, nothing_was_sent: true });
  expect(google.ledger.sent().filter(({ subject }) => subject === 'Cut off')).toEqual([]);
});

test('a repeated confirmation during the sending answers that the draft is being sent', async () => {
  const id = await createDraft('Slow');
  const pausedSend = google.failures.pause({ method: 'POST', path: /\/drafts$/ });
  const first = confirm(id);
  await pausedSend.reached;
  // The sender has died: no process reconciles the draft until the lease has expired.
  await database.rows('update drafts set lease_token = lease_token + 1 where id = $1', [id]);
  pausedSend.release();
  expect(await first).toMatchObject({ status: 'confirming', error: expect.stringContaining('still being sent') });
  expect(await server.ok('get_action', { draft_id: id })).toMatchObject({ status: 'confirming', error: null });
});

/** The values that a draft of each state cannot have. */
const contradictions = draftStates.flatMap((state) => [
  ...(['failed', 'stale', 'ambiguous'].includes(state)
    ? [{ state, with: 'no error', change: 'error = null' }]
    : [{ state, with: 'an error', change: `error = '{"message": "Refused."}'` }]),
  ...(['confirmed', 'undone'].includes(state)
    ? [{ state, with: 'no result', change: 'result = null' }]
    : [{ state, with: 'a result', change: `result = '{}'` }]),
  ...(isFinalState(state)
    ? [
        { state, with: 'no end', change: 'settled_at = null' },
        { state, with: 'a lease', change: 'lease_until = now()' },
        { state, with: 'a time to ask', change: 'ask_at = now()' },
      ]
    : [{ state, with: 'an end', change: 'settled_at = now()' }]),
  ...(['pending', 'discarded', 'expired', 'stale'].includes(state)
    ? [{ state, with: 'a beginning of sending', change: 'send_started_at = now()' }]
    : []),
  ...(['pending', 'expired'].includes(state)
    ? [{ state, with: 'a decision', change: 'decided_at = now()' }]
    : state === 'stale'
      ? []
      : [{ state, with: 'no decision', change: 'decided_at = null' }]),
]);

/** The values of a draft in a state. */
function buildStateValues(state: DraftState): string {
  const isOver = isFinalState(state);
  const isDecided = !['pending', 'expired'].includes(state);
  return `status = '${state}', lease_until = null, ask_at = null,
    decided_at = ${isDecided ? 'now()' : 'null'}, settled_at = ${isOver ? 'now()' : 'null'},
    send_started_at = ${['pending', 'discarded', 'expired', 'stale'].includes(state) ? 'null' : 'now()'},
    error = ${['failed', 'stale', 'ambiguous'].includes(state) ? `'{"message": "Refused."}'` : 'null'},
    result = ${['confirmed', 'undone'].includes(state) ? `'{}'` : 'null'}`;
}

test('the database stores no draft with values that contradict its state', async () => {
  const id = await createDraft('Stored');
  for (const { state, with: what, change } of contradictions) {
    await database.rows(`update drafts set ${buildStateValues(state)} where id = $1`, [id]);
    const storing = database.rows(`update drafts set ${change} where id = $1`, [id]);
    await expect(storing, `${state} with ${what}`).rejects.toThrow(/violates check constraint ".*_agrees"/);
  }
});
