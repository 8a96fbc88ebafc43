import { afterAll, expect, test } from 'vitest';
import { createSandbox } from './index.ts';

const turn = { kind: 'run' as const, of: 'ada' };
const sandbox = createSandbox();
afterAll(() => sandbox.close());

type OperationCall = { name: string; input: Record<string, unknown> };

/** Runs a script; each operation answers from the table, or what it was asked. */
async function run(source: string, answers: Record<string, unknown> = {}, language?: 'python') {
  const asked: OperationCall[] = [];
  const operation = async (params: unknown) => {
    const call = params as OperationCall;
    asked.push(call);
    return answers[call.name] ?? call;
  };
  const args = { trigger: { kind: 'manual' } };
  const result = await sandbox.run({ turn, source, args, host: { operation }, ...(language && { language }) });
  if (result.status !== 'succeeded') throw new Error(result.error?.message);
  return { value: result.value, asked };
}
const listAsked = async (source: string, answers: Record<string, unknown> = {}, language?: 'python') =>
  (await run(source, answers, language)).asked.map(({ name, input }) => [name, input]);

const id = '0190f5d2-0000-7000-8000-000000000000';
const board = { id, data: { datasets: { meta: { rows: [{ row_id: 'r', key: 'k' }] } } }, skills: ['sort'] };

test('brains.boards calls the operations of boards, with arguments or with fields', async () => {
  const source = `
await brains.boards.get("${id}", { dataset: "meta", limit: 5, offset: 1 });
await brains.boards.get("CRM");
await brains.boards.get({ board_id: "${id}" });
await brains.boards.list();
await brains.boards.append("${id}", [{ a: 1 }], { dataset: "leads" });
await brains.boards.append("${id}", { rows: [{ a: 1 }], dataset: "leads" });
await brains.boards.append({ board_id: "${id}", rows: [] });
await brains.boards.update_row("${id}", "r", { status: "done" }, { dataset: "leads" });
await brains.boards.update_row("${id}", { row_id: "r", patch: { a: 1 } });
await brains.boards.delete("${id}", "r");
await brains.boards.restore({ board_id: "${id}", row_id: "r" });
await brains.boards.run_skill("${id}", "sort", { row_ids: ["r"] });`;
  const appended = { board_id: id, rows: [{ a: 1 }], dataset: 'leads' };
  expect(await listAsked(source, { get_board: board })).toEqual([
    ['get_board', { board_id: id, dataset: 'meta', limit: 5, offset: 1 }],
    ['get_board', { name: 'CRM' }],
    ['get_board', { board_id: id }],
    ['list_boards', {}],
    ['append_board_rows', appended],
    ['append_board_rows', appended],
    ['append_board_rows', { board_id: id, rows: [] }],
    ['update_board_row', { board_id: id, row_id: 'r', patch: { status: 'done' }, dataset: 'leads' }],
    ['update_board_row', { board_id: id, row_id: 'r', patch: { a: 1 } }],
    ['delete_board_row', { board_id: id, row_id: 'r' }],
    ['restore_board_row', { board_id: id, row_id: 'r' }],
    ['run_board_skill', { board_id: id, skill: 'sort', row_ids: ['r'] }],
  ]);
});

test('a board has its datasets also beside data, and lists its skills', async () => {
  const source = `const board = await brains.boards.get("CRM");
const again = await brains.get_board({ name: "CRM" });
return [board.datasets.meta.rows, board.data.datasets.meta.rows, again.datasets.meta.rows, await brains.boards.list_skills("CRM")];`;
  const rows = [{ row_id: 'r', key: 'k' }];
  expect((await run(source, { get_board: board })).value).toEqual([rows, rows, rows, ['sort']]);
});

test('brains.llm asks the model with a prompt, with messages, or with a text', async () => {
  const source = `await brains.llm("Hello");
await brains.llm({ prompt: "Hello", max_tokens: 5, model: "m" });
return (await brains.llm({ messages: [{ role: "system", content: "Be short." }, { role: "user", content: [{ type: "text", text: "Hi" }] }] })).text;`;
  const { value, asked } = await run(source, { automation_llm_complete: { text: 'Yes' } });
  expect([value, asked.map(({ input }) => input)]).toEqual([
    'Yes',
    [
      { prompt: 'Hello' },
      { prompt: 'Hello', max_tokens: 5, model: 'm' },
      { messages: [{ role: 'user', content: 'Hi' }], system: 'Be short.' },
    ],
  ]);
});

