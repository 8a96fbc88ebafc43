import { afterEach, beforeAll, expect, test } from 'vitest';
import { startMondayEmulator } from '#emulators/monday/index';
import { act, createActionDraft, readRefusal, waitForOutcome } from '../../support/acting.ts';
import { linkAccount } from '../../support/linking.ts';
import { startTestServer } from '../../support/server.ts';
import { quickTimes } from '../../support/quick-times.ts';
import { share } from '../../support/share.ts';

let board: string;
const monday = share(() => startMondayEmulator({ newOauth: true }));
const server = share(() =>
  startTestServer({
    THALAMUS_MONDAY_BASE_URL: monday.url,
    THALAMUS_MONDAY_CLIENT_ID: monday.client.id,
    THALAMUS_MONDAY_CLIENT_SECRET: monday.client.secret,
    ...quickTimes,
  }),
);
beforeAll(async () => {
  monday.addUser({ name: 'Ada' });
  monday.addUser({ name: 'Grace' });
  const columns = [
    { id: 'status', title: 'State', type: 'status' as const, labels: ['Stuck', 'Done'] },
    { id: 'owner', title: 'Owner', type: 'text' as const },
    { id: 'due', title: 'Due', type: 'date' as const },
  ];
  board = monday.addBoard({ name: 'Engine', columns }).id;
  monday.addBoard({ name: 'Loom' });
  monday.addBoard({ name: 'Loom' });
  await link('Grace', 'read');
  await link('Ada', 'act');
});
afterEach(() => monday.failures.clear());

function link(user: string, access: 'read' | 'act'): Promise<string> {
  return linkAccount(server, { provider: 'monday', source: 'monday', access }, (url) => monday.approve(url, { user }));
}
const account = 'ada@example.com in thalamus-test';
const buildRequest = (action_name: string, input: Record<string, unknown>) => ({
  source: 'monday',
  account,
  action_name,
  input,
});
const create = (name: string) => buildRequest('create_item', { board_id: board, name, values: { status: 'Stuck' } });
const change = (item_id: string, values: object) => buildRequest('update_item', { board_id: board, item_id, values });
const buildCommentRequest = (item_id: string, body: string) => buildRequest('create_update', { item_id, body });
const listItemsNamed = (name: string) =>
  monday.items(board).filter((item) => item.name === name && item.state === 'active');
const seed = (name: string) => monday.seedItem(board, { name, by: 'Ada' }).id;
const writing = { path: '/v2', body: /mutation/ };
const cutAfter = { name: 'cut after it was taken', failure: { kind: 'cut', when: 'after' } as const };
const failedAfter = {
  name: 'answered 500 after it was taken',
  failure: { kind: 'status', status: 500, when: 'after' } as const,
};

test('an item is drafted, edited, confirmed, and created once', async () => {
  const input = {
    board_id: 'Engine',
    name: 'Gears slip',
    group: 'Group Title',
    values: { status: 'Stuck', owner: 'Grace' },
  };
  const action = await act(server, buildRequest('create_item', input), { name: 'Gears slip badly' });
  const [item, ...others] = listItemsNamed('Gears slip badly');
  expect(others).toEqual([]);
  expect(item).toMatchObject({ values: { status: 'Stuck', owner: 'Grace' } });
  expect(action).toMatchObject({
    status: 'confirmed',
    ledger_is_whole: true,
    preview: { title: 'Item on board Engine: Gears slip badly' },
    result: { item_id: item?.id, board: 'Engine', board_id: board, link: expect.stringContaining(String(item?.id)) },
  });
  expect(action.ledger.map(({ step }) => step)).toEqual(['drafted', 'edited', 'decided', 'sending', 'confirmed']);
});

