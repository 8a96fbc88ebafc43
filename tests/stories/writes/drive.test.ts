import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Account } from '#emulators/google/accounts';
import { act, createActionDraft, allowKeysToDestroy, readRefusal, waitForOutcome } from '../../support/acting.ts';
import { linkGoogle } from '../../support/google.ts';
import { quickTimes } from '../../support/quick-times.ts';
import { shareServerWithGoogle } from '../../support/share.ts';

const [ada, grace] = ['ada@example.com', 'grace@example.net'];

let account: Account;
const { server, google } = shareServerWithGoogle(quickTimes);
beforeAll(async () => {
  account = google.addAccount({ email: ada, name: 'Ada' });
  await linkGoogle(server, google, { sources: ['drive'] });
});
beforeEach(() => allowKeysToDestroy(server));
afterEach(() => google.failures.clear());

const buildRequest = (action_name: string, input: Record<string, unknown>) => ({ source: 'drive', action_name, input });
const createDriveFile = async (name: string): Promise<string> => {
  const { result } = await act(server, buildRequest('create_file', { name, content: 'First.' }));
  return String((result as { file_id: string }).file_id);
};
const getDriveFile = (id: string) => {
  const { name, content, mimeType, permissions } = account.drive.files.get(id)!;
  const shared = permissions.flatMap(({ emailAddress, role }) => (role === 'owner' ? [] : [`${emailAddress} ${role}`]));
  return { name, mimeType, text: Buffer.from(content).toString('utf8'), shared };
};

test('a file that was made here gets a new name and text', async () => {
  const file_id = await createDriveFile('gears.txt');
  const action = await act(server, buildRequest('update_file', { file_id, content: 'Second: größer.' }), {
    name: 'bearing.txt',
  });
  expect(action).toMatchObject({
    status: 'confirmed',
    ledger_is_whole: true,
    preview: { fields: [{ text: `gears.txt (${file_id})` }, { text: 'bearing.txt' }, { text: 'Second: größer.' }] },
    result: { file_id, link: expect.any(String) },
  });
  expect(action.ledger.map(({ step }) => step)).toEqual(['drafted', 'edited', 'decided', 'sending', 'confirmed']);
  expect(getDriveFile(file_id)).toMatchObject({ name: 'bearing.txt', mimeType: 'text/plain', text: 'Second: größer.' });
  expect(await act(server, buildRequest('update_file', { file_id, name: 'axle.txt' }))).toMatchObject({
    status: 'confirmed',
  });
  expect(getDriveFile(file_id)).toMatchObject({ name: 'axle.txt', text: 'Second: größer.' });
});

test('a file is shared with one person, with a notification or without', async () => {
  const file_id = await createDriveFile('shared.txt');
  const action = await act(server, buildRequest('share_file', { file_id, email: 'Grace@example.net', role: 'reader' }));
  expect(action).toMatchObject({
    status: 'confirmed',
    preview: {
      title: 'Share a file with grace@example.net',
      fields: [
        { label: 'File', text: `shared.txt (${file_id})` },
        { label: 'With', text: grace },
        { label: 'May', text: 'Read it' },
        { label: 'Notified by mail', text: 'Yes' },
      ],
    },
    result: { file_id, permission_id: expect.any(String) },
  });
  expect(getDriveFile(file_id).shared).toEqual([`${grace} reader`]);
  expect(google.ledger.shares().filter(({ fileId }) => fileId === file_id)).toMatchObject([{ to: grace }]);
  const quietly = { file_id, email: 'noah@example.net', role: 'writer', notify: false };
  expect(await act(server, buildRequest('share_file', quietly))).toMatchObject({ status: 'confirmed' });
  expect(getDriveFile(file_id).shared).toEqual([`${grace} reader`, 'noah@example.net writer']);
  expect(google.ledger.shares().filter(({ fileId }) => fileId === file_id)).toHaveLength(1);
});

const calls = [
  {
    what: 'changing a file',
    action_name: 'update_file',
    more: { name: 'second.txt', content: 'Second.' },
    at: { method: 'PATCH', path: /\/files\// },
    after: { name: 'second.txt', text: 'Second.', shared: [] },
  },
  {
    what: 'sharing a file',
    action_name: 'share_file',
    more: { email: grace, role: 'commenter' },
    at: { method: 'POST', path: /\/permissions$/ },
    after: { text: 'First.', shared: [`${grace} commenter`] },
  },
];
const failures = [
  { how: 'cut after it was taken', failure: { kind: 'cut', when: 'after' } as const },
  { how: 'answered 500 after it was taken', failure: { kind: 'status', status: 500, when: 'after' } as const },
];
const cases = calls.flatMap((each) => failures.map((failing) => ({ ...each, ...failing })));

test.each(cases)('a $what that was $how is found', async ({ action_name, more, at, after, how, failure }) => {
  const file_id = await createDriveFile(how);
  const id = await createActionDraft(server, buildRequest(action_name, { file_id, ...more }));
  google.failures.next(at, failure);
  await server.ok('confirm_action', { draft_id: id });
  expect(await waitForOutcome(server, id)).toMatchObject({ status: 'confirmed', result: { file_id } });
  expect(getDriveFile(file_id)).toMatchObject(after);
});

test('a request that was cut before it arrived ends as failed, and nothing is changed', async () => {
  const lost: { id: string; file_id: string }[] = [];
  for (const { action_name, more, at } of calls) {
    const file_id = await createDriveFile('lost.txt');
    const id = await createActionDraft(server, buildRequest(action_name, { file_id, ...more }));
    google.failures.next(at, { kind: 'cut', when: 'before' });
    await server.ok('confirm_action', { draft_id: id });
    lost.push({ id, file_id });
  }
  for (const { id, file_id } of lost) {
    expect(await waitForOutcome(server, id)).toMatchObject({ status: 'failed' });
    expect(getDriveFile(file_id)).toMatchObject({ name: 'lost.txt', text: 'First.', shared: [] });
  }
});

test('a missing file, a file without text, or one from elsewhere is reported, and nothing is changed', async () => {
  for (const [action_name, more] of [
    ['update_file', { name: 'x' }],
    ['share_file', { email: grace, role: 'reader' }],
  ] as const) {
    const nowhere = await readRefusal(server, buildRequest(action_name, { file_id: 'nowhere', ...more }));
    expect(nowhere).toContain('There is no file nowhere');
  }
  const image = google.seedFile(ada, { name: 'gears.png', mimeType: 'image/png', content: 'png' }).id;
  const noText = await readRefusal(server, buildRequest('update_file', { file_id: image, content: 'x' }));
  expect(noText).toContain('is not a text file but image/png');
  const { id: foreign } = google.seedFile(ada, { name: 'theirs.txt', mimeType: 'text/plain', content: 'Theirs.' });
  const refused = await act(server, buildRequest('update_file', { file_id: foreign, content: 'Mine.' }));
  expect(refused).toMatchObject({ status: 'failed', error: expect.stringContaining('has not granted the app') });
  expect(getDriveFile(foreign).text).toBe('Theirs.');
});

test.each([
  ['nothing to change', 'update_file', { file_id: 'x' }, /needs one of name, content/],
  ['no address', 'share_file', { file_id: 'x', email: 'grace', role: 'reader' }, /email/],
  ['a role there is none of', 'share_file', { file_id: 'x', email: grace, role: 'owner' }, /role/],
])('the input with %s is refused before it is drafted', async (_, action_name, input, says) => {
  const { status, body } = await server.call('act_on_integration', buildRequest(action_name, input));
  expect(status).toBe(422);
  expect(body['detail']).toMatch(says);
});
