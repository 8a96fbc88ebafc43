import { afterAll, beforeAll, expect, test } from 'vitest';
import { openAsOwner, type OwnerDatabase } from '../../../../tests/support/owner-database.ts';
import { startTestServer, type TestServer } from '../../../../tests/support/server.ts';
import { limits } from '../limits.ts';

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
async function createBoard(rows: object[] = [], columns: object[] = []) {
  const name = `Board ${(made += 1)}`;
  const { board_id } = await server.ok('create_board', { name, datasets: { default: { columns, rows } } });
  return board_id;
}
const readDataset = async (board_id: string, more: object = {}) => {
  const dataset = (await server.ok('get_board', { board_id, ...more })).data.datasets['default'];
  if (!dataset) throw new Error('the board has no default dataset');
  return dataset;
};
const append = (board_id: string, rows: object[], more: object = {}) =>
  server.ok('append_board_rows', { board_id, rows, ...more });
const patch = (board_id: string, row_id: string, cells: object, more: object = {}) =>
  server.call('update_board_row', { board_id, row_id, patch: cells, ...more });

test('every row has an id beside its fields: its own one, or one of the server, by which it is changed', async () => {
  const board_id = await createBoard([{ row_id: 'inv-1', total: 1 }, { total: 2 }]);
  const { rows, versions, columns, total } = await readDataset(board_id);
  expect(rows).toEqual([
    { row_id: 'inv-1', total: 1 },
    { row_id: expect.stringMatching(/^[0-9a-f-]{36}$/), total: 2 },
  ]);
  expect([versions, columns, total]).toEqual([[1, 1], [{ name: 'total', type: 'json' }], 2]);
  for (const { row_id } of rows)
    expect((await patch(board_id, String(row_id), { paid: true })).body).toMatchObject({ row_id, version: 2 });
  expect((await readDataset(board_id)).rows).toMatchObject([
    { row_id: 'inv-1', total: 1, paid: true },
    { total: 2, paid: true },
  ]);
});

test('a row whose id is known is skipped: stored, deleted, or earlier in the call', async () => {
  const board_id = await createBoard([{ row_id: 'a' }, { row_id: 'b' }, {}]);
  const uuid = String((await readDataset(board_id)).rows[2]?.['row_id']);
  await server.ok('delete_board_row', { board_id, row_id: 'b' });
  const rows = ['a', 'b', 'c', 'c', uuid, 7, '7'].map((row_id) => ({ row_id, n: 1 }));
  expect(await append(board_id, rows)).toEqual({ appended: 2, skipped: 5 });
  expect((await readDataset(board_id)).rows.map(({ row_id }) => row_id)).toEqual(['a', uuid, 'c', '7']);
  for (const row_id of ['x'.repeat(201), '', true, {}]) {
    const { body } = await server.call('append_board_rows', { board_id, rows: [{}, { row_id }] });
    expect(body).toMatchObject({ code: 'invalid_input', detail: expect.stringContaining('rows[1].row_id') });
  }
  expect(await append(board_id, [{ row_id: 'x'.repeat(200) }, { row_id: null }])).toMatchObject({ appended: 2 });
  const byId = { dedupe_key_field: 'row_id' };
  expect(await append(board_id, [{ row_id: 'c' }, { row_id: 'd' }], byId)).toEqual({ appended: 1, skipped: 1 });
});

test('8 writers append the same ids at the same time, and each is stored once', async () => {
  const board_id = await createBoard();
  const rows = Array.from({ length: 25 }, (_each, n) => ({ row_id: `m${n}`, n }));
  const answers = await Promise.all(Array.from({ length: 8 }, () => append(board_id, rows)));
  expect(answers.reduce((sum, { appended }) => sum + appended, 0)).toBe(25);
  expect((await readDataset(board_id)).total).toBe(25);
});

