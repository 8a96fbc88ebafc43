import { beforeEach, expect, test } from 'vitest';
import { joinAs } from '../../../../tests/support/colleague.ts';
import { openAsOwner } from '../../../../tests/support/owner-database.ts';
import { startTestServer } from '../../../../tests/support/server.ts';
import { buildModelSettings, shareModel } from '../../../../tests/support/share-model.ts';
import { share } from '../../../../tests/support/share.ts';

const model = shareModel();
const server = share(() => startTestServer(buildModelSettings(model)));
const database = share(() => openAsOwner(server.connectionString));

const columns = [
  { name: 'mail' },
  { name: 'kind of lead' },
  { name: 'score', type: 'number' },
  { name: 'due', type: 'date' },
];
const sort = {
  name: 'Sort',
  description: 'Sorts leads',
  prompt: 'Sort each lead by its mail.',
  dataset: 'leads',
  reads: ['mail'],
  fills: ['kind of lead', 'score', 'due'],
};
const rows = [
  { row_id: 'a', mail: 'We need 500 pumps by May' },
  { row_id: 'b', mail: 'Unsubscribe me', 'kind of lead': null },
  { row_id: 'c', mail: 'Done', 'kind of lead': 'old', score: 1, due: '2026-01-01' },
];
let names = 0;
const createBoard = async (more: object = {}) =>
  (
    await server.ok('create_board', {
      name: `Leads ${(names += 1)}`,
      datasets: { leads: { columns, rows } },
      skills: ['Only a name', sort],
      ...more,
    })
  ).board_id;
const run = (board_id: string, more: object = {}) =>
  server.call('run_board_skill', { board_id, skill: 'Sort', ...more });
const readRows = async (board_id: string) =>
  (await server.ok('get_board', { board_id })).data.datasets['leads']?.rows ?? [];
type AnsweredRow = Record<string, unknown>;

/** What the model answers, whatever it is asked. */
function setAnswer(answered: AnsweredRow[] | string, before: () => Promise<unknown> = async () => undefined) {
  model.clearFixtures();
  model.onMessage(/./, async () => {
    await before();
    const content = typeof answered === 'string' ? answered : JSON.stringify({ rows: answered });
    return { content, usage: { prompt_tokens: 100, completion_tokens: 10 } };
  });
}
const good = [
  { row: 2, c1: 'spam', c2: 0, c3: null },
  { row: 1, c1: 'order', c2: 9.5, c3: '2026-05-01' },
];
beforeEach(() => model.clearRequests());

test('a skill fills the empty cells of its rows at once, and shows the model only the columns that it reads', async () => {
  const board_id = await createBoard();
  expect((await server.ok('get_board', { board_id })).skills).toEqual(['Only a name', sort]);
  setAnswer(good);
  const { body } = await run(board_id, { inputs: { today: '2026-04-01' } });
  expect(body).toMatchObject({ skill: 'Sort', dataset: 'leads', changed: 2, remaining: 0 });
  expect(await readRows(board_id)).toEqual([
    { ...rows[0], 'kind of lead': 'order', score: 9.5, due: '2026-05-01' },
    { ...rows[1], 'kind of lead': 'spam', score: 0 },
    rows[2],
  ]);
  const asked = JSON.stringify(model.getRequests().map((request) => request.body));
  for (const part of ['Sort each lead', '500 pumps', '2026-04-01', 'kind of lead', 'Unsubscribe'])
    expect(asked).toContain(part);
  expect(asked).not.toContain('old');
  const { usage } = await server.ok('list_llm_usage', { tag: 'board_skill' });
  expect(usage).toMatchObject([{ tag: 'board_skill', outcome: 'ok' }]);
  const events = await database.rows(
    `select payload from events where name = 'board.changed' and payload ->> 'board_id' = $1 order by id desc limit 1`,
    [board_id],
  );
  expect(events).toMatchObject([{ payload: { row_ids: ['a', 'b'] } }]);
});

test('rows that are named are filled again, in their order, and a cell that the model does not know stays', async () => {
  const board_id = await createBoard();
  setAnswer([{ row: 1, c1: 'older', c2: null, c3: null }]);
  const { body } = await run(board_id, { row_ids: ['c'] });
  expect(body).toMatchObject({ changed: 1, rows: [{ row_id: 'c', version: 2, is_changed: true }] });
  expect((await readRows(board_id))[2]).toEqual({ ...rows[2], 'kind of lead': 'older' });
  expect((await run(board_id, { row_ids: ['c'] })).body).toMatchObject({ changed: 0, rows: [{ version: 2 }] });
});

