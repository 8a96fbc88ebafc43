// Notion, as a client meets it.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { getPathValue, buildBasicAuth, createHeaderClient, getTextAt } from '../kit/api-client.ts';
import type { ApiClient } from '../kit/api-client.ts';
import { startNotionEmulator } from './index.ts';
import type { NotionEmulator } from './index.ts';

const redirectUri = 'http://127.0.0.1:9/callback';
const version = { 'notion-version': '2025-09-03' };
let notion: NotionEmulator;
let clock: Date;
let ada: ApiClient;

const advanceClock = (seconds: number) => (clock = new Date(clock.getTime() + seconds * 1000));
const createClient = (token: string, headers: Record<string, string> = version) =>
  createHeaderClient(notion.url, { authorization: `Bearer ${token}`, ...headers });

beforeEach(async () => {
  clock = new Date('2026-03-02T09:00:00Z');
  notion = await startNotionEmulator({ now: () => clock });
  notion.addUser({ name: 'Ada' });
  ada = createClient(notion.issueTokens('Ada').accessToken);
});

afterEach(() => notion.close());

const buildRichText = (content: string) => [{ text: { content } }];

test('the bot tells who installed it', async () => {
  expect((await ada('GET', '/v1/users/me')).body).toMatchObject({
    type: 'bot',
    bot: { owner: { type: 'user', user: { name: 'Ada', person: { email: 'ada@example.com' } } } },
  });
  expect((await createClient(notion.secret())('GET', '/v1/users/me')).body).toMatchObject({
    bot: { owner: { workspace: true } },
  });
  expect((await createClient('ntn_x')('GET', '/v1/users/me')).body).toMatchObject({
    object: 'error',
    status: 401,
    code: 'unauthorized',
  });
});

test('a request needs a version, and each version has its own paths', async () => {
  const token = notion.issueTokens('Ada').accessToken;
  const database = notion.addDatabase({ title: 'Tasks', schema: { Name: 'title' } });
  notion.seedPage({ title: 'One', by: 'Ada', in: database });
  expect((await createClient(token, {})('GET', '/v1/users/me')).body.code).toBe('missing_version');
  const old = createClient(token, { 'notion-version': '2022-06-28' });
  expect((await old('POST', `/v1/databases/${database.id}/query`, { json: {} })).body.results).toHaveLength(1);
  expect((await old('POST', `/v1/data_sources/${database.dataSourceId}/query`, { json: {} })).body.code).toBe(
    'invalid_request_url',
  );
  expect(
    (await ada('POST', `/v1/data_sources/${database.dataSourceId}/query`, { json: {} })).body.results,
  ).toMatchObject([{ object: 'page', parent: { data_source_id: database.dataSourceId, database_id: database.id } }]);
});

test('search finds titles, with a cursor, and lags behind', async () => {
  for (const title of ['Plan one', 'Plan two', 'Other']) notion.seedPage({ title, by: 'Ada', text: ['Plan'] });
  const ask = (json: object) => ada('POST', '/v1/search', { json });
  expect((await ask({ query: 'plan' })).body.results).toEqual([]);
  advanceClock(120);
  const first = (await ask({ query: 'plan', page_size: 1 })).body;
  expect(first).toMatchObject({ has_more: true, results: [{ object: 'page' }] });
  const second = (await ask({ query: 'plan', page_size: 1, start_cursor: first.next_cursor })).body;
  expect(second).toMatchObject({ has_more: false, next_cursor: null });
  expect(getPathValue(second, 'results.0.id')).not.toBe(getPathValue(first, 'results.0.id'));
  expect((await ask({ start_cursor: 'nowhere' })).body.code).toBe('validation_error');
  expect((await ask({ page_size: 101 })).body.code).toBe('validation_error');
  expect((await ask({ filter: { property: 'object', value: 'database' } })).body.code).toBe('validation_error');
});

test('a data source is filtered by the minute in which pages were edited', async () => {
  const database = notion.addDatabase({ title: 'Tasks', schema: { Name: 'title', Done: 'checkbox' } });
  notion.seedPage({ title: 'old', by: 'Ada', in: database });
  advanceClock(90);
  const page = notion.seedPage({ title: 'new', by: 'Ada', in: database, properties: { Done: { checkbox: true } } });
  expect(page.editedTime).toBe('2026-03-02T09:01:00.000Z');
  const filter = { timestamp: 'last_edited_time', last_edited_time: { on_or_after: '2026-03-02T09:01:00Z' } };
  const { results } = (await ada('POST', `/v1/data_sources/${database.dataSourceId}/query`, { json: { filter } })).body;
  expect(results).toMatchObject([
    { properties: { Name: { title: [{ plain_text: 'new' }] }, Done: { checkbox: true } } },
  ]);
});

