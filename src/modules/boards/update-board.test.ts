import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../../tests/support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const update = (board_id: string, more: object) => server.call('update_board', { board_id, ...more });

test('a board gets another name, description, skills and dashboard, and keeps its rows', async () => {
  const { board_id } = await server.ok('create_board', { name: 'Old', datasets: { default: { rows: [{ a: 1 }] } } });
  await server.ok('create_board', { name: 'Taken' });
  const changed = await server.ok('update_board', {
    board_id,
    name: 'New',
    description: 'What is open',
    skills: ['sort'],
    dashboard: { figures: 1 },
  });
  expect(changed).toMatchObject({ name: 'New', url: expect.stringMatching(/\/boards\//) });
  const board = await server.ok('get_board', { name: 'new' });
  expect(board).toMatchObject({
    id: board_id,
    description: 'What is open',
    skills: ['sort'],
    dashboard: { figures: 1 },
  });
  expect(board.data.datasets['default']?.rows).toMatchObject([{ a: 1 }]);
  expect((await update(board_id, { name: 'TAKEN' })).body['code']).toBe('conflict');
  expect((await update(board_id, { name: 'NEW' })).status).toBe(200);
  expect((await update(board_id, {})).body['code']).toBe('invalid_input');
});

test('columns change where the rows fit, and the first row that does not is named', async () => {
  const rows = [
    { row_id: 'r1', amount: 1, day: '2026-01-01', note: 'x' },
    { row_id: 'r2', amount: 'two', day: 'soon' },
  ];
  const { board_id } = await server.ok('create_board', { name: 'Typed', datasets: { default: { rows } } });
  const refused = await update(board_id, { datasets: { default: { columns: [{ name: 'amount', type: 'number' }] } } });
  expect(refused.body).toMatchObject({ code: 'invalid_input', details: { row: 'r2', column: 'amount' } });
  const days = await update(board_id, { datasets: { default: { columns: [{ name: 'day', type: 'date' }] } } });
  expect(days.body).toMatchObject({ code: 'invalid_input', details: { row: 'r2', column: 'day' } });
  await server.ok('update_board_row', { board_id, row_id: 'r2', patch: { amount: 2 } });
  const columns = [
    { name: 'amount', type: 'number' },
    { name: 'new', type: 'text' },
  ];
  expect((await update(board_id, { datasets: { default: { columns }, second: { columns } } })).status).toBe(200);
  const { datasets } = (await server.ok('get_board', { board_id })).data;
  expect([datasets['default']?.columns, datasets['second']?.columns]).toEqual([columns, columns]);
  expect(datasets['default']?.rows[0]).toMatchObject({ note: 'x' });
  const wrong = await server.call('append_board_rows', { board_id, rows: [{ note: 'y' }] });
  expect(wrong.body['detail']).toContain('no column note');
});

test('two people rename boards to one name at once, and one of them gets a conflict', async () => {
  const made = await Promise.all(['One', 'Two'].map((name) => server.ok('create_board', { name })));
  const answers = await Promise.all(made.map(({ board_id }) => update(board_id, { name: 'Same' })));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
});