test('columns of an item are changed, and it gets a comment in plain text', async () => {
  const id = seed('Bearing');
  const changed = await act(server, change(id, { status: 'Done', due: { date: '2026-06-01' } }));
  expect(changed).toMatchObject({ status: 'confirmed', result: { item_id: id, item: 'Bearing' } });
  expect(listItemsNamed('Bearing')).toMatchObject([{ values: { status: 'Done', due: '2026-06-01' } }]);
  const commented = await act(server, buildCommentRequest(id, 'a < b & c\nOiled.'));
  const [update, ...others] = monday.updates(id);
  expect(commented).toMatchObject({ status: 'confirmed', result: { update_id: update?.id } });
  expect([update?.body, others]).toEqual(['a &lt; b &amp; c<br>Oiled.', []]);
});

test('a change shows the present columns, and does not overwrite another person’s change', async () => {
  const { id, values } = monday.seedItem(board, {
    name: 'Shaft',
    by: 'Grace',
    values: { status: 'Stuck', owner: 'Ada' },
  });
  const draftId = await createActionDraft(server, change(id, { status: 'Done', due: '2026-06-01' }));
  const { preview } = (await server.ok('get_action', { draft_id: draftId })) as { preview: { fields: object[] } };
  const [text, was] = [
    { status: 'Done', due: '2026-06-01' },
    { status: 'Stuck', due: '' },
  ].map((each) => JSON.stringify(each, null, 2));
  expect(preview.fields).toContainEqual({ label: 'Columns', text, was });
  values['owner'] = 'Grace'; // is not written over
  expect(await createActionDraft(server, change(id, { status: 'Done', due: '2026-06-01' }))).toBe(draftId);
  values['status'] = 'Working on it';
  await server.ok('confirm_action', { draft_id: draftId });
  expect(await waitForOutcome(server, draftId)).toMatchObject({ status: 'stale' });
  expect(listItemsNamed('Shaft')).toMatchObject([{ values: { status: 'Working on it' } }]);
});

test.each([cutAfter, failedAfter])(
  'an item, a change and an update that were $name are found',
  async ({ name, failure }) => {
    const id = seed(`Old, ${name}`);
    const requests = [
      create(`New, ${name}`),
      change(id, { status: { label: 'Done' }, due: '2026-06-01' }),
      buildCommentRequest(id, 'x < y & z\n\nOiled.'),
    ];
    const made = ({ action_name }: { action_name: string }) =>
      action_name === 'create_update'
        ? { update_id: monday.updates(id)[0]?.id }
        : { item_id: action_name === 'update_item' ? id : listItemsNamed(`New, ${name}`)[0]?.id };
    for (const each of requests) {
      const draftId = await createActionDraft(server, each);
      monday.failures.next(writing, failure);
      await server.ok('confirm_action', { draft_id: draftId });
      expect(await waitForOutcome(server, draftId)).toMatchObject({ status: 'confirmed', result: made(each) });
    }
    expect(listItemsNamed(`New, ${name}`)).toHaveLength(1);
    expect(listItemsNamed(`Old, ${name}`)).toMatchObject([{ values: { status: 'Done', due: '2026-06-01' } }]);
    expect(monday.updates(id)).toHaveLength(1);
  },
);

test('a request that was cut off before it arrived fails, also where another item of that name existed', async () => {
  const id = seed('Quiet');
  await act(server, create('Quiet too'));
  await act(server, buildCommentRequest(id, 'Oiled.'));
  const ids: string[] = [];
  for (const each of [create('Quiet too'), change(id, { status: 'Done' }), buildCommentRequest(id, 'Oiled.')]) {
    const draftId = await createActionDraft(server, each);
    monday.failures.next(writing, { kind: 'cut', when: 'before' });
    await server.ok('confirm_action', { draft_id: draftId });
    ids.push(draftId);
  }
  for (const each of ids) expect(await waitForOutcome(server, each)).toMatchObject({ status: 'failed' });
  expect(listItemsNamed('Quiet too')).toHaveLength(1);
  expect(listItemsNamed('Quiet')).toMatchObject([{ values: {} }]);
  expect(monday.updates(id)).toHaveLength(1);
});

