import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../../tests/support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

let made = 0;
async function save(source: string, tools: string[], more: object = {}) {
  const { automation_id } = await server.ok('save_automation_draft', {
    name: `Script ${(made += 1)}`,
    source,
    triggers: [{ kind: 'manual' }],
    tool_grants: tools.map((tool) => ({ tool })),
    ...more,
  });
  return automation_id;
}
async function run(source: string, tools: string[], more: object = {}) {
  const { run_id } = await server.ok('run_automation_once', { automation_id: await save(source, tools, more) });
  const { status, error, result } = await server.ok('get_automation_run', { run_id });
  return status === 'succeeded' ? result : error;
}

test('a script fills a board, patches a row by its id, deletes it and restores it', async () => {
  const { board_id } = await server.ok('create_board', { name: 'Leads' });
  const source = `
await brains.boards.append("${board_id}", [{ id: "l1", status: "New" }, { id: "l2", status: "New" }], { dataset: "leads" });
const board = await brains.boards.get("Leads", { dataset: "leads", limit: 100 });
const [first, second] = board.datasets.leads.rows;
const patched = await brains.update_board_row({ board_id: "${board_id}", row_id: first.row_id, dataset: "leads", patch: { status: "Sent" } });
await brains.boards.delete("${board_id}", second.row_id, { dataset: "leads" });
const left = (await brains.boards.get("${board_id}", { dataset: "leads" })).data.datasets.leads.rows.length;
await brains.boards.restore("${board_id}", second.row_id, { dataset: "leads" });
const meta = await brains.boards.get("${board_id}", { dataset: "meta", limit: 10 });
return [patched.version, patched.row.status, left, meta.datasets.meta.rows, (await brains.boards.list()).boards.length > 0];`;
  const tools = ['boards.get', 'boards.append', 'update_board_row', 'boards.delete', 'boards.restore', 'boards.list'];
  expect(await run(source, tools)).toEqual([2, 'Sent', 1, [], true]);
});

test('a grant under a short name is stored under the name of the operation, also by an update', async () => {
  const automation_id = await save('return 1;', ['llm', 'boards.get', 'http', 'act'], {
    acknowledged_http_fetch_hosts: ['example.com'],
  });
  const tools = async () => (await server.ok('get_automation', { automation_id })).tool_grants.map(({ tool }) => tool);
  expect(await tools()).toEqual(['automation_llm_complete', 'get_board', 'http_fetch', 'act_on_integration']);
  await server.ok('update_automation', { automation_id, tool_grants: [{ tool: 'boards.append' }] });
  expect(await tools()).toEqual(['append_board_rows']);
  const { body } = await server.call('update_automation', { automation_id, tool_grants: [{ tool: 'boards.drop' }] });
  expect(body['detail']).toContain('there is no tool boards.drop');
});

test('a script keeps values without a grant, and calls nothing else without one', async () => {
  const source = `await brains.kv.set("cursor", { at: 5 });
const kept = [await brains.kv.get("cursor"), [...await brains.kv.list()], await brains.kv.get({ key: "none" })];
await brains.kv.delete("cursor");
const refused = await brains.boards.list().catch((error) => error.code);
return [...kept, await brains.kv.get("cursor"), refused];`;
  expect(await run(source, ['search'])).toEqual([{ at: 5 }, ['cursor'], { value: null }, null, 'forbidden']);
});

test('a grant that narrows the values of an automation is not widened', async () => {
  const source = `return [await brains.kv.get("mine"), await brains.kv.get("other").catch((error) => error.code)];`;
  const tool_grants = [{ tool: 'automation_kv', params: { key: 'mine' } }];
  expect(await run(source, [], { tool_grants })).toEqual([null, 'forbidden']);
});

test('a call under a name of no operation throws with the names nearest to it', async () => {
  expect(await run('return await brains.append_rows({});', ['search'])).toMatch(
    /^There is no brains\.append_rows\. Near: .*append_board_rows/,
  );
  expect(await run('return await brains.create_mini_site({}).catch(() => "went on");', ['search'])).toBe('went on');
});

test('a search has hits with a text and a snippet', async () => {
  await server.ok('create_page', { title: 'Invoice of May', body: 'Please pay by Friday.', type: 'email' });
  const source = `const hits = await brains.search({ query: "invoice", type: "email", limit: 100 });
return [hits.length, hits.results[0].title, hits[0].snippet, hits.pages[0].text];`;
  const said = expect.stringContaining('Please pay');
  expect(await run(source, ['search'])).toEqual([1, 'Invoice of May', said, said]);
});

test('the text of a hit has the lines of the page around the match', async () => {
  const lines = Array.from({ length: 400 }, (_each, at) => `Line ${at} of the ferry log.`);
  lines[300] = 'approve OQ-0042';
  await server.ok('create_page', { title: 'Ferry log', body: lines.join('\n'), type: 'chat_session' });
  const source = `const [hit] = await brains.search({ query: "approve OQ-0042", type: "chat_session" });
return [hit.text.match(/^approve (OQ-\\d+)$/m)?.[1], hit.text.length, hit.snippet.includes("\\n"), hit.text.startsWith("Line ")];`;
  expect(await run(source, ['search'])).toEqual(['OQ-0042', 4_000, false, true]);
});

test('Python fills a board by the same names', async () => {
  const { board_id } = await server.ok('create_board', { name: 'By Python' });
  const source = `
await brains.boards.append("${board_id}", [{"row_id": "a", "n": 1}])
row = await brains.boards.update_row("${board_id}", "a", {"n": 2})
await brains.kv.set("seen", ["a"])
return [row["version"], await brains.kv.get("seen")]`;
  expect(await run(source, ['boards.append', 'boards.update_row'], { language: 'python' })).toEqual([2, ['a']]);
});

test('plain settings stand in the source, before secrets, and a change of them waits for a person like any other', async () => {
  await server.ok('automation_secret_set', { name: 'both', value: 'a secret value of some length' });
  const source = 'return ["{{board}}", "{{both}}", "{{unset}}"];';
  const settings = { board: 'Leads "of" 2026', both: 'plain' };
  const automation_id = await save(source, ['search'], { settings });
  const result = async () => {
    const { run_id } = await server.ok('run_automation_once', { automation_id });
    return (await server.ok('get_automation_run', { run_id })).result;
  };
  expect(await result()).toEqual(['Leads "of" 2026', 'plain', '{{unset}}']);
  await server.ok('update_automation', { automation_id, state: 'active' });
  const { key } = await server.ok('create_key', {
    label: 'Agent',
    scopes: ['automations:read', 'automations:write'],
    reach: 'owner',
  });
  const asked = { automation_id, settings: { board: 'Other' } };
  const waiting = await server.ok('update_automation', asked, { key: String(key) });
  expect(waiting.waiting_change).toMatchObject({ fields: { settings: { board: 'Other' } } });
  expect((await server.ok('get_automation', { automation_id })).settings).toEqual(settings);
  await server.ok('update_automation', asked);
  expect(await result()).toEqual(['Other', expect.stringMatching(/^sec_/), '{{unset}}']);
  for (const wrong of [{ Upper: 'x' }, { a: 1 }, { a: 'x'.repeat(8_193) }])
    expect((await server.call('update_automation', { automation_id, settings: wrong })).body['code']).toBe(
      'invalid_input',
    );
});
