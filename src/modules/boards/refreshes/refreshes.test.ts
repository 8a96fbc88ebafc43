import { beforeAll, expect, test } from 'vitest';
import { startGitHubEmulator } from '#emulators/github/index';
import { startHttpJsonEmulator } from '#emulators/http-json/index';
import { joinAs } from '../../../../tests/support/colleague.ts';
import { openAsOwner } from '../../../../tests/support/owner-database.ts';
import { startTestServer } from '../../../../tests/support/server.ts';
import { share } from '../../../../tests/support/share.ts';
import { startSmallService } from '../../../../tests/support/small-service.ts';

/** The list of a service, as it is now; a text is answered as it is. */
let answer: { status?: number; headers?: Record<string, string>; body: unknown } = { body: [] };
const github = share(() => startGitHubEmulator());
const api = share(() => startHttpJsonEmulator());
const service = share(() => startSmallService(() => answer));
const server = share(() =>
  startTestServer({ THALAMUS_GITHUB_BASE_URL: github.url, THALAMUS_EGRESS_ALLOW: `${api.url},${service.url}` }),
);
const database = share(() => openAsOwner(server.connectionString));
beforeAll(() => {
  github.addUser({ login: 'ssvlabs' });
  github.addRepo({ owner: 'ssvlabs', name: 'brains' });
});

const createBoard = async (name: string, more: object = {}) =>
  (await server.ok('create_board', { name, ...more })).board_id;

/** A board with a dataset that is filled by hand from the list of the service. */
async function createFilled(name: string, more: object = {}) {
  const board_id = await createBoard(name);
  const target = { kind: 'http_json', ref: { url: `${service.url}/items` }, display_name: 'Items' };
  const { id: link_id } = await server.ok('create_board_link', { board_id, ...target });
  const filled = { dataset_name: 'items', adapter_op: 'http_json.list', dedupe_key_field: 'id', ...more };
  const { id: recipe_id } = await server.ok('create_dataset_recipe', { link_id, ...filled });
  return { board_id, link_id, recipe_id };
}
type Board = Awaited<ReturnType<typeof createFilled>>;
const refresh = ({ recipe_id }: Board) => server.ok('refresh_dataset_recipe', { recipe_id });
const readRows = async (board_id: string, dataset = 'items') =>
  (await server.ok('get_board', { board_id })).data.datasets[dataset];
const readRecipe = async (board_id: string) => (await server.ok('list_board_links', { board_id })).links[0]?.recipes[0];

test('the example of the reference fills a board with open pull requests, each known by its id', async () => {
  const pull = { draft: false, head: 'gears', base: 'main' };
  for (const title of ['Oil', 'Grease']) github.seedIssue('ssvlabs/brains', { author: 'ssvlabs', title, pull });
  github.seedIssue('ssvlabs/brains', { author: 'ssvlabs', title: 'No pull request' });
  const board_id = await createBoard('PRs');
  const link = await server.ok('create_board_link', {
    board_id,
    kind: 'github',
    ref: { owner: 'ssvlabs', repo: 'brains' },
    display_name: 'brains repo PRs',
  });
  const recipe = await server.ok('create_dataset_recipe', {
    link_id: link.id,
    dataset_name: 'prs',
    adapter_op: 'github.list_open_prs',
    refresh_cron: '0 * * * *',
    dedupe_key_field: 'id',
    dedupe_target_field: 'pr_id',
  });
  expect(recipe).toMatchObject({ link_id: link.id, dataset_name: 'prs', refresh_cron: '0 * * * *', rows: 0 });
  await expect.poll(async () => (await readRows(board_id, 'prs'))?.rows.length, { timeout: 30_000 }).toBe(2);
  const { rows = [] } = (await readRows(board_id, 'prs')) ?? {};
  expect(rows.map(({ title }) => title)).toEqual(['Oil', 'Grease']);
  for (const row of rows) expect([row['row_id'], row['pr_id']]).toEqual([String(row['id']), row['id']]);
  const shown = await readRecipe(board_id);
  expect(shown).toMatchObject({ status: 'waiting', rows: 2, failure: null, refreshed_at: expect.any(String) });
  expect(new Date(String(shown?.next_at)).getUTCMinutes()).toBe(0);
});

test('a schedule that is due refreshes by itself, and a recipe without one waits to be refreshed by hand', async () => {
  answer = { body: [{ id: 1 }] };
  const board = await createFilled('By hand');
  expect(await readRecipe(board.board_id)).toMatchObject({ next_at: null, refreshed_at: null });
  expect(await refresh(board)).toEqual({ recipe_id: board.recipe_id, rows: 1, changed: 1 });
  answer = { body: [{ id: 1 }, { id: 2 }] };
  await server.ok('update_dataset_recipe', { recipe_id: board.recipe_id, refresh_cron: '30 4 * * *' });
  await expect.poll(async () => (await readRows(board.board_id))?.total, { timeout: 30_000 }).toBe(2);
  answer = { body: [] };
  await database.rows('update dataset_recipes set next_at = now() where id = $1', [board.recipe_id]);
  await expect.poll(async () => (await readRows(board.board_id))?.total, { timeout: 30_000 }).toBe(0);
});

