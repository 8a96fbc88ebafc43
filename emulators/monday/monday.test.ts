// monday, as a client meets it.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { getPathValue, createHeaderClient, postForm, getTextAt } from '../kit/api-client.ts';
import { startMondayEmulator } from './index.ts';
import type { MondayEmulator } from './index.ts';

const redirectUri = 'http://127.0.0.1:9/callback';
let monday: MondayEmulator;
let clock: Date;
let token: string;
let board: string;

const advanceClock = (seconds: number) => (clock = new Date(clock.getTime() + seconds * 1000));

beforeEach(async () => {
  clock = new Date('2026-03-02T09:00:00Z');
  monday = await startMondayEmulator({ now: () => clock });
  monday.addUser({ name: 'Ada' });
  monday.addUser({ name: 'Grace' });
  const columns = [
    { id: 'status', title: 'Status', type: 'status' as const, labels: ['Working', 'Done'] },
    { id: 'due', title: 'Due', type: 'date' as const },
    { id: 'notes', title: 'Notes', type: 'text' as const },
  ];
  board = monday.addBoard({ name: 'Tasks', columns }).id;
  token = monday.issueTokens('Ada').accessToken;
});

afterEach(() => monday.close());

const ask = (query: string, variables: Record<string, unknown> = {}, headers: Record<string, string> = {}) =>
  createHeaderClient(monday.url, { authorization: token, ...headers })('POST', '/v2', { json: { query, variables } });

const create = (values: Record<string, unknown> = {}, name = 'New') =>
  ask(
    'mutation($board: ID!, $name: String!, $values: JSON) { create_item(board_id: $board, item_name: $name, column_values: $values) { id name } }',
    { board, name, values: JSON.stringify(values) },
  );

test('a token reads its user and the boards they may see', async () => {
  monday.addBoard({ name: 'Secret', private: true, members: ['Grace'] });
  const { body } = await ask('{ me { name email } boards { name columns { id type } groups { id } } }');
  expect(body.data).toMatchObject({ me: { name: 'Ada' }, boards: [{ name: 'Tasks', groups: [{ id: 'topics' }] }] });
  expect(
    (await createHeaderClient(monday.url, { authorization: 'x' })('POST', '/v2', { json: { query: '{ me { id } }' } }))
      .status,
  ).toBe(401);
  const bearer = await ask('{ me { id } }', {}, { authorization: `Bearer ${monday.personalToken('Grace')}` });
  expect(bearer.status).toBe(200);
});

test('items are listed in pages whose cursor expires after an hour', async () => {
  for (let count = 1; count <= 5; count += 1) monday.seedItem(board, { name: `i${count}`, by: 'Ada' });
  const first = await ask(
    'query($ids: [ID!]) { boards(ids: $ids) { items_page(limit: 2) { cursor items { name } } } }',
    { ids: [board] },
  );
  expect(getPathValue(first.body, 'data.boards.0.items_page.items')).toEqual([{ name: 'i1' }, { name: 'i2' }]);
  const next = (cursor: string) =>
    ask('query($cursor: String!) { next_items_page(limit: 2, cursor: $cursor) { cursor items { name } } }', { cursor });
  const second = await next(getTextAt(first.body, 'data.boards.0.items_page.cursor'));
  const last = await next(getTextAt(second.body, 'data.next_items_page.cursor'));
  expect(last.body.data).toEqual({ next_items_page: { cursor: null, items: [{ name: 'i5' }] } });
  advanceClock(3600);
  const late = await next(getTextAt(first.body, 'data.boards.0.items_page.cursor'));
  expect([late.status, getPathValue(late.body, 'errors.0.extensions.code')]).toEqual([200, 'CursorExpiredError']);
});

test('items are selected by the day of their last change, and sorted by it', async () => {
  monday.seedItem(board, { name: 'old', by: 'Ada' });
  const touched = monday.seedItem(board, { name: 'touched', by: 'Ada' });
  advanceClock(86_400);
  monday.touchItem(touched.id, { values: { notes: 'x' } });
  monday.seedItem(board, { name: 'new', by: 'Ada' });
  const query = `{ boards { items_page(query_params: { rules: [{ column_id: "__last_updated__", compare_value: ["EXACT", "2026-03-03"],
    operator: greater_than_or_equals }], order_by: [{ column_id: "name", direction: desc }] }) { items { name updated_at } } } }`;
  expect(getPathValue((await ask(query)).body, 'data.boards.0.items_page.items')).toMatchObject([
    { name: 'touched' },
    { name: 'new' },
  ]);
});