test('an item and an update of another person are not mistaken for ours', async () => {
  const id = seed('Shared');
  const ids = [
    await createActionDraft(server, create('Same name')),
    await createActionDraft(server, buildCommentRequest(id, 'Same words.')),
  ];
  for (const each of ids) {
    const pausedRequest = monday.failures.pause(writing);
    const confirmed = server.ok('confirm_action', { draft_id: each });
    await pausedRequest.reached;
    monday.seedItem(board, { name: 'Same name', by: 'Grace' });
    monday.seedUpdate(id, { by: 'Grace', body: 'Same words.' });
    await confirmed;
    expect(await server.ok('get_action', { draft_id: each })).toMatchObject({
      status: 'ambiguous',
      error: expect.stringContaining('does not have it yet'),
    });
    monday.failures.clear();
  }
});

test('a new and different update of the same person leaves the outcome to a person', async () => {
  const id = seed('Busy');
  const draftId = await createActionDraft(server, buildCommentRequest(id, 'Ours.'));
  const pausedRequest = monday.failures.pause(writing);
  const confirmed = server.ok('confirm_action', { draft_id: draftId });
  await pausedRequest.reached;
  monday.seedUpdate(id, { by: 'Ada', body: 'By hand.' });
  await confirmed;
  expect(await server.ok('get_action', { draft_id: draftId })).toMatchObject({
    status: 'ambiguous',
    error: expect.stringContaining('does not have the requested values'),
  });
});

test('the error names a missing or ambiguous target, and nothing is sent', async () => {
  const id = seed('There');
  monday.ledger.clear();
  const cases = [
    [buildRequest('create_item', { board_id: '99', name: 'Where' }), 'There is no board 99'],
    [buildRequest('create_item', { board_id: 'Nowhere', name: 'Where' }), 'There is no board Nowhere'],
    [buildRequest('create_item', { board_id: 'Loom', name: 'Which' }), 'Several boards are called Loom'],
    [buildRequest('create_item', { board_id: board, name: 'Where', group: 'Attic' }), 'Engine has no group Attic'],
    [change('99', { status: 'Done' }), 'Engine has no item 99'],
    [buildCommentRequest('99', 'Hello?'), 'There is no item 99'],
  ] as const;
  for (const [each, said] of cases) expect(await readRefusal(server, each)).toContain(said);
  expect(monday.ledger.all().filter(({ body }) => JSON.stringify(body).includes('mutation'))).toEqual([]);
  const refused = await act(server, change(id, { status: 'Lost' }));
  expect(refused).toMatchObject({ status: 'failed', error: expect.stringContaining("label doesn't exist") });
});

test('an impossible input is refused before it is drafted', async () => {
  const cases = [
    [buildRequest('create_item', { board_id: board, name: '' }), 'name'],
    [change('Gears', { status: 'Done' }), 'id of an item'],
    [buildRequest('update_item', { board_id: board, item_id: '1' }), 'values'],
    [buildCommentRequest('1', ''), 'body'],
  ] as const;
  for (const [each, said] of cases) {
    const { status, body } = await server.call('act_on_integration', each);
    expect({ status, detail: body['detail'] }).toMatchObject({ status: 422, detail: expect.stringContaining(said) });
  }
});

test('an account that was linked only for reading can be read, and can write once it is linked for that', async () => {
  const ofGrace = { account: 'grace@example.com in thalamus-test' };
  const reading = { source: 'monday', ...ofGrace, input: { since: '2026-01-01' } };
  expect((await server.ok('fetch_from_integration', reading))['page_slugs']).not.toEqual([]);
  const refused = await server.call('act_on_integration', { ...create('No'), ...ofGrace });
  expect(refused).toMatchObject({ status: 409, body: { detail: expect.stringContaining('leave every box ticked') } });
  await link('Grace', 'act');
  expect(await act(server, { ...create('Yes'), ...ofGrace })).toMatchObject({ status: 'confirmed' });
});
