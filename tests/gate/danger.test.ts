// What needs a second look is marked by the server, so that every face shows it.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { GoogleEmulator } from '#emulators/google/index';
import { act, createActionDraft, allowKeysToDestroy } from '../support/acting.ts';
import { linkGoogle, startServerWithGoogle } from '../support/google.ts';
import { quickTimes } from '../support/quick-times.ts';
import type { TestServer } from '../support/server.ts';

const ada = 'ada@example.com';

let server: TestServer;
let google: GoogleEmulator;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ server, google, close } = await startServerWithGoogle(quickTimes));
  google.addAccount({ email: ada, name: 'Ada' });
  await linkGoogle(server, google, { sources: ['gmail', 'calendar'] });
});
afterAll(() => close());
beforeEach(() => allowKeysToDestroy(server));

const buildMailRequest = (to: string[], subject: string) => ({
  source: 'gmail',
  action_name: 'send_email',
  input: { to, subject, body: 'Hello.' },
});

async function readDanger(draft_id: string): Promise<unknown> {
  return (await server.ok('get_action', { draft_id }))['danger'];
}

test('a mail to somebody outside is marked until the first one was sent, and a colleague is never new', async () => {
  const outside = ['Grace <grace@example.net>', 'ben@example.com'];
  const first = await createActionDraft(server, buildMailRequest(outside, 'First'));
  expect(await readDanger(first)).toEqual([
    { kind: 'new_recipients', says: 'First time to grace@example.net.', people: 1 },
  ]);
  expect(await readDanger(await createActionDraft(server, buildMailRequest(['ben@example.com'], 'Inside')))).toEqual(
    [],
  );
  await act(server, buildMailRequest(outside, 'Sent'));
  expect(await readDanger(await createActionDraft(server, buildMailRequest(outside, 'Second')))).toEqual([]);
});

test('an edit that adds somebody outside marks the draft', async () => {
  const draft_id = await createActionDraft(server, buildMailRequest(['ben@example.com'], 'Edited'));
  await server.ok('edit_action', { draft_id, edits: { to: ['ben@example.com', 'eve@example.org'] } });
  expect(await readDanger(draft_id)).toMatchObject([{ kind: 'new_recipients', people: 1 }]);
});

test('a deletion is marked in lists, with how many people it reaches', async () => {
  const attendees = [{ email: 'grace@example.net' }, { email: 'ben@example.com' }, { email: ada }];
  const times = { start: '2027-06-01T10:00:00Z', end: '2027-06-01T11:00:00Z' };
  const { id: event_id } = google.seedEvent(ada, { summary: 'Off', ...times, attendees });
  const id = await createActionDraft(server, { source: 'calendar', action_name: 'delete_event', input: { event_id } });
  const { drafts } = await server.ok('list_pending_actions', {});
  const row = (drafts as { draft_id: string; danger: unknown }[]).find(({ draft_id }) => draft_id === id);
  expect(row?.danger).toMatchObject([{ kind: 'deletes', says: 'It deletes something.', people: 2 }]);
});