test('an item is created, changed, commented on and deleted; creating it twice makes two', async () => {
  const made = await create({ status: { label: 'Working' }, due: { date: '2026-04-01' } });
  await create({ status: { label: 'Working' } });
  expect(monday.items(board)).toHaveLength(2);
  const id = getTextAt(made.body, 'data.create_item.id');
  const change = await ask(
    'mutation($id: ID!, $board: ID!, $values: JSON!) { change_multiple_column_values(item_id: $id, board_id: $board, column_values: $values) { name column_values(ids: ["status", "due"]) { text value ... on StatusValue { label } } } }',
    { id, board, values: JSON.stringify({ name: 'Changed', status: { label: 'Done' } }) },
  );
  expect(getPathValue(change.body, 'data.change_multiple_column_values')).toEqual({
    name: 'Changed',
    column_values: [
      { text: 'Done', value: '{"index":1}', label: 'Done' },
      { text: '2026-04-01', value: '{"date":"2026-04-01","time":null}' },
    ],
  });
  await ask('mutation($id: ID) { create_update(item_id: $id, body: "<p>Hi</p>") { id } }', { id });
  const read = await ask('query($id: [ID!]) { items(ids: $id) { updates { text_body creator { name } } } }', {
    id: [id],
  });
  expect(getPathValue(read.body, 'data.items.0.updates')).toEqual([{ text_body: 'Hi', creator: { name: 'Ada' } }]);
  await ask('mutation($id: ID) { delete_item(item_id: $id) { state } }', { id });
  expect((await ask('query($id: [ID!]) { items(ids: $id) { id } }', { id: [id] })).body.data).toEqual({ items: [] });
});

test.each([
  [{ colour: 'red' }, 'InvalidColumnIdException'],
  [{ status: { label: 'Lost' } }, 'ColumnValueException'],
  [{ due: { date: 'tomorrow' } }, 'ColumnValueException'],
])('the values %j are refused with 200, and no item is created', async (values, code) => {
  const refused = await create(values);
  expect([refused.status, getPathValue(refused.body, 'errors.0.extensions.code')]).toEqual([200, code]);
  expect(refused.body.data).toEqual({ create_item: null });
  expect(monday.items(board)).toEqual([]);
});

test('one field may fail while another succeeds', async () => {
  token = monday.issueTokens('Ada', ['me:read']).accessToken;
  const { body } = await ask('{ me { name } boards { id } }');
  expect(body).toMatchObject({
    data: { me: { name: 'Ada' }, boards: null },
    errors: [{ path: ['boards'], extensions: { code: 'UserUnauthorizedException', status_code: 403 } }],
  });
});

test('unknown fields and versions are refused', async () => {
  expect((await ask('{ me { colour } }')).status).toBe(400);
  expect((await ask('{ me { id } }', {}, { 'api-version': '2026-02' })).status).toBe(400);
  expect((await ask('{ me { id } }', {}, { 'api-version': '2026-01' })).headers.get('api-version')).toBe('2026-01');
});

test('a used-up complexity budget answers 429 with its reset time', async () => {
  monday.setBudget(30);
  expect((await ask('{ complexity { query after } me { id } }')).body.data).toMatchObject({
    complexity: { query: 23, after: 7 },
  });
  advanceClock(20);
  const refused = await ask('{ me { id } }');
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '40']);
  expect(getPathValue(refused.body, 'errors.0.extensions')).toEqual({
    code: 'COMPLEXITY_BUDGET_EXHAUSTED',
    retry_in_seconds: 40,
  });
  advanceClock(40);
  expect((await ask('{ me { id } }')).status).toBe(200);
});

test('installing gives a token that does not expire', async () => {
  const query = { client_id: monday.client.id, redirect_uri: redirectUri, scope: 'me:read boards:read', state: 's' };
  const url = `${monday.url}/oauth2/authorize?${new URLSearchParams(query).toString()}`;
  const code = new URL(await monday.approve(url, { user: 'Grace' })).searchParams.get('code') ?? '';
  const form = { client_id: monday.client.id, client_secret: monday.client.secret, code, redirect_uri: redirectUri };
  const { body } = await postForm(monday.url, '/oauth2/token', form);
  expect(body).toEqual({
    access_token: expect.any(String) as string,
    token_type: 'Bearer',
    scope: 'me:read boards:read',
  });
  advanceClock(86_400 * 400);
  token = getTextAt(body, 'access_token');
  expect((await ask('{ me { name } }')).body.data).toEqual({ me: { name: 'Grace' } });
  monday.revokeAccess('Grace');
  expect((await ask('{ me { name } }')).status).toBe(401);
  expect((await postForm(monday.url, '/oauth2/token', form)).body.error).toBe('invalid_grant');
});

test('failures happen before or after the effect, and a false success stores nothing', async () => {
  monday.failures.next({ path: '/v2' }, { kind: 'lie' });
  expect((await create()).body.data).toMatchObject({ create_item: { name: 'New' } });
  monday.failures.next({ path: '/v2' }, { kind: 'rate_limited' });
  expect((await create()).status).toBe(429);
  monday.failures.next({ path: '/v2', account: 'ada@example.com' }, { kind: 'cut', when: 'after' });
  await expect(create()).rejects.toThrow();
  expect(monday.items(board)).toHaveLength(1);
});
