import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createClient } from '#sdk';
import { sendArchive } from '#sdk/archives';
import { startTestServer, type TestServer } from '../../../tests/support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const at = '2026-01-01T00:00:00Z';
const boardId = '019b0000-0000-7000-8000-000000000001';
const rowId = '019b0000-0000-7000-8000-000000000002';

/** An archive of the first format: rows have no id of their own, no version and no time of a change. */
function buildEarlierArchive(): string[] {
  const about = { is_personal: false, description: '', routing_rules: '', language: 'en', created_at: at };
  const board = { description: '', skills: ['sort'], dashboard: {}, links: [], created_by: 'Ada' };
  const items: [string, object][] = [
    ['brain', { parent: null, name: 'Earlier', ...about }],
    ['board', { id: boardId, name: 'Leads', ...board, created_at: at, updated_at: at }],
    ['dataset', { board_id: boardId, name: 'default', columns: [{ name: 'n', type: 'number' }], created_at: at }],
    [
      'board_row',
      { id: rowId, board_id: boardId, dataset: 'default', fields: { n: 1 }, created_by: 'Ada', created_at: at },
    ],
  ];
  return [
    { format: 'thalamus-archive', version: 1 },
    ...items.map(([kind, item]) => ({ kind, brain: 1, item })),
    { end: true, lines: items.length + 2 },
  ].map((line) => JSON.stringify(line));
}

test('a board of an archive from an earlier release is imported, and its rows are changed as any others', async () => {
  const lines = buildEarlierArchive();
  const sha256 = createHash('sha256')
    .update(`${lines.join('\n')}\n`)
    .digest('hex');
  const read = async function* () {
    yield* lines;
  };
  const { call } = createClient({ url: server.url, key: server.key });
  const { brain_ids } = await sendArchive(call, { sha256, lines: lines.length, read });
  const [board] = (await server.ok('list_boards', { brain_id: brain_ids[0] })).boards;
  const board_id = board?.board_id;
  const readRows = async () => (await server.ok('get_board', { board_id })).data.datasets['default'];
  const before = await readRows();
  expect(before).toMatchObject({ rows: [{ row_id: expect.any(String), n: 1 }], versions: [1], total: 1 });
  const row_id = before?.rows[0]?.['row_id'];
  expect(await server.ok('update_board_row', { board_id, row_id, patch: { n: 2 } })).toMatchObject({ version: 2 });
  await server.ok('append_board_rows', { board_id, rows: [{ row_id: 'own', n: 3 }, { row_id }] });
  expect((await readRows())?.rows.map(({ n }) => n)).toEqual([2, 3]);
});
