import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../../tests/support/server.ts';

let server: TestServer;
beforeAll(async () => void (server = await startTestServer()));
afterAll(() => server.close());

let made = 0;
async function board(more: Record<string, unknown> = {}) {
  const { board_id } = await server.ok('create_board', { name: `Board ${(made += 1)}`, ...more });
  return board_id;
}
const append = (board_id: string, rows: object[], more: Record<string, unknown> = {}) =>
  server.ok('append_board_rows', { board_id, rows, ...more });
const rowsOf = async (board_id: string, dataset = 'default') =>
  (await server.ok('get_board', { board_id })).data.datasets[dataset]?.rows;

test('a board is found by its id and by its name, and has a dataset called default', async () => {
  const board_id = await board({ name: 'Revenue weekly' });
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
  const board_id = await board();
  const rows = Array.from({ length: 20 }, (_each, index) => ({ email_id: `m${index}`, n: index }));
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => append(board_id, rows, { dedupe_key_field: 'email_id' })),
  );
  expect(answers.reduce((sum, { appended }) => sum + appended, 0)).toBe(20);
  expect(answers.reduce((sum, { skipped }) => sum + skipped, 0)).toBe(180);
  expect(await rowsOf(board_id)).toEqual(rows);
});

test('rows without a key, repeated in one call, or named in a list of a row are recognised as duplicates', async () => {
  const board_id = await board();
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
  const board_id = await board({ datasets: { sales: { columns, rows: [{ day: '2026-01-01', total: 1 }] } } });
  const refused = async (fields: object) =>
    (await server.call('append_board_rows', { board_id, dataset: 'sales', rows: [{ total: 2 }, fields] })).body[
      'detail'
    ];
  expect(await refused({ total: 'two' })).toContain('rows[1].total');
  expect(await refused({ day: 'Monday' })).toContain('rows[1].day');
  expect(await refused({ other: 1 })).toContain('no column other');
  await append(board_id, [{ total: null, day: '2026-01-02T10:00:00Z' }], { dataset: 'sales' });
  expect(await rowsOf(board_id, 'sales')).toHaveLength(2);
});

test('a board follows its brain: only readers of the brain see it, only writers append, and it is deleted with the brain', async () => {
  const { brain_id } = await server.ok('create_brain', { name: 'Sales' });
  const board_id = await board({ brain_id });
  await append(board_id, [{ a: 1 }]);
  const { key } = await server.ok('create_key', { label: 'Narrow', reach: 'brain' });
  expect((await server.call('get_board', { board_id }, { key: String(key) })).status).toBe(404);
  const lines = await server.ok('export_brain', { brain_id });
  expect(JSON.stringify(lines)).toContain('"kind":"board_row"');
  const { counts } = await server.ok('delete_brain', { brain_id, confirm: 'Sales Brain' });
  expect(counts).toMatchObject({ boards: 1, board_rows: 1 });
  expect((await server.call('get_board', { board_id })).status).toBe(404);
});

test('a change of a board starts the automations that wait for it, and none starts itself', async () => {
  const board_id = await board();
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
  expect(await rowsOf(board_id)).toEqual([{ a: 1 }, { a: 2 }, { seen: 2 }]);
  await append(board_id, [{ a: 3 }]);
  await expect.poll(runs).toEqual(['succeeded', 'succeeded']);
});

test('the example of the guide runs as it is written', async () => {
  const { source, tool_grants } = weekly;
  await board({ name: 'Weekly of the guide' });
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
  expect((await server.ok('get_board', { name: 'Weekly of the guide' })).data.datasets['default']?.rows).toHaveLength(
    1,
  );
});

const weekly = {
  tool_grants: [{ tool: 'get_board' }, { tool: 'append_board_rows' }],
  source: `import { brains } from "https://brains/sdks/automation-sdk-v1.ts";

const board = await brains.get_board({ name: "Weekly of the guide" });
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
