import { afterEach, beforeAll, expect, test } from 'vitest';
import { startLinearEmulator } from '#emulators/linear/index';
import { act, createActionDraft, readRefusal, waitForOutcome } from '../../support/acting.ts';
import { linkAccount } from '../../support/linking.ts';
import { startTestServer } from '../../support/server.ts';
import { quickTimes } from '../../support/quick-times.ts';
import { share } from '../../support/share.ts';

let connectionId: string;
const linear = share(() => startLinearEmulator());
const server = share(() =>
  startTestServer({
    THALAMUS_LINEAR_BASE_URL: linear.url,
    THALAMUS_LINEAR_CLIENT_ID: linear.client.id,
    THALAMUS_LINEAR_CLIENT_SECRET: linear.client.secret,
    ...quickTimes,
  }),
);
beforeAll(async () => {
  linear.addUser({ name: 'Ada' });
  linear.addTeam({ key: 'ENG' });
  connectionId = await linkAccount(server, { provider: 'linear', source: 'linear' }, (url) =>
    linear.approve(url, { user: 'Ada' }),
  );
});
afterEach(() => linear.failures.clear());

const create = (title: string) => ({
  source: 'linear',
  action_name: 'create_issue',
  input: { team: 'eng', title, description: 'On the third wheel.', priority: 'high' },
});
const listIssuesTitled = (title: string) => linear.issues('ENG').filter((issue) => issue.title === title);

test('an issue is drafted, edited, confirmed, and created once', async () => {
  const action = await act(server, create('Gears slip'), { title: 'Gears slip badly' });
  expect(action).toMatchObject({
    status: 'confirmed',
    ledger_is_whole: true,
    preview: { title: 'Issue in eng: Gears slip badly' },
    result: { identifier: expect.stringMatching(/^ENG-\d+$/), issue_id: expect.any(String) },
  });
  expect(action.ledger.map(({ step }) => step)).toEqual(['drafted', 'edited', 'decided', 'sending', 'confirmed']);
  expect(listIssuesTitled('Gears slip badly')).toMatchObject([{ description: 'On the third wheel.', priority: 2 }]);
});

test('an issue is changed and commented on, and the comment is changed', async () => {
  const { result } = await act(server, create('Bearing'));
  const { identifier } = result as { identifier: string };
  const of = (action_name: string, input: object) => ({ source: 'linear', action_name, input: { ...input } });
  const changed = await act(server, of('update_issue', { issue: identifier, state: 'Done', priority: 'urgent' }));
  expect(changed).toMatchObject({ status: 'confirmed', result: { identifier } });
  expect(listIssuesTitled('Bearing')).toMatchObject([{ priority: 1, completedAt: expect.any(String) }]);
  const commented = await act(server, of('create_comment', { issue: identifier, body: 'Oiled.' }));
  expect(commented).toMatchObject({ status: 'confirmed', result: { comment_id: expect.any(String) } });
  const { comment_id } = commented['result'] as { comment_id: string };
  expect(await act(server, of('update_comment', { comment_id, body: 'Oiled twice.' }))).toMatchObject({
    status: 'confirmed',
  });
  expect(linear.comments(identifier).map((each) => each.body)).toEqual(['Oiled twice.']);
});

test.each([
  { name: 'cut after it was taken', failure: { kind: 'cut', when: 'after' } as const },
  { name: 'answered 500 after it was taken', failure: { kind: 'status', status: 500, when: 'after' } as const },
])('an issue whose creation was $name is found and not created again', async ({ name, failure }) => {
  const id = await createActionDraft(server, create(name));
  linear.failures.next({ path: '/graphql', body: /mutation/ }, failure);
  await server.ok('confirm_action', { draft_id: id });
  expect(await waitForOutcome(server, id)).toMatchObject({
    status: 'confirmed',
    result: { issue_id: expect.any(String) },
  });
  expect(listIssuesTitled(name)).toHaveLength(1);
});

test('an issue whose creation was cut off before its acceptance fails', async () => {
  const id = await createActionDraft(server, create('Lost'));
  linear.failures.next({ path: '/graphql', body: /mutation/ }, { kind: 'cut', when: 'before' });
  await server.ok('confirm_action', { draft_id: id });
  expect(await waitForOutcome(server, id)).toMatchObject({ status: 'failed' });
  expect(listIssuesTitled('Lost')).toEqual([]);
});

test('a missing team or issue is reported, and nothing is sent', async () => {
  const nowhere = await readRefusal(server, { ...create('Nowhere'), input: { team: 'OPS', title: 'Nowhere' } });
  expect(nowhere).toContain('There is no team OPS');
  const input = { issue: 'ENG-999', body: 'Hello?' };
  const unknown = await readRefusal(server, { source: 'linear', action_name: 'create_comment', input });
  expect(unknown).toContain('There is no issue ENG-999');
});

test('an action name of several sources means that of the account, and an unknown name is reported', async () => {
  const { input } = create('By its account');
  const request = { install_id: connectionId, action_name: 'create_issue', input };
  const { draft_id } = await server.ok('act_on_integration', request);
  expect(await server.ok('get_action', { draft_id })).toMatchObject({ source: 'linear', action: 'create_issue' });
  const { status, body } = await server.call('act_on_integration', { ...request, action_name: 'send_email' });
  expect(status).toBe(422);
  expect(body['detail']).toContain('there is no action send_email here. Known: create_issue (linear), update_issue');
});

test('a change that names nothing to change is refused before it is drafted', async () => {
  const request = { source: 'linear', action_name: 'update_issue', input: { issue: 'ENG-1' } };
  const { status, body } = await server.call('act_on_integration', request);
  expect({ status, detail: body['detail'] }).toMatchObject({
    status: 422,
    detail: expect.stringContaining('needs one of title'),
  });
});

test('an error of the provider during the look-up is reported as such, and nothing is sent', async () => {
  const id = await createActionDraft(server, create('In trouble'));
  linear.failures.next({ path: '/graphql', body: /teams\(filter/ }, { kind: 'status', status: 500 }, 20);
  const answer = await server.ok('confirm_action', { draft_id: id });
  expect(answer).toMatchObject({ status: 'failed', error: expect.stringContaining('500') });
  expect(listIssuesTitled('In trouble')).toEqual([]);
});