test('brains.kv reads and writes with a key, or with the fields of automation_kv', async () => {
  const source = `await brains.kv.set("cursor", { at: 5 });
await brains.kv.set({ key: "cursor", value: 6 });
await brains.kv.delete("cursor");
return [await brains.kv.get("cursor"), await brains.kv.get({ key: "cursor" }), [...(await brains.kv.list("c"))], (await brains.kv.list()).keys];`;
  const { value, asked } = await run(source, { automation_kv: { value: 7, keys: ['c1'] } });
  expect(value).toEqual([7, { value: 7, keys: ['c1'] }, ['c1'], ['c1']]);
  expect(asked.map(({ input }) => input)).toEqual([
    { op: 'set', key: 'cursor', value: { at: 5 } },
    { op: 'set', key: 'cursor', value: 6 },
    { op: 'delete', key: 'cursor' },
    { op: 'get', key: 'cursor' },
    { op: 'get', key: 'cursor' },
    { op: 'list', prefix: 'c' },
    { op: 'list' },
  ]);
});

test('brains.call, act, fetch and http call the operation', async () => {
  const source = `await brains.call("get_page", { slug: "a" });
await brains.call("boards.get", "CRM");
await brains.act({ source: "gmail" });
await brains.fetch({ source: "gmail", request: "from:ada" });
await brains.http({ url: "https://example.com" });`;
  expect(await listAsked(source, { get_board: board })).toEqual([
    ['get_page', { slug: 'a' }],
    ['get_board', { name: 'CRM' }],
    ['act_on_integration', { source: 'gmail' }],
    ['fetch_from_integration', { source: 'gmail', request: 'from:ada' }],
    ['http_fetch', { url: 'https://example.com' }],
  ]);
});

test('brains.http_fetch takes a query, a body in three forms, and a time in milliseconds', async () => {
  const source = `const url = "https://api.example.com/a?x=1#end";
await brains.http_fetch({ url, query: { q: "a b", tag: ["1", "2"], none: null } });
await brains.http_fetch({ url, method: "POST", body_json: { a: 1 }, headers: { "X-N": 5 }, timeout_ms: 1500 });
await brains.http_fetch({ url, body: { a: 1 }, headers: { "Content-Type": "application/vnd.api+json" }, timeout_ms: 900000 });
await brains.http_fetch({ url, body_text: "a=1" });`;
  expect((await listAsked(source)).map(([, input]) => input)).toEqual([
    { url: 'https://api.example.com/a?x=1&q=a%20b&tag=1&tag=2#end' },
    {
      url: 'https://api.example.com/a?x=1#end',
      method: 'POST',
      body: '{"a":1}',
      headers: { 'X-N': '5', 'content-type': 'application/json' },
      timeout_seconds: 2,
    },
    {
      url: 'https://api.example.com/a?x=1#end',
      body: '{"a":1}',
      headers: { 'Content-Type': 'application/vnd.api+json' },
      timeout_seconds: 30,
    },
    { url: 'https://api.example.com/a?x=1#end', body: 'a=1' },
  ]);
});

const responses = {
  object: { status: 200, headers: { a: 'b' }, json: { data: [1], status: 'theirs' } },
  list: { status: 404, headers: {}, json: [1, 2] },
  text: { status: 500, headers: {}, body: 'down' },
  number: { status: 200, headers: {}, json: 5 },
  draft: { kind: 'draft', draft_id: 'd', status: 'pending' },
};
const readAnswer = `const r = await brains.http_fetch({ url: "https://example.com" });
return [JSON.stringify(r), r.ok, r.status, r.json, r.text, r.body];`;

test.each<[keyof typeof responses, unknown[]]>([
  ['object', ['{"data":[1],"status":"theirs"}', true, 'theirs', responses.object.json]],
  ['list', ['[1,2]', false, 404, [1, 2], '[1,2]', '[1,2]']],
  ['text', ['{"ok":false,"status":500,"headers":{},"text":"down","body":"down"}', false, 500, null, 'down', 'down']],
  ['number', [expect.stringContaining('"json":5'), true, 200, 5, '5', '5']],
  ['draft', [expect.stringContaining('"draft_id":"d"'), false, 202]],
])('an answer of http_fetch that is a %s is that itself, with facts beside it', async (kind, expected) => {
  const { value } = await run(readAnswer, { http_fetch: responses[kind] });
  expect((value as unknown[]).slice(0, expected.length)).toEqual(expected);
});

test('brains.search takes q, query or text, and its hits have a text and a snippet', async () => {
  const pages = [{ id: 'p', title: 'T', excerpt: 'words' }];
  const source = `await brains.search({ query: "a", type: "email", limit: 500 });
await brains.search({ text: "b" });
await brains.search("c");
const found = await brains.search({ q: "d" });
return [found, found.pages[0].snippet, found.results[0].text, found.pagination];`;
  const { value, asked } = await run(source, { search: { pages, pagination: { offset: 0 } } });
  expect(asked.map(({ input }) => input)).toEqual([
    { q: 'a', type: 'email', limit: 50, text_characters: 4_000 },
    { q: 'b', text_characters: 4_000 },
    { q: 'c', text_characters: 4_000 },
    { q: 'd', text_characters: 4_000 },
  ]);
  expect(value).toEqual([[{ ...pages[0], text: 'words', snippet: 'words' }], 'words', 'words', { offset: 0 }]);
});

