import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startHttpRecorder, type HttpRecorder } from '../../../tests/support/http-recorder.ts';
import { openAsOwner, type OwnerDatabase } from '../../../tests/support/owner-database.ts';
import { addPerson } from '../../../tests/support/second-person.ts';
import { startTestServer, type TestServer } from '../../../tests/support/server.ts';

let server: TestServer;
let database: OwnerDatabase;
let allowed: HttpRecorder;
let other: HttpRecorder;
let member: Awaited<ReturnType<typeof addPerson>>;

beforeAll(async () => {
  [allowed, other] = [await startHttpRecorder(), await startHttpRecorder()];
  // Two names for this machine, so that the hosts differ.
  const elsewhere = other.url.replace('127.0.0.1', 'localhost');
  server = await startTestServer({ THALAMUS_EGRESS_ALLOW: `${allowed.url},${elsewhere}` });
  allowed.answer = { status: 302, headers: { location: `${elsewhere}/stolen?what=secret` } };
  database = await openAsOwner(server.connectionString);
  member = await addPerson(database);
});
afterAll(async () => {
  await database.close();
  await server.close();
  await allowed.close();
  await other.close();
});
beforeEach(() => void other.requests.splice(0));

let made = 0;
const buildDraft = (source: string, more: Record<string, unknown> = {}) => ({
  name: `Bounded ${(made += 1)}`,
  source,
  triggers: [{ kind: 'manual' }],
  tool_grants: [{ tool: 'automation_kv' }],
  ...more,
});
const save = async (source: string, more: Record<string, unknown> = {}, key = server.key) =>
  (await server.ok('save_automation_draft', buildDraft(source, more), { key })).automation_id;
const readResult = async (automation_id: string, more: Record<string, unknown> = {}, key = server.key) => {
  const { run_id } = await server.ok('run_automation_once', { automation_id, ...more }, { key });
  return (await server.ok('get_automation_run', { run_id }, { key })).result;
};

test('a redirect leads code only to acknowledged hosts', async () => {
  const id = await save(
    `try { return await brains.http_fetch({ url: "${allowed.url}/go" }) } catch (e) { return e.message }`,
    {
      tool_grants: [{ tool: 'http_fetch' }],
      acknowledged_http_fetch_hosts: ['127.0.0.1'],
    },
  );
  expect(await readResult(id)).toContain('localhost is not among the allowed hosts');
  expect(other.requests).toEqual([]);
});

test('an administrator can neither change nor run the automation of another person', async () => {
  const id = await save('return (await brains.automation_kv({ op: "list" })).keys', {}, member.key);
  const run = await server.ok('run_automation_once', { automation_id: id }, { key: member.key });
  const asked: [string, object][] = [
    ['update_automation', { automation_id: id, source: 'return 1' }],
    ['update_automation', { automation_id: id, tool_grants: [{ tool: 'search_memory' }] }],
    ['update_automation', { automation_id: id, state: 'active' }],
    ['run_automation_once', { automation_id: id }],
    ['test_automation', { automation_id: id }],
  ];
  for (const [operation, input] of asked) expect((await server.call(operation, input)).status, operation).toBe(403);
  for (const operation of ['get_automation_run', 'replay_automation_run', 'save_automation_fixture'])
    expect(
      (await server.call(operation, { run_id: run.run_id, ...(operation.startsWith('save') && { name: 'x' }) })).status,
    ).toBe(404);
  expect((await server.call('update_automation', { automation_id: id, state: 'paused' })).status).toBe(200);
  expect((await server.call('get_automation', { automation_id: id }, { key: member.key })).body['source']).toContain(
    'list',
  );
});

test('each automation has its own store, also where one owner has several', async () => {
  const put = await save('return (await brains.automation_kv({ op: "set", key: "k", value: 1 })).ok');
  const read = 'return (await brains.automation_kv({ op: "get", key: "k" })).value ?? null';
  expect(await readResult(put)).toBe(true);
  expect(await readResult(await save(read))).toBeNull();
  expect(await readResult(await save(read, {}, member.key), {}, member.key)).toBeNull();
});