test('a refresh writes the rows that changed and no other, and takes out those that the source does not have', async () => {
  answer = {
    body: [
      { id: 'a', n: 1 },
      { id: 'b', n: 1 },
      { id: 'c', text: 'zero \u0000 half \ud83d' },
    ],
  };
  const board = await createFilled('Changes');
  expect(await refresh(board)).toMatchObject({ rows: 3, changed: 3 });
  const stored = () =>
    database.rows('select id, row_key, version, xmin from board_rows where board_id = $1 order by id', [
      board.board_id,
    ]);
  const before = await stored();
  expect(await refresh(board)).toMatchObject({ rows: 3, changed: 0 });
  expect(await stored()).toEqual(before);
  answer = { body: [{ id: 'd' }, { id: 'b', n: 2 }, { id: 'a', n: 1 }, { id: 'a', n: 9 }] };
  expect(await refresh(board)).toMatchObject({ rows: 3, changed: 3 });
  const dataset = await readRows(board.board_id);
  expect(dataset?.rows).toEqual([
    { row_id: 'a', id: 'a', n: 1 },
    { row_id: 'b', id: 'b', n: 2 },
    { row_id: 'd', id: 'd' },
  ]);
  expect(dataset?.versions).toEqual([1, 2, 1]);
});

test('rows without a key are known by their content, equal ones each for itself', async () => {
  answer = { body: [{ n: 1 }, { n: 1 }, { n: 2 }] };
  const board = await createFilled('Without a key', { dedupe_key_field: null });
  expect(await refresh(board)).toMatchObject({ rows: 3, changed: 3 });
  expect(await refresh(board)).toMatchObject({ rows: 3, changed: 0 });
  answer = { body: [{ n: 2 }, { n: 1 }] };
  expect(await refresh(board)).toMatchObject({ rows: 2, changed: 1 });
});

test('edits of rows that a link fills are refused by its name, and possible again without the recipe', async () => {
  answer = { body: [{ id: 'a' }] };
  const board = await createFilled('Edits');
  await refresh(board);
  const row = { board_id: board.board_id, dataset: 'items', row_id: 'a' };
  for (const [operation, input] of [
    ['append_board_rows', { board_id: board.board_id, dataset: 'items', rows: [{ id: 'b' }] }],
    ['update_board_row', { ...row, patch: { n: 1 } }],
    ['delete_board_row', row],
    ['restore_board_row', row],
    ['create_dataset_recipe', { link_id: board.link_id, dataset_name: 'items', adapter_op: 'http_json.list' }],
  ] as const) {
    const { body } = await server.call(operation, input);
    expect(body, operation).toMatchObject({ code: 'conflict', detail: expect.stringContaining('«Items»') });
  }
  expect((await server.call('append_board_rows', { board_id: board.board_id, rows: [{}] })).status).toBe(200);
  await server.ok('delete_dataset_recipe', { recipe_id: board.recipe_id });
  expect((await readRows(board.board_id))?.rows).toEqual([{ row_id: 'a', id: 'a' }]);
  expect((await server.call('update_board_row', { ...row, patch: { n: 1 } })).status).toBe(200);
});

test('rows that people wrote before the first refresh can be restored after it', async () => {
  answer = { body: [{ id: 'a' }] };
  const board = await createFilled('Before');
  await server.ok('delete_dataset_recipe', { recipe_id: board.recipe_id });
  await server.ok('append_board_rows', { board_id: board.board_id, dataset: 'items', rows: [{ row_id: 'mine' }] });
  const again = { link_id: board.link_id, dataset_name: 'items', adapter_op: 'http_json.list', dedupe_key_field: 'id' };
  const { id: recipe_id } = await server.ok('create_dataset_recipe', again);
  expect(await refresh({ ...board, recipe_id })).toMatchObject({ rows: 1 });
  expect((await readRows(board.board_id))?.rows).toEqual([{ row_id: 'a', id: 'a' }]);
  await server.ok('delete_dataset_recipe', { recipe_id });
  const mine = { board_id: board.board_id, dataset: 'items', row_id: 'mine' };
  expect((await server.call('restore_board_row', mine)).status).toBe(200);
});