test('a page is created, read, changed, put in the trash and restored', async () => {
  const parent = notion.seedPage({ title: 'Home', by: 'Ada' });
  const made = await ada('POST', '/v1/pages', {
    json: {
      parent: { page_id: parent.id.replaceAll('-', '') },
      properties: { title: { title: buildRichText('Notes') } },
      children: [{ object: 'block', type: 'paragraph', paragraph: { rich_text: buildRichText('First') } }],
    },
  });
  expect(made.status).toBe(200);
  const path = `/v1/pages/${getTextAt(made.body, 'id')}`;
  const children = await ada('GET', `/v1/blocks/${getTextAt(made.body, 'id')}/children`);
  expect(children.body.results).toMatchObject([
    { type: 'paragraph', paragraph: { rich_text: [{ plain_text: 'First' }] } },
  ]);
  expect((await ada('GET', `/v1/blocks/${parent.id}/children`)).body.results).toMatchObject([
    { type: 'child_page', child_page: { title: 'Notes' }, has_children: true },
  ]);
  const changed = await ada('PATCH', path, { json: { properties: { title: { title: buildRichText('New') } } } });
  expect(getPathValue(changed.body, 'properties.title.title.0.plain_text')).toBe('New');
  expect((await ada('PATCH', path, { json: { in_trash: true } })).body).toMatchObject({
    in_trash: true,
    archived: true,
  });
  const inTrash = await ada('PATCH', path, { json: { properties: {} } });
  expect([inTrash.status, inTrash.body.code]).toEqual([400, 'validation_error']);
  expect((await ada('GET', path)).body.in_trash).toBe(true);
  expect((await ada('PATCH', path, { json: { archived: false } })).body.in_trash).toBe(false);
});

test('blocks are appended at the end or after another block, a hundred at most', async () => {
  const page = notion.seedPage({ title: 'Home', by: 'Ada', text: ['one', 'three'] });
  const path = `/v1/blocks/${page.id}/children`;
  const first = getTextAt((await ada('GET', path)).body, 'results.0.id');
  const block = {
    to_do: { rich_text: buildRichText('two'), children: [{ paragraph: { rich_text: buildRichText('below') } }] },
  };
  const made = await ada('PATCH', path, { json: { children: [block], after: first } });
  expect(made.body.results).toMatchObject([{ type: 'to_do', to_do: { checked: false }, has_children: true }]);
  const { results } = (await ada('GET', path)).body;
  expect((results as { type: string }[]).map(({ type }) => type)).toEqual(['paragraph', 'to_do', 'paragraph']);
  const many = await ada('PATCH', path, { json: { children: Array.from({ length: 101 }, () => block) } });
  expect(many.body).toMatchObject({ code: 'validation_error', message: expect.stringContaining('≤ 100') as string });
  expect((await ada('DELETE', `/v1/blocks/${first}`)).body.in_trash).toBe(true);
  const paged = await ada('GET', path, { query: { page_size: '1' } });
  expect(paged.body).toMatchObject({ has_more: true, results: [{ type: 'to_do' }] });
});

test('child blocks are listed by the id of their parent; the rows of a table are as wide as the table', async () => {
  const page = notion.seedPage({ title: 'Plan', by: 'Ada' });
  const below = (id: string) => ada('GET', `/v1/blocks/${id}/children`);
  const append = (block: object) => ada('PATCH', `/v1/blocks/${page.id}/children`, { json: { children: [block] } });
  const row = { table_row: { cells: [buildRichText('Part'), buildRichText('Price')] } };
  expect((await append({ table: { table_width: 3, children: [row] } })).status).toBe(400);
  expect((await append({ column_list: { children: [{ column: {} }] } })).status).toBe(400);
  expect((await append({ table: { table_width: 2, children: [row] } })).status).toBe(200);
  const [table] = getPathValue((await below(page.id)).body, 'results') as Record<string, unknown>[];
  expect(table).toMatchObject({ type: 'table', has_children: true, table: { table_width: 2, has_row_header: false } });
  expect((await below(String(table?.['id']))).body).toMatchObject({
    results: [
      {
        type: 'table_row',
        has_children: false,
        table_row: { cells: [[{ plain_text: 'Part' }], [{ plain_text: 'Price' }]] },
      },
    ],
  });
});

test('search may miss a page, and finds no children of a page in the trash', async () => {
  const page = notion.seedPage({ title: 'Plan', by: 'Ada' });
  notion.seedPage({ title: 'Plan, first part', by: 'Ada', in: page });
  advanceClock(120);
  const search = async () => getPathValue((await ada('POST', '/v1/search', { json: {} })).body, 'results') as unknown[];
  expect(await search()).toHaveLength(2);
  notion.index(page.id, false);
  expect(await search()).toHaveLength(1);
  notion.touchPage(page.id, { inTrash: true });
  expect(await search()).toEqual([]);
  expect((await ada('GET', `/v1/pages/${page.id}`)).body).toMatchObject({ in_trash: true });
});

test('comments belong to discussions', async () => {
  const page = notion.seedPage({ title: 'Home', by: 'Ada' });
  const made = await ada('POST', '/v1/comments', {
    json: { parent: { page_id: page.id }, rich_text: buildRichText('Hi') },
  });
  await ada('POST', '/v1/comments', {
    json: { discussion_id: made.body.discussion_id, rich_text: buildRichText('Ho') },
  });
  const { results } = (await ada('GET', '/v1/comments', { query: { block_id: page.id } })).body;
  expect(results).toMatchObject([{ rich_text: [{ plain_text: 'Hi' }] }, { discussion_id: made.body.discussion_id }]);
  expect((await ada('POST', '/v1/comments', { json: { parent: { page_id: page.id }, rich_text: [] } })).status).toBe(
    400,
  );
});

