import { afterEach, beforeAll, expect, test } from 'vitest';
import { startGitHubEmulator } from '#emulators/github/index';
import { act, createActionDraft, readRefusal, waitForOutcome } from '../../support/acting.ts';
import { linkAccount } from '../../support/linking.ts';
import { startTestServer } from '../../support/server.ts';
import { quickTimes } from '../../support/quick-times.ts';
import { share } from '../../support/share.ts';

const github = share(() => startGitHubEmulator());
const server = share(() =>
  startTestServer({
    THALAMUS_GITHUB_BASE_URL: github.url,
    THALAMUS_GITHUB_CLIENT_ID: github.client.id,
    THALAMUS_GITHUB_CLIENT_SECRET: github.client.secret,
    ...quickTimes,
  }),
);
beforeAll(async () => {
  github.addUser({ login: 'ada' });
  github.addUser({ login: 'grace' });
  github.addRepo({ owner: 'ada', name: 'engine', private: true, members: { grace: 'write' } });
  await linkAccount(server, { provider: 'github', source: 'github' }, (url) => github.approve(url, { login: 'ada' }));
});
afterEach(() => github.failures.clear());

const buildRequest = (action_name: string, input: object) => ({
  source: 'github',
  action_name,
  input: { owner: 'ada', repo: 'engine', ...input },
});
const create = (title: string) => buildRequest('create_issue', { title, body: 'On the *third* wheel.' });
const listIssuesTitled = (title: string) => github.issues('ada/engine').filter((issue) => issue.title === title);
const openIssue = (title: string) => github.seedIssue('ada/engine', { author: 'ada', title }).number;
const mark = /\n\n<!-- thalamus [0-9a-f-]{36} -->$/;
const cutAfter = { name: 'cut after it was taken', failure: { kind: 'cut', when: 'after' } as const };
const failedAfter = {
  name: 'answered 500 after it was taken',
  failure: { kind: 'status', status: 500, when: 'after' } as const,
};

test('an issue is drafted, edited, confirmed, and created once, with the mark that the preview mentions', async () => {
  const { input } = create('Gears slip');
  const full = buildRequest('create_issue', { ...input, labels: ['bug', 'urgent'], assignees: ['grace'] });
  const action = await act(server, full, { title: 'Gears slip badly' });
  expect(action).toMatchObject({
    status: 'confirmed',
    ledger_is_whole: true,
    result: { number: expect.any(Number), link: expect.stringContaining('/ada/engine/issues/') },
    preview: {
      title: 'Issue in ada/engine: Gears slip badly',
      fields: expect.arrayContaining([
        { label: 'Assignees', text: 'grace' },
        { label: 'Also sent', text: expect.stringContaining('<!-- thalamus') },
      ]),
    },
  });
  expect(action.ledger.map(({ step }) => step)).toEqual(['drafted', 'edited', 'decided', 'sending', 'confirmed']);
  const [issue, ...others] = listIssuesTitled('Gears slip badly');
  expect(others).toEqual([]);
  expect(issue).toMatchObject({ labels: ['bug', 'urgent'], assignees: ['grace'], author: 'ada' });
  expect(issue?.body).toMatch(mark);
  expect(issue?.body?.replace(mark, '')).toBe('On the *third* wheel.');
});

test('an issue is changed and closed, and its labels are removed, as the preview says', async () => {
  const number = openIssue('Bearing');
  github.touchIssue('ada/engine', number, { labels: ['bug'] });
  const change = { number, title: 'Bearings', body: 'All.', state: 'closed', state_reason: 'not_planned', labels: [] };
  const action = await act(server, buildRequest('update_issue', change));
  expect(action).toMatchObject({
    status: 'confirmed',
    result: { number, state: 'closed', labels: [] },
    preview: {
      title: `Change ada/engine#${number}`,
      fields: expect.arrayContaining([
        { label: 'Title', text: 'Bearings', was: 'Bearing' },
        { label: 'State', text: 'Closed', was: 'Open' },
        { label: 'Labels', text: 'None', was: 'bug' },
      ]),
    },
  });
  expect(listIssuesTitled('Bearings')).toMatchObject([
    { state: 'closed', stateReason: 'not_planned', labels: [], body: 'All.' },
  ]);
});

test('an issue is commented on, and the comment changed', async () => {
  const number = openIssue('Axle');
  const commented = await act(server, buildRequest('create_comment', { number, body: 'Oiled.' }));
  expect(commented).toMatchObject({ status: 'confirmed', result: { comment_id: expect.any(Number) } });
  const { comment_id } = commented['result'] as { comment_id: number };
  const comments = () => listIssuesTitled('Axle')[0]?.comments.map((each) => each.body);
  expect(comments()).toEqual([expect.stringMatching(/^Oiled\.\n\n<!-- thalamus/)]);
  const changed = await act(server, buildRequest('update_comment', { comment_id, body: 'Oiled twice.' }));
  expect(changed).toMatchObject({ status: 'confirmed', result: { comment_id } });
  expect(comments()).toEqual(['Oiled twice.']);
});

