// An undo reverts exactly what the draft changed. Earlier state stays.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { buildOauthSettings } from '#emulators/settings';
import type { Account, GoogleEmulator } from '#emulators/google/index';
import { startMicrosoftEmulator, type MicrosoftEmulator } from '#emulators/microsoft/index';
import { startSlackEmulator, type SlackEmulator } from '#emulators/slack/index';
import { act, createActionDraft, allowKeysToDestroy, waitForOutcome, type FinishedAction } from '../support/acting.ts';
import { linkGoogle, startServerWithGoogle } from '../support/google.ts';
import { linkAccount } from '../support/linking.ts';
import type { TestServer } from '../support/server.ts';
import { quickTimes } from '../support/quick-times.ts';
import { passTimeAndWait } from '../support/time-passes.ts';

const ada = 'ada@example.com';
const grace = 'grace@example.net';
let server: TestServer;
let google: GoogleEmulator;
let account: Account;
let slack: SlackEmulator;
let microsoft: MicrosoftEmulator;
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
  slack.addChannel({ name: 'general', members: ['ada'] });
  microsoft.addAccount({ email: ada, name: 'Ada' });
  account = google.addAccount({ email: ada, name: 'Ada' });
  await linkGoogle(server, google, { email: ada, sources: ['gmail', 'drive'] });
  await linkAccount(server, { provider: 'slack', source: 'slack' }, (url) => slack.approve(url, { user: 'ada' }));
  await linkAccount(server, { provider: 'microsoft', source: 'outlook_mail' }, (url) =>
    microsoft.approve(url, { email: ada }),
  );
  await allowKeysToDestroy(server);
});
afterAll(async () => {
  await close();
  await slack.close();
  await microsoft.close();
});
afterEach(() => {
  for (const { failures } of [slack, microsoft, google]) failures.clear();
});

/** A thread whose first mail was dealt with before, and whose second was not. */
function seedMailThread(...labelIds: string[]): { id: string; labels: () => string[][] } {
  const [first, second] = google.seedThread(ada, [
    { from: grace, subject: 'Gears', text: 'One.', labelIds: [...labelIds] },
    { from: grace, subject: 'Gears', text: 'Two.' },
  ]);
  const labels = () => [first, second].map((mail) => [...(mail?.labelIds ?? [])].toSorted());
  return { id: String(first?.threadId), labels };
}
const onThread = (action_name: string, thread_id: string, more: object = {}) =>
  act(server, { source: 'gmail', action_name, input: { thread_id, ...more } });
const undo = ({ draft_id }: FinishedAction) => server.ok('undo_action', { draft_id });

test.for<[string, object]>([
  ['archive_thread', {}],
  ['mark_as_read', {}],
  ['trash_thread', {}],
  ['label_thread', { add: ['STARRED'], remove: ['INBOX'] }],
])('an undo of %s on a partly changed thread restores the exact former state', async ([name, more]) => {
  const { id, labels } = seedMailThread(...(name === 'trash_thread' ? ['TRASH'] : ['CATEGORY_UPDATES']));
  const before = labels();
  const action = await onThread(name, id, more);
  expect(action).toMatchObject({ status: 'confirmed', undo: { says: expect.any(String) } });
  expect(labels()).not.toEqual(before);
  await undo(action);
  expect(labels()).toEqual(before);
  expect(await undo(action)).toMatchObject({ status: 'undone' });
});

test.for<[string, object]>([
  ['archive_thread', {}],
  ['mark_as_read', {}],
  ['trash_thread', {}],
  ['label_thread', { add: ['STARRED'] }],
])('%s of an already changed thread changes nothing, and has no undo', async ([name, more]) => {
  const { id, labels } = seedMailThread();
  expect(await onThread(name, id, more)).toMatchObject({ status: 'confirmed' });
  const before = labels();
  const again = await onThread(name, id, more);
  expect(again).toMatchObject({ status: 'confirmed', undo: null });
  expect((await server.call('undo_action', { draft_id: again['draft_id'] })).status).toBe(409);
  expect(labels()).toEqual(before);
});

const createDriveFile = async (name: string): Promise<string> => {
  const { result } = await act(server, { source: 'drive', action_name: 'create_file', input: { name, content: 'x' } });
  return String((result as Record<string, unknown>)['file_id']);
};
const share = (file_id: string, role: string) => ({
  source: 'drive',
  action_name: 'share_file',
  input: { file_id, email: grace, role, notify: false },
});
const getPermissions = (id: string) => {
  const file = account.drive.files.get(id);
  if (!file) throw new Error(`there is no file ${id}`);
  return file.permissions;
};
const findRole = (id: string) => getPermissions(id).find(({ emailAddress }) => emailAddress === grace)?.role;

test('an undo restores another access to a file, keeps the same one, and removes a new one', async () => {
  const id = await createDriveFile('shared.txt');
  const first = await act(server, share(id, 'reader'));
  const more = await act(server, share(id, 'writer'));
  expect(await act(server, share(id, 'writer'))).toMatchObject({ status: 'confirmed', undo: null });
  expect(findRole(id)).toBe('writer');
  await undo(more);
  expect(findRole(id)).toBe('reader');
  await undo(first);
  expect(findRole(id)).toBeUndefined();
});

test('a mail that was already archived stays archived', async () => {
  const { immutableId: message_id } = microsoft.seedMessage(ada, { from: grace, subject: 'Kept', folder: 'archive' });
  const request = { source: 'outlook_mail', action_name: 'archive_email', input: { message_id } };
  expect(await act(server, request)).toMatchObject({ status: 'confirmed', undo: null });
});

test('access that was given to another address of the same person stays ambiguous', async () => {
  const id = await createDriveFile('alias.txt');
  google.failures.next({ method: 'POST', path: /\/permissions$/ }, { kind: 'hang', when: 'after' });
  const draftId = await createActionDraft(server, share(id, 'reader'));
  const confirmed = server.call('confirm_action', { draft_id: draftId });
  await expect.poll(() => findRole(id)).toBe('reader');
  for (const permission of getPermissions(id))
    if (permission.emailAddress === grace) permission.emailAddress = 'g.hopper@example.net';
  await confirmed;
  await passTimeAndWait(server.connectionString, 60);
  expect(await server.ok('get_action', { draft_id: draftId })).toMatchObject({ status: 'ambiguous' });
});

test('a message that another person changed later stays ambiguous; an unchanged one counts as not sent', async () => {
  const post = { source: 'slack', action_name: 'post_message', input: { channel: 'general', text: 'As it was' } };
  const ts = String(((await act(server, post))['result'] as Record<string, unknown>)['ts']);
  const request = (text: string) => ({
    source: 'slack',
    action_name: 'update_message',
    input: { channel: 'general', ts, text },
  });
  const message = () => slack.messages('general').find((each) => each.ts === ts);
  slack.failures.next({ path: '/api/chat.update' }, { kind: 'hang', when: 'after' });
  const first = await createActionDraft(server, request('As we want it'));
  const confirmed = server.call('confirm_action', { draft_id: first });
  await expect.poll(() => message()?.text).toBe('As we want it');
  slack.editMessage('general', ts, 'As somebody wants it');
  Object.assign(message() ?? {}, { metadata: undefined });
  await confirmed;
  slack.failures.next({ path: '/api/chat.update' }, { kind: 'cut', when: 'before' });
  const second = await createActionDraft(server, request('Once more'));
  await server.ok('confirm_action', { draft_id: second });
  expect(await waitForOutcome(server, second)).toMatchObject({ status: 'failed' });
  expect(await server.ok('get_action', { draft_id: first })).toMatchObject({ status: 'ambiguous' });
});
