import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openAsOwner, type OwnerDatabase } from '../../../tests/support/owner-database.ts';
import { addPerson } from '../../../tests/support/second-person.ts';
import { startTestServer, type TestServer } from '../../../tests/support/server.ts';
import { limits } from './limits.ts';

let server: TestServer;
let database: OwnerDatabase;
beforeAll(async () => {
  server = await startTestServer();
  database = await openAsOwner(server.connectionString);
});
afterAll(async () => {
  await database.close();
  await server.close();
});

let made = 0;
async function createBoard(more: Record<string, unknown> = {}) {
  const { board_id } = await server.ok('create_board', { name: `Board ${(made += 1)}`, ...more });
  return board_id;
}
const append = (board_id: string, rows: object[], more: Record<string, unknown> = {}) =>
  server.ok('append_board_rows', { board_id, rows, ...more });
const readRows = async (board_id: string, dataset = 'default') =>
  (await server.ok('get_board', { board_id })).data.datasets[dataset]?.rows ?? [];
/** The fields of all rows, without their ids. */
const listRows = async (board_id: string, dataset = 'default') =>
  (await readRows(board_id, dataset)).map(({ row_id: _id, ...fields }) => fields);

test('a board is found by its id and by its name, and has a dataset called default', async () => {
  const board_id = await createBoard({ name: 'Revenue weekly' });
  await append(board_id, [{ week: '2026-W1', total: 12 }]);
  const found = await server.ok('get_board', { name: 'revenue WEEKLY' });
  expect(found).toMatchObject({
    id: board_id,
    data: { datasets: { default: { rows: [{ week: '2026-W1', total: 12 }] } } },
  });
  expect(found.data.datasets['default']?.columns.map(({ name }) => name).toSorted()).toEqual(['total', 'week']);
  expect((await server.call('get_board', { name: 'Nobody' })).status).toBe(404);
  expect((await server.call('create_board', { name: 'REVENUE weekly' })).status).toBe(409);
});

test('many callers append rows at the same time, and each key is stored once', async () => {
  const board_id = await createBoard();
  const rows = Array.from({ length: 20 }, (_each, index) => ({ email_id: `m${index}`, n: index }));
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => append(board_id, rows, { dedupe_key_field: 'email_id' })),
  );
  expect(answers.reduce((sum, { appended }) => sum + appended, 0)).toBe(20);
  expect(answers.reduce((sum, { skipped }) => sum + skipped, 0)).toBe(180);
  expect(await listRows(board_id)).toEqual(rows);
});

test('rows without a key, repeated in one call, or named in a list of a row are recognised as duplicates', async () => {
  const board_id = await createBoard();
  await append(board_id, [{ post: 'p1' }, { post: 'x', updates: ['p2', { post: 'p3' }] }]);
  const of = (post: string) => ({ post });
  const more = { dedupe_key_field: 'post', dedupe_target_field: 'updates' };
  expect(await append(board_id, ['p1', 'p2', 'p3', 'p4', 'p4'].map(of), more)).toEqual({ appended: 1, skipped: 4 });
  expect((await server.call('append_board_rows', { board_id, rows: [{}], ...more })).body).toMatchObject({
    code: 'invalid_input',
  });
});

test('columns are checked, and the error names the row and the field', async () => {
  const columns = [
    { name: 'day', type: 'date' },
    { name: 'total', type: 'number' },
  ];
  const board_id = await createBoard({ datasets: { sales: { columns, rows: [{ day: '2026-01-01', total: 1 }] } } });
  const refused = async (fields: object) =>
    (await server.call('append_board_rows', { board_id, dataset: 'sales', rows: [{ total: 2 }, fields] })).body[
      'detail'
    ];
  expect(await refused({ total: 'two' })).toContain('rows[1].total');
  expect(await refused({ day: 'Monday' })).toContain('rows[1].day');
  expect(await refused({ other: 1 })).toContain('no column other');
  await append(board_id, [{ total: null, day: '2026-01-02T10:00:00Z' }], { dataset: 'sales' });
  expect(await listRows(board_id, 'sales')).toHaveLength(2);
});

test('a board follows its brain: only readers of the brain see it, only writers append rows, and it is deleted with the brain', async () => {
  const { brain_id } = await server.ok('create_brain', { name: 'Sales' });
  const board_id = await createBoard({ brain_id });
  await append(board_id, [{ a: 1 }]);
  const { key } = await server.ok('create_key', { label: 'Narrow', reach: 'brain' });
  expect((await server.call('get_board', { board_id }, { key: String(key) })).status).toBe(404);
  const lines = await server.ok('export_brain', { brain_id });
  expect(JSON.stringify(lines)).toContain('"kind":"board_row"');
  const { counts } = await server.ok('delete_brain', { brain_id, confirm: 'Sales Brain' });
  expect(counts).toMatchObject({ boards: 1, board_rows: 1 });
  expect((await server.call('get_board', { board_id })).status).toBe(404);
});

test('a change of a board starts the automations with that trigger, and none starts itself', async () => {
  const board_id = await createBoard();
  const { automation_id } = await server.ok('save_automation_draft', {
    name: 'Follow',
    source: `const { payload } = args.trigger;
await brains.append_board_rows({ board_id: payload.board_id, rows: [{ seen: payload.row_ids.length }] });`,
    triggers: [{ kind: 'board_change', board_id }],
    tool_grants: [{ tool: 'append_board_rows', params: { board_id } }],
  });
  await server.ok('update_automation', { automation_id, state: 'active' });
  await append(board_id, [{ a: 1 }, { a: 2 }]);
  const runs = async () =>
    (await server.ok('list_automation_runs', { automation_id })).runs.map(({ status }) => status);
  await expect.poll(runs).toEqual(['succeeded']);
  expect(await listRows(board_id)).toEqual([{ a: 1 }, { a: 2 }, { seen: 2 }]);
  await append(board_id, [{ a: 3 }]);
  await expect.poll(runs).toEqual(['succeeded', 'succeeded']);
});