test.each([cutAfter, failedAfter])(
  'an item that was created and $name is found and not created again',
  async ({ name, failure }) => {
    const ids = await Promise.all([
      createActionDraft(server, create(`Issue ${name}`)),
      createActionDraft(server, buildRequest('create_comment', { number: openIssue(name), body: 'Seen.' })),
    ]);
    for (const path of [/\/issues$/, /\/comments$/]) github.failures.next({ method: 'POST', path }, failure);
    for (const id of ids) await server.ok('confirm_action', { draft_id: id });
    const [issue, comment] = await Promise.all(ids.map((id) => waitForOutcome(server, id)));
    const [made, ...others] = listIssuesTitled(`Issue ${name}`);
    expect(others).toEqual([]);
    expect(issue).toMatchObject({ status: 'confirmed', result: { number: made?.number } });
    const [said, ...more] = listIssuesTitled(name)[0]?.comments ?? [];
    expect(more).toEqual([]);
    expect(comment).toMatchObject({ status: 'confirmed', result: { comment_id: said?.id } });
    expect(github.ledger.count({ path: '/search/issues' })).toBe(0);
  },
);

test.each([cutAfter, failedAfter])('a change that was $name is recognised', async ({ name, failure }) => {
  const number = openIssue(name);
  const { id } = github.seedComment('ada/engine', number, { author: 'ada', body: 'Once.' });
  const requests = [
    buildRequest('update_issue', { number, title: `Changed, ${name}`, labels: ['bug', 'axle'], assignees: ['grace'] }),
    buildRequest('update_comment', { comment_id: id, body: 'Twice.' }),
  ];
  for (const each of requests) {
    const draftId = await createActionDraft(server, each);
    github.failures.next({ method: 'PATCH' }, failure);
    await server.ok('confirm_action', { draft_id: draftId });
    expect(await waitForOutcome(server, draftId)).toMatchObject({ status: 'confirmed' });
  }
  expect(listIssuesTitled(`Changed, ${name}`)[0]?.comments).toMatchObject([{ body: 'Twice.' }]);
});

test('a request that was cut off before it arrived fails, with nothing created', async () => {
  const number = openIssue('Quiet');
  const requests = [
    create('Lost'),
    buildRequest('create_comment', { number, body: 'Lost.' }),
    buildRequest('update_issue', { number, title: 'Loud' }),
  ];
  const ids: string[] = [];
  for (const each of requests) {
    const id = await createActionDraft(server, each);
    const method = each.action_name === 'update_issue' ? 'PATCH' : 'POST';
    github.failures.next({ method }, { kind: 'cut', when: 'before' });
    await server.ok('confirm_action', { draft_id: id });
    ids.push(id);
  }
  for (const id of ids) expect(await waitForOutcome(server, id)).toMatchObject({ status: 'failed' });
  expect([listIssuesTitled('Lost'), listIssuesTitled('Loud')]).toEqual([[], []]);
  expect(listIssuesTitled('Quiet')[0]?.comments).toEqual([]);
});

test('an invisible change of an issue that others changed meanwhile is left to a person', async () => {
  const number = openIssue('Disputed');
  const id = await createActionDraft(server, buildRequest('update_issue', { number, title: 'Ours' }));
  const pausedRequest = github.failures.pause({ method: 'PATCH' });
  const confirmed = server.ok('confirm_action', { draft_id: id });
  await pausedRequest.reached;
  await new Promise((resolve) => setTimeout(resolve, 1_100)); // GitHub's times have no fractions of a second
  github.touchIssue('ada/engine', number, { title: 'Theirs' });
  await confirmed;
  expect(await server.ok('get_action', { draft_id: id })).toMatchObject({
    status: 'ambiguous',
    error: expect.stringContaining('changed since'),
  });
  pausedRequest.release();
});

test('a missing repository, issue or comment is reported, and nothing is sent', async () => {
  github.ledger.clear();
  const cases = [
    [buildRequest('create_issue', { repo: 'loom', title: 'Where' }), 'There is no repository ada/loom'],
    [buildRequest('create_comment', { number: 9_999, body: 'Hello?' }), 'There is no issue 9999 in ada/engine'],
    [buildRequest('update_comment', { comment_id: 4_000_000_000, body: 'Hello?' }), 'There is no comment 4000000000'],
  ] as const;
  for (const [each, said] of cases) expect(await readRefusal(server, each)).toContain(said);
  expect(github.ledger.all().filter(({ method }) => method !== 'GET')).toEqual([]);
});

test('an impossible input is refused before it is drafted', async () => {
  const cases = [
    [buildRequest('update_issue', { number: 1 }), 'needs one of title'],
    [buildRequest('create_issue', { owner: 'ada/engine', title: 'x' }), 'name of an account'],
    [buildRequest('create_issue', {}), 'title'],
    [buildRequest('create_comment', { number: 0, body: 'x' }), 'number'],
    [buildRequest('create_comment', { number: 1, body: 'x', colour: 'red' }), 'colour'],
  ] as const;
  for (const [each, said] of cases) {
    const { status, body } = await server.call('act_on_integration', each);
    expect({ status, detail: body['detail'] }).toMatchObject({ status: 422, detail: expect.stringContaining(said) });
  }
});