test('a grant with a param that its tool does not have is refused, because it would limit nothing', async () => {
  const asked = buildDraft('1', { tool_grants: [{ tool: 'search_memory', params: { max_results: 5 } }] });
  expect((await server.call('save_automation_draft', asked)).body['detail']).toContain('max_results');
});

test('a param cannot be widened by another name, by JSON text, or by a value of another kind', async () => {
  const id = await save(
    `const told = [];
for (const input of [{ q: "a", max_tokens: "99999" }, { q: "a", max_tokens: [1] }, { q: ["a"] }, { q: { a: 1 } }, "text", null, [], { "__proto__": { q: "a" } }])
  try { await brains.search_memory(input); told.push("ok") } catch (e) { told.push(e.code) }
return told`,
    { tool_grants: [{ tool: 'search_memory', params: { q: 'a', max_tokens: 100 } }] },
  );
  expect(await readResult(id)).toEqual(Array.from({ length: 8 }, () => 'forbidden'));
});

test('code that remains in a process does not reach the run of a person with more rights', async () => {
  const id = await save(
    `globalThis.seen = (globalThis.seen ?? 0) + 1;
return globalThis.seen;`,
    { tool_grants: [{ tool: 'add_memory' }] },
  );
  const { key } = await server.ok('create_key', { label: 'Narrow', scopes: ['automations:read', 'automations:write'] });
  expect(await readResult(id, {}, String(key))).toBe(1);
  expect(await readResult(id)).toBe(1);
  expect(await readResult(id)).toBe(2);
});

test('a run reaches no brain that its owner may not read', async () => {
  const { brain_id } = await server.ok('create_brain', { name: 'Private' });
  const id = await save(
    `try { await brains.search_memory({ q: "x", brain_id: "${brain_id}" }); return "read" } catch (e) { return e.code }`,
    { tool_grants: [{ tool: 'search_memory' }] },
    member.key,
  );
  expect(await readResult(id, {}, member.key)).toBe('not_found');
});

test('readers of a board see the automations that write to it', async () => {
  const { brain_id } = await server.ok('create_brain', { name: 'Apart' });
  const { board_id } = await server.ok('create_board', { name: 'Of one person', brain_id });
  await save('1', { writes_to_boards: [board_id], dedupe_target_field: 'updates' });
  const asked = { writes_to_boards: [board_id], dedupe_target_field: 'updates' };
  expect((await server.ok('find_overlapping_automations', asked)).count).toBe(1);
  expect((await server.ok('find_overlapping_automations', asked, { key: member.key })).count).toBe(0);
  expect((await server.call('save_automation_draft', buildDraft('1', asked), { key: member.key })).status).toBe(200);
});

test('calls that code left open when it was stopped have no later effect', async () => {
  const id = await save(
    `for (let n = 0; n < 400; n += 1) brains.add_memory({ content: "Late note number " + n });
for (;;);`,
    { tool_grants: [{ tool: 'add_memory' }], max_wall_seconds: 5 },
  );
  expect(await readResult(id)).toBeNull();
  const count = async () =>
    (await database.rows(`select count(*)::int as n from memories where content like 'Late note%'`))[0]?.['n'];
  const after = await count();
  expect(after).toBeLessThan(400);
  await server.ok('who_am_i');
  expect(await count()).toBe(after);
});

test('a process that has lost its run to another one calls no more, and leaves the record alone', async () => {
  const id = await save('for (let n = 1; ; n += 1) await brains.automation_kv({ op: "set", key: "n", value: n });');
  const one = async (query: string) => (await database.rows(query, [id]))[0];
  const calls = async () => Number((await one(`select value from automation_kv where automation_id = $1`))?.['value']);
  const running = server.call('run_automation_once', { automation_id: id });
  await expect.poll(calls).toBeGreaterThan(0);
  await one(`update automation_runs set lease_token = lease_token + 1, lease_until = now() + interval '1 hour'
    where automation_id = $1`);
  let before = -1;
  const stands = async () => {
    const [last, now] = [before, await calls()];
    before = now;
    return last === now;
  };
  await expect.poll(stands, { interval: 500 }).toBe(true);
  expect(await one('select status, finished_at from automation_runs where automation_id = $1')).toEqual({
    status: 'running',
    finished_at: null,
  });
  await one(`update automation_runs set status = 'killed', finished_at = now() where automation_id = $1`);
  await running;
});