test('events of a calendar are also results, with the times, replies and oneself as scripts read them', async () => {
  const events = [
    {
      page_id: 'e',
      title: 'Call',
      start: '2026-01-01T10:00:00Z',
      end: '2026-01-01T11:00:00Z',
      location: null,
      status: 'confirmed',
      attendees: [
        { email: 'ada@example.com', rsvp: 'accepted', is_self: true },
        { email: 'bob@example.com', rsvp: 'none' },
      ],
    },
  ];
  const source = `return (await brains.call("list_calendar_events", { start: "2026-01-01", end: "2026-01-02", limit: 50 })).results;`;
  expect((await run(source, { list_calendar_events: { events } })).value).toEqual([
    {
      id: 'e',
      title: 'Call',
      event_start: '2026-01-01T10:00:00Z',
      event_end: '2026-01-01T11:00:00Z',
      location: null,
      status: 'confirmed',
      attendees: [
        { email: 'ada@example.com', response: 'accepted', self: true },
        { email: 'bob@example.com', response: 'none', self: false },
      ],
    },
  ]);
});

test('a name that a group does not have throws when it is called, with the names nearest to it', async () => {
  const source = `const has = typeof brains.boards.update;
const messages = [];
for (const call of [() => brains.boards.update({}), () => brains.kv.gte("a"), () => brains.call("llm.ask", {})])
  try { await call(); } catch (error) { messages.push(error.message); }
return [has, ...messages];`;
  expect((await run(source)).value).toEqual([
    'function',
    expect.stringMatching(/^There is no brains\.boards\.update\. Near: brains\.boards\.update_row, /),
    expect.stringMatching(/^There is no brains\.kv\.gte\. Near: brains\.kv\.(get|set)/),
    expect.stringMatching(/^There is no brains\.llm\.ask\. Near: .*brains\.llm/),
  ]);
});

test.each([
  `import { brains } from "./brains.ts";
export const size = 2;
export default async function run(ctx) { return [size, (await ctx.brains.get_page({ n: 1 })).input.n, ctx.trigger.kind, typeof brains.llm]; }`,
  `import brains, { type Context } from "./brains.ts";
const size: number = 2;
export default async (ctx: any) => [size, (await ctx.brains.get_page({ n: 1 })).input.n, ctx.trigger.kind, typeof brains.llm];`,
  `import brains from "../lib/brains.ts";
async function main({ trigger }: any) { return [2, (await brains.get_page({ n: 1 })).input.n, trigger.kind, typeof brains.llm]; }
export default main;`,
  `import { get_page, llm } from "./brains.ts";
const text = \`
export default nothing;\`;
return [2, (await get_page({ n: 1 })).input.n, args.trigger.kind, typeof llm];`,
])('a script that imports ./brains.ts, or exports a function by default, runs: %s', async (source) => {
  expect((await run(source)).value).toEqual([2, 1, 'manual', 'function']);
});

test('Python has the same names, with answers of http_fetch as JSON with attributes', async () => {
  const source = `
from brains import boards, search
board = await boards.get("CRM", dataset="meta", limit=5)
await brains.boards.update_row("${id}", "r", {"a": 1}, dataset="leads")
await brains.kv.set("cursor", 5)
found = await search({"query": "a"}, limit=3)
answer = await brains.http_fetch(url="https://example.com", query={"q": "a"})
try:
    await brains.boards.update()
except Exception as error:
    message = str(error)
return [board["datasets"]["meta"]["rows"], found[0]["snippet"], answer["data"], answer.ok, answer.text, answer.json == answer, message]`;
  const answers = {
    get_board: board,
    search: { pages: [{ excerpt: 'words' }] },
    http_fetch: { status: 200, headers: {}, json: { data: [1] } },
  };
  const { value, asked } = await run(source, answers, 'python');
  expect(value).toEqual([
    [{ row_id: 'r', key: 'k' }],
    'words',
    [1],
    true,
    '{"data":[1]}',
    true,
    expect.stringContaining('Near: brains.boards.update_row'),
  ]);
  expect(asked.map(({ input }) => input)).toEqual([
    { name: 'CRM', dataset: 'meta', limit: 5 },
    { board_id: id, row_id: 'r', patch: { a: 1 }, dataset: 'leads' },
    { op: 'set', key: 'cursor', value: 5 },
    { q: 'a', limit: 3, text_characters: 4_000 },
    { url: 'https://example.com?q=a' },
  ]);
});