test.for<[string, AnsweredRow[] | string]>([
  ['leaves a row out', good.slice(1)],
  ['answers a row twice', [...good, { row: 2, c1: 'x', c2: 1, c3: null }]],
  ['makes a row up', [...good, { row: 3, c1: 'x', c2: 1, c3: null }]],
  ['answers a text for a number', [{ row: 1, c1: 'x', c2: 'many', c3: null }, good[0] ?? {}]],
  ['answers no date', [{ row: 1, c1: 'x', c2: 1, c3: 'soon' }, good[0] ?? {}]],
  ['answers more than a row may have', [{ row: 1, c1: 'x'.repeat(40_000), c2: 1, c3: null }, good[0] ?? {}]],
  ['answers no JSON', 'I would rather not.'],
])('when the model %s, nothing is written and the error says so', async ([, answered]) => {
  const board_id = await createBoard();
  setAnswer(answered);
  const { status, body } = await run(board_id);
  expect([status, body['code']]).toEqual([502, 'upstream_failed']);
  expect(await readRows(board_id)).toEqual(rows);
});

test('a row that changes while the model is asked keeps what a person wrote, and another column changes nothing', async () => {
  const board_id = await createBoard();
  const change = (patch: object) =>
    server.ok('update_board_row', { board_id, dataset: 'leads', row_id: 'a', patch } as never);
  setAnswer(good, () => change({ 'kind of lead': 'by hand' }));
  expect((await run(board_id)).body).toMatchObject({ code: 'conflict', details: { row_id: 'a', version: 2 } });
  expect(await readRows(board_id)).toEqual([{ ...rows[0], 'kind of lead': 'by hand' }, rows[1], rows[2]]);
  const other = await createBoard({ datasets: { leads: { columns: [...columns, { name: 'note' }], rows } } });
  setAnswer(good, () =>
    server.ok('update_board_row', { board_id: other, dataset: 'leads', row_id: 'a', patch: { note: 'hot' } }),
  );
  expect((await run(other)).status).toBe(200);
  expect((await readRows(other))[0]).toMatchObject({ note: 'hot', score: 9.5 });
});

test('a skill that cannot run says why, and the model is not asked', async () => {
  const board_id = await createBoard();
  const refused: [object, string, string][] = [
    [{ skill: 'Other' }, 'invalid_input', 'no skill Other'],
    [{ skill: 'Only a name' }, 'invalid_input', 'only a name'],
    [{ row_ids: ['a', 'lost'] }, 'not_found', 'lost'],
    [{ row_ids: ['a', 'a'] }, 'invalid_input', 'twice'],
    [{ row_ids: [] }, 'invalid_input', 'row_ids'],
    [{ inputs: { text: 'x'.repeat(210_000) } }, 'invalid_input', 'too large'],
    [{ board_id: crypto.randomUUID() }, 'not_found', 'board'],
  ];
  for (const [more, code, says] of refused)
    expect((await run(board_id, more)).body).toMatchObject({ code, detail: expect.stringContaining(says) });
  await server.ok('update_board', { board_id, datasets: { leads: { columns: columns.slice(0, 2) } } });
  expect((await run(board_id)).body).toMatchObject({ code: 'conflict', detail: expect.stringContaining('score') });
  const twice = await server.call('update_board', { board_id, skills: [sort, 'Sort'] });
  expect(twice.body).toMatchObject({ code: 'invalid_input', detail: expect.stringContaining('same name') });
  expect((await server.call('update_board', { board_id, skills: [{ ...sort, fills: [] }] })).status).toBe(422);
  expect(model.getRequests()).toEqual([]);
  const empty = await createBoard({ datasets: { leads: { columns, rows: [] } } });
  expect((await run(empty)).body).toMatchObject({ rows: [], changed: 0, remaining: 0 });
  expect(model.getRequests()).toEqual([]);
});

test('a viewer of a board runs no skill', async () => {
  const brain = await server.ok('create_brain', { name: 'Seen' });
  const viewer = await joinAs(server, database, 'vera@example.com');
  await server.ok('invite_member', { brain_id: brain.brain_id, email: 'vera@example.com', access_level: 'viewer' });
  const board_id = await createBoard({ brain_id: brain.brain_id });
  expect((await viewer.call('run_board_skill', { board_id, skill: 'Sort' })).body).toMatchObject({ code: 'forbidden' });
  expect(model.getRequests()).toEqual([]);
});

test('a script lists the skills of a board and runs one', async () => {
  const board_id = await createBoard();
  setAnswer(good);
  const source = `const skills = await brains.boards.list_skills("${board_id}");
const { changed } = await brains.boards.run_skill("${board_id}", skills[1].name, { inputs: { n: 1 } });
return [skills.length, changed];`;
  const grants = [{ tool: 'boards.list_skills' }, { tool: 'boards.run_skill' }];
  const saved = { name: 'Sorter', source, triggers: [{ kind: 'manual' }], tool_grants: grants };
  const { automation_id } = await server.ok('save_automation_draft', saved as never);
  const { run_id } = await server.ok('run_automation_once', { automation_id });
  const read = () => server.ok('get_automation_run', { run_id });
  await expect.poll(async () => (await read()).status, { timeout: 20_000 }).not.toMatch(/queued|running/);
  expect(await read()).toMatchObject({ status: 'succeeded', result: [2, 2] });
});