test('a page that is not shared does not exist, nor do its children', async () => {
  const page = notion.seedPage({ title: 'Home', by: 'Ada' });
  const below = notion.seedPage({ title: 'Below', by: 'Ada', in: page });
  notion.share(page.id, false);
  for (const id of [page.id, below.id, '00000000-0000-4000-8000-000000000000']) {
    const archivedPage = await ada('GET', `/v1/pages/${id}`);
    expect([archivedPage.status, archivedPage.body.code]).toEqual([404, 'object_not_found']);
  }
  expect((await ada('GET', '/v1/pages/x')).body.code).toBe('validation_error');
});

test.each([
  [{ properties: {} }, 'body.parent should be defined'],
  [{ parent: { page_id: 'HOME' }, properties: { colour: { title: [] } } }, 'colour is not a property'],
  [
    { parent: { page_id: 'HOME' }, properties: { title: { title: [{ text: { content: 'x'.repeat(2001) } }] } } },
    'invalid',
  ],
  [{ parent: { page_id: 'HOME' }, properties: {}, colour: 'red' }, 'body.colour should be not present'],
  [{ parent: { page_id: 'HOME' }, properties: {}, children: [{ image: {} }] }, 'should be a block'],
])('the page %j is refused', async (json, message) => {
  const { id } = notion.seedPage({ title: 'Home', by: 'Ada' });
  const refused = await ada('POST', '/v1/pages', {
    body: JSON.stringify(json).replace('HOME', id),
    headers: { 'content-type': 'application/json' },
  });
  expect(refused.body).toMatchObject({ status: 400, code: 'validation_error' });
  expect(refused.body.message).toContain(message);
  expect(notion.pages()).toHaveLength(1);
});

test('a client gets three requests a second, then 429 with Retry-After', async () => {
  notion.setQuota({ requests: 3, seconds: 1 });
  for (let count = 0; count < 3; count += 1) expect((await ada('GET', '/v1/users/me')).status).toBe(200);
  const refused = await ada('GET', '/v1/users/me');
  expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([429, 'rate_limited', '1']);
  advanceClock(1);
  expect((await ada('GET', '/v1/users/me')).status).toBe(200);
});

async function requestTokens(json: Record<string, unknown>, path = 'token') {
  const { id, secret } = notion.client;
  return createHeaderClient(notion.url, buildBasicAuth(id, secret))('POST', `/v1/oauth/${path}`, { json });
}

test('clients install, refresh and revoke, with Basic and JSON', async () => {
  const query = {
    client_id: notion.client.id,
    redirect_uri: redirectUri,
    response_type: 'code',
    owner: 'user',
    state: 's',
  };
  const url = `${notion.url}/v1/oauth/authorize?${new URLSearchParams(query).toString()}`;
  const code = new URL(await notion.approve(url, { user: 'Ada' })).searchParams.get('code');
  const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri };
  expect((await createHeaderClient(notion.url, {})('POST', '/v1/oauth/token', { json: form })).body.error).toBe(
    'invalid_client',
  );
  const { body } = await requestTokens(form);
  expect(body).toMatchObject({
    token_type: 'bearer',
    workspace_name: 'Thalamus Test',
    owner: { user: { name: 'Ada' } },
  });
  const works = async (token: unknown) => (await createClient(String(token))('GET', '/v1/users/me')).status;
  expect(await works(body.access_token)).toBe(200);
  const fresh = (await requestTokens({ grant_type: 'refresh_token', refresh_token: body.refresh_token })).body;
  expect([await works(body.access_token), await works(fresh.access_token)]).toEqual([401, 200]);
  expect((await requestTokens({ grant_type: 'refresh_token', refresh_token: body.refresh_token })).body.error).toBe(
    'invalid_grant',
  );
  expect((await requestTokens({ token: fresh.access_token }, 'introspect')).body).toEqual({ active: true });
  await requestTokens({ token: fresh.access_token }, 'revoke');
  expect(await works(fresh.access_token)).toBe(401);
});

test('failures happen before or after the effect, and a false success stores nothing', async () => {
  const { id } = notion.seedPage({ title: 'Home', by: 'Ada' });
  const create = () => ada('POST', '/v1/pages', { json: { parent: { page_id: id }, properties: {} } });
  notion.failures.next({ path: '/v1/pages' }, { kind: 'status', status: 409 });
  expect((await create()).body.code).toBe('conflict_error');
  notion.failures.next({ path: '/v1/pages' }, { kind: 'lie' });
  expect((await create()).status).toBe(200);
  expect(notion.pages()).toHaveLength(1);
  notion.failures.next({ path: '/v1/pages' }, { kind: 'cut', when: 'after' });
  await expect(create()).rejects.toThrow();
  expect(notion.pages()).toHaveLength(2);
});