test('two patches of one row at once are both kept, and one by an old version changes nothing', async () => {
  const board_id = await createBoard([{ row_id: 'r' }]);
  const both = await Promise.all([patch(board_id, 'r', { a: 1 }), patch(board_id, 'r', { b: 2 })]);
  expect(both.map(({ body }) => body['version']).toSorted()).toEqual([2, 3]);
  const now = { row_id: 'r', a: 1, b: 2 };
  const old = await patch(board_id, 'r', { a: 9 }, { expected_version: 2 });
  expect([old.status, old.body]).toMatchObject([
    409,
    { code: 'conflict', details: { row_id: 'r', version: 3, row: now } },
  ]);
  expect((await readDataset(board_id)).rows).toEqual([now]);
  const racing = await Promise.all([1, 2, 3].map((a) => patch(board_id, 'r', { a }, { expected_version: 3 })));
  expect(racing.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
});

test('a patch beside a deletion comes before it, or finds no row; the row comes back with what it had', async () => {
  const board_id = await createBoard(Array.from({ length: 8 }, (_each, n) => ({ row_id: `r${n}` })));
  for (let n = 0; n < 8; n += 1) {
    const row_id = `r${n}`;
    const deleted = server.ok('delete_board_row', { board_id, row_id });
    const patched = await patch(board_id, row_id, { late: true });
    await deleted;
    expect([200, 404]).toContain(patched.status);
    const { row } = await server.ok('restore_board_row', { board_id, row_id });
    expect(row).toEqual(patched.status === 200 ? { row_id, late: true } : { row_id });
  }
});

test('a wrong cell is refused with its row and column, and nothing is written', async () => {
  const columns = [
    { name: 'day', type: 'date' },
    { name: 'total', type: 'number' },
  ];
  const board_id = await createBoard([{ row_id: 'r', total: 1 }], columns);
  const refused = async (cells: object) => {
    const { status, body } = await patch(board_id, 'r', { total: 2, ...cells });
    expect([status, body['code']]).toEqual([422, 'invalid_input']);
    return body as { detail: string; details: object };
  };
  expect(await refused({ day: 'Monday' })).toMatchObject({
    detail: 'row r.day: must be of type date.',
    details: { row: 'r', column: 'day' },
  });
  expect((await refused({ other: 1 })).detail).toContain('no column other');
  expect((await refused({ row_id: 's' })).details).toEqual({ row: 'r', column: 'row_id' });
  expect((await refused({ day: null, total: 'x'.repeat(limits.bytesPerRow) })).detail).toContain('row r.total');
  expect((await patch(board_id, 'r', {})).status).toBe(422);
  expect((await readDataset(board_id)).rows).toEqual([{ row_id: 'r', total: 1 }]);
  const { body } = await server.call('append_board_rows', { board_id, rows: [{ total: 1 }, { total: 'two' }] });
  expect(body['details']).toEqual({ row: 1, column: 'total' });
  const free = await createBoard([{ row_id: 'r', a: 'x'.repeat(20_000) }]);
  expect((await patch(free, 'r', { b: 'x'.repeat(20_000) })).body['code']).toBe('invalid_input');
  expect((await patch(free, 'r', { a: null })).body['row']).toEqual({ row_id: 'r', a: null });
});

test('a deleted row is neither listed nor counted, comes back within 7 days, and is purged after them', async () => {
  const board_id = await createBoard([{ row_id: 'r', total: 1 }, { row_id: 's' }]);
  const first = await server.ok('delete_board_row', { board_id, row_id: 'r' });
  expect(await server.ok('delete_board_row', { board_id, row_id: 'r' })).toEqual(first);
  expect((await readDataset(board_id)).rows).toEqual([{ row_id: 's' }]);
  const listed = (await server.ok('list_boards', { limit: 200 })).boards.find((each) => each.board_id === board_id);
  expect(listed?.rows).toBe(1);
  expect((await server.ok('query_board_rows', { board_id })).total).toBe(1);
  const changed = await patch(board_id, 'r', { total: 2 });
  expect([changed.status, changed.body['detail']]).toEqual([404, expect.stringContaining('restore_board_row')]);
  const restored = { row_id: 'r', version: 3, row: { row_id: 'r', total: 1 } };
  expect(await server.ok('restore_board_row', { board_id, row_id: 'r' })).toEqual(restored);
  expect(await server.ok('restore_board_row', { board_id, row_id: 'r' })).toEqual(restored);
  await server.ok('delete_board_row', { board_id, row_id: 'r' });
  await database.rows(
    `update board_rows set deleted_at = now() - interval '7 days 1 minute' where board_id = $1 and deleted_at is not null`,
    [board_id],
  );
  expect((await server.call('restore_board_row', { board_id, row_id: 'r' })).status).toBe(404);
  await database.rows(`insert into jobs.job (name) values ('tidy')`);
  const stored = () => database.rows('select row_key from board_rows where board_id = $1', [board_id]);
  await expect.poll(stored).toEqual([{ row_key: 's' }]);
  expect(await append(board_id, [{ row_id: 'r' }])).toMatchObject({ appended: 1 });
});

test('rows of other datasets, boards and made up ids are not found', async () => {
  const board_id = await createBoard([{ row_id: 'r' }]);
  const other = await createBoard([{ row_id: 'other' }, {}]);
  const uuid = (await readDataset(other)).rows[1]?.['row_id'];
  for (const row_id of ['other', uuid, 'nothing', crypto.randomUUID()])
    for (const operation of ['update_board_row', 'delete_board_row', 'restore_board_row']) {
      const patched = operation === 'update_board_row' ? { patch: { a: 1 } } : {};
      expect((await server.call(operation, { board_id, row_id, ...patched })).status, operation).toBe(404);
    }
  const gone = await server.call('delete_board_row', { board_id, dataset: 'absent', row_id: 'r' });
  expect(gone.status).toBe(404);
  const absent = (await server.ok('get_board', { board_id, dataset: 'absent' })).data.datasets;
  expect(absent).toEqual({ absent: { columns: [], rows: [], versions: [], total: 0 } });
  expect((await server.ok('query_board_rows', { board_id, dataset: 'absent' })).rows).toEqual([]);
});

test('a board is read a dataset at a time, by limit and offset', async () => {
  const board_id = await createBoard(Array.from({ length: 5 }, (_each, n) => ({ n })));
  await append(board_id, [{ n: 10 }, { n: 11 }], { dataset: 'other' });
  const numbers = async (more: object) => {
    const { datasets } = (await server.ok('get_board', { board_id, ...more })).data;
    return Object.fromEntries(Object.entries(datasets).map(([name, { rows }]) => [name, rows.map(({ n }) => n)]));
  };
  expect(await numbers({})).toEqual({ default: [0, 1, 2, 3, 4], other: [10, 11] });
  expect(await numbers({ limit: 2, offset: 1 })).toEqual({ default: [1, 2], other: [11] });
  expect(await numbers({ dataset: 'default', limit: 10_000, offset: 3 })).toEqual({ default: [3, 4] });
  expect(await numbers({ dataset: 'other', offset: 50 })).toEqual({ other: [] });
  expect((await readDataset(board_id, { limit: 1 })).total).toBe(5);
  for (const wrong of [{ limit: 0 }, { limit: 10_001 }, { offset: -1 }, { dataset: '' }])
    expect((await server.call('get_board', { board_id, ...wrong })).body['code']).toBe('invalid_input');
  const rest = await server.request(`/v1/boards/${board_id}?dataset=other&limit=1`, {
    headers: { authorization: `Bearer ${server.key}` },
  });
  expect(await rest.json()).toMatchObject({ data: { datasets: { other: { rows: [{ n: 10 }] } } } });
});

test('rows that are too large for one answer are refused with a way to read them', async () => {
  const board_id = await createBoard();
  await database.rows(
    `insert into board_rows (id, workspace_id, board_id, dataset, fields, created_by, created_at)
      select gen_random_uuid(), workspace_id, id, 'default', jsonb_build_object('text', repeat('x', 32000)), 'x', now()
        from boards, generate_series(1, 2200) where id = $1`,
    [board_id],
  );
  const { status, body } = await server.call('get_board', { board_id });
  expect([status, body['detail']]).toEqual([422, expect.stringContaining('limit and offset')]);
  expect((await readDataset(board_id, { limit: 10 })).rows).toHaveLength(10);
});

test('a row that is patched twice starts its automation twice, and one that is appended starts it once', async () => {
  const board_id = await createBoard();
  const { automation_id } = await server.ok('save_automation_draft', {
    name: `Follows rows ${board_id}`,
    source: 'return args.trigger.payload.row_ids;',
    triggers: [{ kind: 'board_change', board_id }],
    tool_grants: [{ tool: 'get_board' }],
  });
  await server.ok('update_automation', { automation_id, state: 'active' });
  const runs = async () => (await server.ok('list_automation_runs', { automation_id })).runs;
  const statuses = async () => (await runs()).map(({ status }) => status);
  await append(board_id, [{ row_id: 'r', n: 1 }]);
  await expect.poll(statuses).toEqual(['succeeded']);
  await patch(board_id, 'r', { n: 2 });
  await patch(board_id, 'r', { n: 3 });
  await expect.poll(statuses).toEqual(['succeeded', 'succeeded', 'succeeded']);
  const results = await Promise.all(
    (await runs()).map(async ({ run_id }) => (await server.ok('get_automation_run', { run_id })).result),
  );
  expect(results).toEqual([['r'], ['r'], ['r']]);
});

test('a board moves to another brain of an archive with the ids and versions of its rows, and without deleted ones', async () => {
  const { brain_id } = await server.ok('create_brain', { name: 'Moving' });
  const { board_id } = await server.ok('create_board', { name: 'Moved', brain_id });
  await append(board_id, [{ row_id: 'kept', n: 1 }, { row_id: 'gone' }, { n: 3 }]);
  await patch(board_id, 'kept', { n: 2 });
  await server.ok('delete_board_row', { board_id, row_id: 'gone' });
  const lines = JSON.stringify(await server.ok('export_brain', { brain_id, form: 'archive' }));
  expect(lines).toContain('"row_key":"kept"');
  expect(lines).toContain('"version":2');
  expect(lines).not.toContain('gone');
  const exported = JSON.stringify(await server.ok('export_brain', { brain_id }));
  expect(exported).toContain('"row_id":"kept"');
  expect(exported).not.toContain('gone');
});