test('a source that fails leaves the rows, their age and the error, and a later refresh goes on', async () => {
  answer = { body: [{ id: 'a' }] };
  const board = await createFilled('Failing');
  await refresh(board);
  const { refreshed_at } = (await readRecipe(board.board_id)) ?? {};
  const failures: [typeof answer, string][] = [
    [{ body: 'no JSON' }, 'upstream_failed'],
    [{ body: null }, 'invalid_input'],
    [{ status: 302, headers: { location: '/other' }, body: '' }, 'upstream_failed'],
    [{ status: 404, body: {} }, 'upstream_failed'],
    [{ body: [{ id: 'x'.repeat(201) }] }, 'invalid_input'],
    [{ body: [{ id: 'b' }, { other: 1 }] }, 'invalid_input'],
    [{ body: [{ id: 'b', text: 'x'.repeat(40_000) }] }, 'invalid_input'],
    [{ body: Array.from({ length: 10_001 }, (_each, id) => ({ id })) }, 'plan_limit'],
    [{ body: `["${'x'.repeat(10_100_000)}"]` }, 'upstream_failed'],
  ];
  for (const [index, [next, code]] of failures.entries()) {
    answer = next;
    const { body } = await server.call('refresh_dataset_recipe', { recipe_id: board.recipe_id });
    expect(body['code'], `failure ${index}`).toBe(code);
    const shown = await readRecipe(board.board_id);
    expect(shown).toMatchObject({ status: 'failing', refreshed_at, rows: 1, failure: body['detail'] });
    expect((await readRows(board.board_id))?.rows).toEqual([{ row_id: 'a', id: 'a' }]);
  }
  answer = { body: [{ id: 'b' }] };
  expect(await refresh(board)).toMatchObject({ rows: 1, changed: 2 });
  expect(await readRecipe(board.board_id)).toMatchObject({ status: 'waiting', failure: null, failed_at: null });
});

test('a wrong cell is refused with row and column, and fields without a column are stored', async () => {
  answer = { body: [{ id: 'a', n: 1, more: true }] };
  const board = await createFilled('Columns');
  const columns = [{ name: 'id' }, { name: 'n', type: 'number' }];
  await server.ok('update_board', { board_id: board.board_id, datasets: { items: { columns } } });
  expect(await refresh(board)).toMatchObject({ rows: 1 });
  answer = {
    body: [
      { id: 'a', n: 1 },
      { id: 'b', n: 'two' },
    ],
  };
  const { body } = await server.call('refresh_dataset_recipe', { recipe_id: board.recipe_id });
  expect(body).toMatchObject({ code: 'invalid_input', details: { row: 1, column: 'n' } });
});

test('wrong settings of a recipe are refused by name, and nothing is made', async () => {
  const { link_id, board_id } = await createFilled('Settings');
  const good = { link_id, dataset_name: 'more', adapter_op: 'http_json.list' };
  const refused: [object, string][] = [
    [{ ...good, adapter_op: 'github.list_open_prs' }, 'adapter_op'],
    [{ ...good, params: { colour: 1 } }, 'params'],
    [{ ...good, refresh_cron: 'every hour' }, 'refresh_cron'],
    [{ ...good, refresh_cron: '0 0 30 2 *' }, 'refresh_cron'],
    [{ ...good, dedupe_target_field: 'x' }, 'dedupe_target_field'],
    [{ ...good, dedupe_key_field: 'id', dedupe_target_field: 'row_id' }, 'dedupe_target_field'],
    [{ ...good, dataset_name: '' }, 'dataset_name'],
  ];
  for (const [input, says] of refused)
    expect((await server.call('create_dataset_recipe', input)).body).toMatchObject({
      code: 'invalid_input',
      detail: expect.stringContaining(says),
    });
  for (const operation of ['refresh_dataset_recipe', 'delete_dataset_recipe'])
    expect((await server.call(operation, { recipe_id: crypto.randomUUID() })).status).toBe(404);
  expect(Object.keys((await server.ok('get_board', { board_id })).data.datasets)).toEqual(['default', 'items']);
});

test('a refresh beside another one is refused, and the one under way is shown', async () => {
  const board = await createFilled('At once');
  const until = `update dataset_recipes set lease_until = now() + interval '1 minute' where id = $1`;
  await database.rows(until, [board.recipe_id]);
  expect(await readRecipe(board.board_id)).toMatchObject({ status: 'running' });
  const second = await server.call('refresh_dataset_recipe', { recipe_id: board.recipe_id });
  expect(second.body).toMatchObject({ code: 'conflict', detail: expect.stringContaining('at this moment') });
});

test('a recipe stops when the person who made its link may edit the board no more, and the rows stay', async () => {
  const ida = await joinAs(server, database, 'ida@example.com');
  const { brain_id } = await server.ok('create_brain', { name: 'Shared' });
  await server.ok('invite_member', { brain_id, email: 'ida@example.com', access_level: 'editor' });
  const board_id = await createBoard('Of Ida', { brain_id });
  answer = { body: [{ id: 'a' }] };
  const target = { kind: 'http_json', ref: { url: `${service.url}/items` }, display_name: 'Items' };
  const { id: link_id } = await ida.ok('create_board_link', { board_id, ...target });
  const filled = { dataset_name: 'items', adapter_op: 'http_json.list', refresh_cron: '0 0 * * *' };
  const { id } = await ida.ok('create_dataset_recipe', { link_id, ...filled });
  await expect.poll(async () => (await readRows(board_id))?.total, { timeout: 30_000 }).toBe(1);
  await server.ok('remove_member', { brain_id, user_id: ida.personId });
  await database.rows('update dataset_recipes set next_at = now() where id = $1', [id]);
  await expect.poll(async () => (await readRecipe(board_id))?.status, { timeout: 30_000 }).toBe('stopped');
  expect(await readRecipe(board_id)).toMatchObject({
    next_at: null,
    failure: expect.stringContaining('no longer edit'),
  });
  expect((await readRows(board_id))?.total).toBe(1);
});