test('a viewer of the brain can read its board, and cannot append rows', async () => {
  const { brain_id } = await server.ok('create_brain', { name: 'Read only' });
  const board_id = await createBoard({ brain_id });
  const viewer = await addPerson(database);
  await database.rows(
    `insert into brain_members (brain_id, person_id, workspace_id, access_level, created_at)
      select id, $2, workspace_id, 'viewer', now() from brains where id = $1`,
    [brain_id, viewer.personId],
  );
  expect((await server.call('get_board', { board_id }, { key: viewer.key })).status).toBe(200);
  const refused = await server.call('append_board_rows', { board_id, rows: [{ a: 1 }] }, { key: viewer.key });
  expect([refused.status, refused.body['code']]).toEqual([403, 'forbidden']);
  expect(await listRows(board_id)).toEqual([]);
});

test('the limits of boards apply: rows of a call and of a dataset, the size of a row, datasets and columns', async () => {
  const board_id = await createBoard();
  const tried = async (rows: object[], dataset = 'default') => {
    const { status, body } = await server.call('append_board_rows', { board_id, dataset, rows });
    return status === 200 ? body['appended'] : body['code'];
  };
  const rows = (count: number) => Array.from({ length: count }, (_each, n) => ({ n }));
  expect(await tried(rows(limits.rowsPerCall + 1))).toBe('invalid_input');
  expect(await tried(rows(limits.rowsPerCall))).toBe(limits.rowsPerCall);
  const ofBytes = (bytes: number) => [{ text: 'x'.repeat(bytes - '{"text":""}'.length) }];
  expect(await tried(ofBytes(limits.bytesPerRow + 1))).toBe('invalid_input');
  expect(await tried(ofBytes(limits.bytesPerRow))).toBe(1);
  await database.rows(
    `insert into board_rows select gen_random_uuid(), workspace_id, id, 'default', '{}', 'x', now()
      from boards, generate_series(1, $2::int) where id = $1`,
    [board_id, limits.rowsPerDataset - limits.rowsPerCall - 2],
  );
  expect(await tried(rows(2))).toBe('plan_limit');
  expect(await tried(rows(1))).toBe(1);
  await database.rows(
    `insert into board_datasets (board_id, workspace_id, name, columns, created_at)
      select id, workspace_id, 'set ' || n, '[]', now() from boards, generate_series(1, $2::int) n where id = $1`,
    [board_id, limits.datasets - 2],
  );
  expect(await tried(rows(1), 'the last')).toBe(1);
  expect(await tried(rows(1), 'one more')).toBe('plan_limit');
  const columns = Array.from({ length: limits.columns + 1 }, (_each, n) => ({ name: `c${n}` }));
  const wide = await server.call('create_board', { name: 'Wide', datasets: { wide: { columns } } });
  expect(wide.body['code']).toBe('invalid_input');
});

test('the example of the guide runs unchanged, and writes each mail once', async () => {
  const guide = readFileSync(new URL('../../../docs/guide/automations.md', import.meta.url), 'utf8');
  const source = /## The script\n\n```ts\n([\s\S]*?)```/.exec(guide)?.[1] ?? '';
  const { brain_id } = await server.ok('create_brain', { name: 'Guide' });
  await createBoard({ name: 'CRM', brain_id });
  await server.ok('create_page', { title: 'Invoice of May', body: 'Please pay.', type: 'email', brain_id });
  const tools = ['get_board', 'search', 'append_board_rows'].map((tool) => ({ tool }));
  const { automation_id } = await server.ok('save_automation_draft', {
    name: 'Of the guide',
    source,
    triggers: [{ kind: 'manual' }],
    tool_grants: tools,
  });
  for (const _time of [1, 2])
    expect(await server.ok('run_automation_once', { automation_id })).toMatchObject({ status: 'succeeded' });
  const { data } = await server.ok('get_board', { name: 'CRM' });
  expect(data.datasets['default']?.rows).toEqual([
    { row_id: expect.any(String), email_id: expect.any(String), subject: 'Invoice of May' },
  ]);
});

test('a script that reads its board before it writes runs twice and writes once', async () => {
  const { source, tool_grants } = weekly;
  await createBoard({ name: 'Weekly numbers' });
  const { automation_id } = await server.ok('save_automation_draft', {
    name: 'Weekly',
    source,
    triggers: [{ kind: 'manual' }],
    tool_grants,
  });
  const first = await server.ok('run_automation_once', { automation_id });
  expect(first).toMatchObject({ status: 'succeeded' });
  const second = await server.ok('run_automation_once', { automation_id });
  expect(second.stdout).toMatch(/already wrote 20\d\d-W\d+, exiting/);
  expect((await server.ok('get_board', { name: 'Weekly numbers' })).data.datasets['default']?.rows).toHaveLength(1);
});

const weekly = {
  tool_grants: [{ tool: 'get_board' }, { tool: 'append_board_rows' }],
  source: `import { brains } from "https://brains/sdks/automation-sdk-v1.ts";

const board = await brains.get_board({ name: "Weekly numbers" });
const rows = board.data.datasets.default.rows;
const today = new Date();
const slug = \`\${today.getFullYear()}-W1\`;
if (rows.some((r) => r.week === slug)) {
  console.log(\`already wrote \${slug}, exiting\`);
  return;
}
await brains.append_board_rows({
  board_id: board.id,
  rows: [{ week: slug, total: 1, generated_at: new Date().toISOString() }],
});`,
};
