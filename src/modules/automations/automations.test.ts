import type { AfterCommitContext } from '#kernel/context';
import { createKysely, createOwnerPool } from '#platform/database';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openAsOwner, type OwnerDatabase } from '../../../tests/support/owner-database.ts';
import { startTestServer, type TestServer } from '../../../tests/support/server.ts';
import { waitForRun } from './operations/run-automation-once.ts';

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
async function save(source: string, more: Record<string, unknown> = {}) {
  const given = {
    name: `Automation ${(made += 1)}`,
    source,
    triggers: [{ kind: 'manual' }],
    tool_grants: [{ tool: 'add_memory' }],
  };
  return String((await server.ok('save_automation_draft', { ...given, ...more }))['automation_id']);
}
const runOnce = (automation_id: string, more: Record<string, unknown> = {}) =>
  server.ok('run_automation_once', { automation_id, ...more });

test('a saved script runs in the sandbox, calls its granted tools, and its record has everything', async () => {
  const id = await save(`import { brains } from "https://brains/sdks/automation-sdk-v1.ts";
const { id } = await brains.add_memory({ content: "The release was on 3 May." });
console.log("stored", typeof id);
return { id };`);
  const run = await runOnce(id);
  expect(run).toMatchObject({
    status: 'succeeded',
    terminal: true,
    timed_out: false,
    exit_code: 0,
    stdout: 'stored string\n',
    error: null,
  });
  const record = await server.ok('get_automation_run', { run_id: run['run_id'] });
  expect(record).toMatchObject({
    mode: 'dry_run',
    trigger_kind: 'manual',
    status: 'succeeded',
    result: { id: expect.any(String) },
  });
  const found = await server.ok('search_memory', { q: 'release May' });
  expect(JSON.stringify(found)).toContain('3 May');
  const rows = await database.rows(
    `select caller_kind, caller_id, request_id from audit_log where operation = 'add_memory'`,
  );
  expect(rows).toEqual([{ caller_kind: 'run', caller_id: id, request_id: run['run_id'] }]);
});

test('a tool without a grant is refused, whatever the script does', async () => {
  const id = await save('try { await brains.search_memory({ query: "x" }) } catch (e) { return [e.code, e.message] }');
  const { run_id } = await runOnce(id);
  const { result } = await server.ok('get_automation_run', { run_id });
  expect(result).toEqual(['forbidden', expect.stringContaining('tool_grants')]);
});

test('params of a grant limit the call, and max_ is an upper bound also when the call names no number', async () => {
  const tool_grants = [{ tool: 'search_memory', params: { q: 'release', max_tokens: 500 } }];
  const id = await save(
    `const told = [];
for (const input of [{ q: "release" }, { q: "other" }, { q: "release", max_tokens: 501 }, {}])
  try { await brains.search_memory(input); told.push("ok") } catch (e) { told.push(e.code) }
return told`,
    { tool_grants },
  );
  const { run_id } = await runOnce(id);
  const { result } = await server.ok('get_automation_run', { run_id });
  expect(result).toEqual(['ok', 'forbidden', 'forbidden', 'forbidden']);
});

test('administrative and unknown tools cannot be granted', async () => {
  for (const tool of ['admin_users', 'create_key', 'set_policy', 'update_automation_x', 'name_approver']) {
    const { status, body } = await server.call('save_automation_draft', {
      name: `Grant ${tool}`,
      source: '1',
      triggers: [{ kind: 'manual' }],
      tool_grants: [{ tool }],
    });
    expect([status, body['code']]).toEqual([422, 'invalid_input']);
  }
});

test('a second automation of the same name is a conflict until the first one ends', async () => {
  const id = await save('1', { name: 'Twice' });
  const again = { name: 'Twice', source: '1', triggers: [{ kind: 'manual' }], tool_grants: [{ tool: 'add_memory' }] };
  expect((await server.call('save_automation_draft', again)).status).toBe(409);
  expect(await server.ok('delete_automation', { automation_id: id })).toEqual({ automation_id: id, state: 'killed' });
  expect((await server.call('run_automation_once', { automation_id: id })).status).toBe(409);
  await server.ok('save_automation_draft', again);
});

test('new source is a new version, and an earlier version can be made active again', async () => {
  const id = await save('return 1');
  const second = await server.ok('update_automation', { automation_id: id, source: 'return 2' });
  expect(second).toMatchObject({ version: 2, columns_changed: [] });
  const { versions } = await server.ok('get_automation', { automation_id: id });
  expect(versions.map(({ version, source }) => [version, source])).toEqual([
    [2, 'return 2'],
    [1, 'return 1'],
  ]);
  const readResult = async () =>
    (await server.ok('get_automation_run', { run_id: (await runOnce(id))['run_id'] })).result;
  expect(await readResult()).toBe(2);
  await server.ok('update_automation', { automation_id: id, active_version_id: versions[1]?.version_id });
  expect(await readResult()).toBe(1);
});

test('an active version older than all listed ones is returned with its source and number', async () => {
  const id = await save('return "first"');
  await database.rows(
    `insert into automation_versions (id, workspace_id, automation_id, version, source, language, created_by_label, created_at)
       select gen_random_uuid(), workspace_id, automation_id, version + made, 'return 2', language, created_by_label, created_at
         from automation_versions cross join generate_series(1, 101) as made where automation_id = $1`,
    [id],
  );
  const read = await server.ok('get_automation', { automation_id: id });
  expect(read).toMatchObject({ source: 'return "first"', version: 1 });
  expect(read.versions.map(({ version }) => version)).not.toContain(1);
});

test('an automation in Python runs with the same grants, and a new source keeps its language', async () => {
  const id = await save(
    `note = await brains.add_memory(content="The harvest was on 4 June.")
try:
    await brains.search_memory(q="harvest")
except CallError as refused:
    return [type(note["id"]).__name__, refused.code]`,
    { language: 'python' },
  );
  const { run_id } = await runOnce(id);
  expect((await server.ok('get_automation_run', { run_id }))['result']).toEqual(['str', 'forbidden']);
  await server.ok('update_automation', { automation_id: id, source: 'return [1, 2][::-1]' });
  const { language, versions } = await server.ok('get_automation', { automation_id: id });
  expect([language, versions]).toMatchObject(['python', [{ language: 'python' }, { language: 'python' }]]);
  const alone = await server.call('update_automation', { automation_id: id, language: 'javascript' });
  expect(alone.status).toBe(422);
});

test('a run that exceeds its time is killed, and its error gives the reason', async () => {
  const id = await save('console.log("on"); for (;;);', { max_wall_seconds: 5 });
  const run = await runOnce(id);
  expect(run).toMatchObject({
    status: 'killed',
    exit_code: null,
    stdout: 'on\n',
    error: expect.stringContaining('longer'),
  });
  expect(await server.ok('get_automation_run', { run_id: run['run_id'] })).toMatchObject({ kill_reason: 'wall_limit' });
});

test('a person can stop a run while it runs', async () => {
  const id = await save('await brains.add_memory({ content: "begun" }); for (;;);');
  const running = runOnce(id);
  const started = async () =>
    (await server.ok('list_automation_runs', { automation_id: id })).runs.find((run) => run.status === 'running');
  await expect.poll(started).toBeDefined();
  const run = await started();
  await server.ok('stop_automation_run', { run_id: run?.run_id });
  expect(await running).toMatchObject({ status: 'killed' });
});

test('a deleted automation ends its run, and starts none', async () => {
  const id = await save('for (;;);');
  const running = runOnce(id);
  await expect
    .poll(async () => (await server.ok('list_automation_runs', { automation_id: id })).runs[0]?.status)
    .toBe('running');
  await server.ok('delete_automation', { automation_id: id });
  expect(await running).toMatchObject({ status: 'killed' });
  expect((await server.call('update_automation', { automation_id: id, state: 'active' })).status).toBe(409);
});

test('the store of an automation outlives its runs, and compare-and-swap replaces only the expected value', async () => {
  const id = await save(
    `const kv = (input) => brains.automation_kv(input);
const before = (await kv({ op: "get", key: "cursor" })).value;
const first = (await kv({ op: "cas", key: "once", expected: null, value: 1 })).swapped;
await kv({ op: "set", key: "cursor", value: { n: (before?.n ?? 0) + 1 } });
return [before, first, (await kv({ op: "list", prefix: "c" })).keys]`,
    { tool_grants: [{ tool: 'automation_kv' }] },
  );
  const readResult = async () =>
    (await server.ok('get_automation_run', { run_id: (await runOnce(id))['run_id'] })).result;
  expect(await readResult()).toEqual([null, true, ['cursor']]);
  expect(await readResult()).toEqual([{ n: 1 }, false, ['cursor']]);
  expect((await server.call('automation_kv', { op: 'get', key: 'cursor' })).status).toBe(403);
});

test('a full store refuses a new key, keeps its keys writable, and has room again after a delete', async () => {
  const id = await save(
    `const kv = (input) => brains.automation_kv(input).then((answer) => answer.ok ?? answer.value, (error) => error.code);
return [await kv({ op: "set", key: "k1", value: 1 }), await kv({ op: "get", key: "k1" }), await kv({ op: "set", key: "new", value: 1 }),
  await kv({ op: "delete", key: "k1" }), await kv({ op: "delete", key: "k1" }), await kv({ op: "get", key: "k1" }),
  await kv({ op: "set", key: "new", value: 1 })]`,
    { tool_grants: [{ tool: 'automation_kv' }] },
  );
  await database.rows(`insert into automation_kv (automation_id, workspace_id, key, value, updated_at)
    select id, workspace_id, 'k' || n, '0', now() from automations, generate_series(1, 10000) n where id = '${id}'`);
  const { run_id } = await runOnce(id);
  const { result } = await server.ok('get_automation_run', { run_id });
  expect(result).toEqual([true, 1, 'plan_limit', true, false, null, true]);
});

test('a schedule starts one run each time, and one run after a time without a server', async () => {
  const id = await save('return args.trigger', {
    triggers: [{ kind: 'cron', cron: '0 9 * * 1', tz: 'America/New_York' }],
  });
  await server.ok('update_automation', { automation_id: id, state: 'active' });
  const { next_run_at } = await server.ok('get_automation', { automation_id: id });
  expect(new Date(String(next_run_at)).getTime()).toBeGreaterThan(Date.now());
  await database.rows(`update automations set next_run_at = now() - interval '5 weeks' where id = '${id}'`);
  const runs = async () => (await server.ok('list_automation_runs', { automation_id: id })).runs;
  await expect.poll(async () => (await runs()).map(({ status }) => status)).toEqual(['succeeded']);
  const after = await server.ok('get_automation', { automation_id: id });
  expect(after.next_run_at).toBe(next_run_at);
  expect((await runs()).map(({ trigger_kind, mode }) => [trigger_kind, mode])).toEqual([['cron', 'live']]);
  await server.ok('update_automation', { automation_id: id, state: 'paused' });
  expect((await server.ok('get_automation', { automation_id: id })).next_run_at).toBeNull();
});

test('a key without the scope cannot activate an automation or change an active one: a person has to', async () => {
  const scopes = ['automations:read', 'automations:write', 'memory:read', 'memory:write'];
  const { key } = await server.ok('create_key', { label: 'Agent', scopes });
  const id = await save('1');
  const update = (input: object) =>
    server.call('update_automation', { automation_id: id, ...input }, { key: String(key) });
  expect((await update({ state: 'active' })).status).toBe(403);
  expect((await update({ source: '2' })).status).toBe(200);
  await server.ok('update_automation', { automation_id: id, state: 'active' });
  expect((await update({ state: 'active', source: '3' })).status).toBe(403);
  expect(await update({ source: '3' })).toMatchObject({
    body: { columns_changed: [], waiting_change: { source: '3' } },
  });
  expect(await server.ok('get_automation', { automation_id: id })).toMatchObject({ source: '2', state: 'active' });
  expect((await update({ state: 'paused' })).status).toBe(200);
  expect((await update({ source: '3' })).status).toBe(200);
});

test('an automation that changed after a person looked at it is not activated', async () => {
  const automation_id = await save('console.log("harmless")');
  const { updated_at: seen } = await server.ok('get_automation', { automation_id });
  const { key } = await server.ok('create_key', { label: 'Writer', scopes: ['automations:read', 'automations:write'] });
  await server.ok('update_automation', { automation_id, source: 'console.log("other")' }, { key: String(key) });
  const activate = (seen_updated_at: unknown) =>
    server.call('update_automation', { automation_id, state: 'active', seen_updated_at });
  const refused = await activate(seen);
  expect(refused).toMatchObject({
    status: 409,
    body: { detail: expect.stringContaining('changed after it was shown') },
  });
  const now = await server.ok('get_automation', { automation_id });
  expect(now['state']).toBe('paused');
  expect(await activate(now['updated_at'])).toMatchObject({ status: 200, body: { state: 'active' } });
});

test('a run that a key started has no more rights than the key', async () => {
  const { key } = await server.ok('create_key', { label: 'Narrow', scopes: ['automations:read', 'automations:write'] });
  const id = await save('try { await brains.add_memory({ content: "x" }) } catch (e) { return e.code }');
  const run = await server.ok('run_automation_once', { automation_id: id, dry_run: false }, { key: String(key) });
  expect((await server.ok('get_automation_run', { run_id: run['run_id'] })).result).toBe('forbidden');
});

test('a run whose process died starts again once if it had sent no request, and otherwise ends as failed', async () => {
  const [quiet, spoken, deadly] = [
    await save('return "again"'),
    await save('return "never"'),
    await save('return "never"', { max_retries: 3 }),
  ];
  for (const automation_id of [quiet, spoken, deadly])
    await server.ok('update_automation', { automation_id, state: 'active' });
  for (const [id, has_called, attempt] of [
    [quiet, false, 1],
    [spoken, true, 1],
    [deadly, false, 2],
  ] as const)
    await database.rows(`insert into automation_runs (id, workspace_id, automation_id, version_id, person_id, trigger_kind, slot, mode,
        grants, status, due_at, created_at, started_at, has_called, attempt, lease_until)
      select gen_random_uuid(), workspace_id, id, active_version_id, person_id, 'cron', 'lost', 'live', '[]', 'running', now(), now(), now(),
        ${has_called}, ${attempt}, now() - interval '1 second' from automations where id = '${id}'`);
  const last = async (id: string) => (await server.ok('list_automation_runs', { automation_id: id })).runs[0];
  await expect.poll(async () => (await last(quiet))?.status).toBe('succeeded');
  await expect.poll(async () => (await last(spoken))?.status).toBe('failed');
  expect((await last(quiet))?.attempt).toBe(2);
  expect((await last(spoken))?.error).toContain('process');
  // Two server processes ended while the run was active.
  await expect.poll(async () => (await last(deadly))?.status).toBe('failed');
  expect((await last(deadly))?.error).toContain('not started again');
  expect((await server.ok('list_automation_runs', { automation_id: deadly })).runs).toHaveLength(1);
});

test('an agent cannot replay a source that no person activated with the payload of one that a person activated', async () => {
  const { key } = await server.ok('create_key', { label: 'Replaying' });
  const by = { key: String(key) };
  const given = { triggers: [{ kind: 'manual' }], tool_grants: [{ tool: 'add_memory' }], name: 'Replayed' };
  const { automation_id } = await server.ok('save_automation_draft', { ...given, source: 'return "unseen"' }, by);
  const { run_id } = await server.ok('run_automation_once', { automation_id }, by);
  const replay = (options?: { key: string }) =>
    server.call('replay_automation_run', { run_id, same_version: true, dry_run: false }, options);
  expect((await replay(by)).status).toBe(200);
  await server.ok('update_automation', { automation_id, source: 'return "seen"' }, by);
  await server.ok('update_automation', { automation_id, state: 'active' });
  expect(await replay(by)).toMatchObject({ status: 403, body: { detail: expect.stringContaining('same_version') } });
  expect((await server.call('replay_automation_run', { run_id }, by)).status).toBe(200);
  expect((await replay()).status).toBe(200);
});

test('a replay has the payload of the earlier run, with the active source or the source of that run', async () => {
  const id = await save('return ["old", args.trigger.payload, args.mode]');
  const first = await runOnce(id, { payload: { n: 7 } });
  await server.ok('update_automation', {
    automation_id: id,
    source: 'return ["new", args.trigger.payload, args.mode]',
  });
  const replayed = async (more: object) => {
    const { run_id } = await server.ok('replay_automation_run', { run_id: first['run_id'], ...more });
    const { result, replay_of, trigger_kind } = await server.ok('get_automation_run', { run_id });
    expect({ replay_of, trigger_kind }).toEqual({ replay_of: first['run_id'], trigger_kind: 'manual' });
    return result;
  };
  expect(await replayed({})).toEqual(['new', { n: 7 }, 'dry_run']);
  expect(await replayed({ same_version: true, dry_run: false })).toEqual(['old', { n: 7 }, 'live']);
  expect(await replayed({ verify_mode: true })).toEqual(['new', { n: 7 }, 'verify']);
});

test('JavaScript runs, and TypeScript in it is an error of the code', async () => {
  const readResult = async (source: string) => {
    const { run_id } = await runOnce(await save(source, { language: 'javascript' }));
    const { status, result, error } = await server.ok('get_automation_run', { run_id });
    return [status, result ?? error];
  };
  expect(await readResult('const a = 2; return await a * 3')).toEqual(['succeeded', 6]);
  expect(await readResult('const a: number = 2; return a')).toEqual(['failed', expect.any(String)]);
});

test('output is cut to 8 KB in the answer, and is whole in the record', async () => {
  const id = await save('console.log("é".repeat(6000)); console.error("e".repeat(100))');
  const run = await runOnce(id);
  expect(Buffer.byteLength(String(run['stdout']))).toBeLessThanOrEqual(8_192);
  expect(run).toMatchObject({ stdout: expect.stringMatching(/^é+.?\n… cut$/), stderr: `${'e'.repeat(100)}\n` });
  expect((await server.ok('get_automation_run', { run_id: run['run_id'] })).stdout).toBe(`${'é'.repeat(6000)}\n`);
});

test('a call stops waiting for a run after its time, and the run goes on', async () => {
  const id = await save('await new Promise((done) => setTimeout(done, 600_000))');
  for (const wait_seconds of [9, 361])
    expect((await server.call('run_automation_once', { automation_id: id, wait_seconds })).status).toBe(422);
  const running = runOnce(id);
  const started = async () => (await server.ok('list_automation_runs', { automation_id: id })).runs[0];
  await expect.poll(async () => (await started())?.status).toBe('running');
  const runId = String((await started())?.run_id);
  const db = createKysely<unknown>(createOwnerPool({ connectionString: server.connectionString }, 1));
  const transact = ((work: (ctx: object) => unknown) => work({ db })) as unknown as AfterCommitContext['transact']; // everything that it reads
  const answer = await waitForRun({ transact }, runId, { seconds: 0, publicUrl: server.url }).finally(() =>
    db.destroy(),
  );
  expect(answer).toMatchObject({
    status: 'running',
    terminal: false,
    timed_out: true,
    timeout_reason: expect.stringContaining('after 0 seconds'),
    next_step: expect.stringContaining('get_automation_run'),
  });
  await server.ok('stop_automation_run', { run_id: runId });
  expect(await running).toMatchObject({ terminal: true, timed_out: false, timeout_reason: null });
});

test('where the sandbox cannot run, a run answers unavailable with the reason', async () => {
  const id = await save('await new Promise((done) => setTimeout(done, 600_000))');
  const answer = server.call('run_automation_once', { automation_id: id });
  const end = `update automation_runs set status = 'failed', finished_at = now(), error = $2
    where automation_id = $1 and status = 'running' returning id`;
  const error = JSON.stringify({ name: 'SandboxUnavailable', message: 'Deno is not available here.' });
  await expect.poll(() => database.rows(end, [id, error])).toHaveLength(1);
  expect(await answer).toMatchObject({
    status: 503,
    body: { code: 'unavailable', detail: expect.stringContaining('Deno is not available here.') },
  });
});

test('an overlap is acknowledged with a note of 10 to 1,000 characters, or is a conflict', async () => {
  const { board_id } = await server.ok('create_board', { name: 'Shared' });
  const writer = {
    source: '1',
    triggers: [{ kind: 'manual' }],
    tool_grants: [{ tool: 'append_board_rows' }],
    writes_to_boards: [board_id],
    dedupe_target_field: 'updates',
  };
  await server.ok('save_automation_draft', { ...writer, name: 'First writer' });
  const second = (more: object) => server.call('save_automation_draft', { ...writer, name: 'Second writer', ...more });
  const conflict = await second({});
  expect(conflict.status).toBe(409);
  expect(conflict.body['detail']).toContain('“First writer” writes to the same board');
  expect((await second({ acknowledged_overlap: true })).body['detail']).toContain('coexistence_note');
  for (const length of [9, 1_001])
    expect((await second({ acknowledged_overlap: true, coexistence_note: 'x'.repeat(length) })).status).toBe(422);
  expect((await second({ acknowledged_overlap: true, coexistence_note: 'x'.repeat(10) })).status).toBe(200);
  expect((await second({ name: 'Elsewhere', dedupe_target_field: 'notes' })).status, 'no strict overlap').toBe(200);
});

test('two automations that append to one board by the same dedupe_key_field overlap', async () => {
  const { board_id } = await server.ok('create_board', { name: 'Mails' });
  const given = { source: '1', triggers: [{ kind: 'manual' }], tool_grants: [{ tool: 'append_board_rows' }] };
  const save = (name: string, more: object) =>
    server.call('save_automation_draft', { ...given, name, writes_to_boards: [board_id], ...more });
  expect((await save('By mail', { dedupe_key_field: 'email_id' })).status).toBe(200);
  const second = await save('By mail too', { dedupe_key_field: 'email_id' });
  expect([second.status, second.body['detail']]).toEqual([409, expect.stringContaining('“By mail”')]);
  expect((await save('By name', { dedupe_key_field: 'name' })).status, 'another field').toBe(200);
  const found = async (more: object) => {
    const sought = { writes_to_boards: [board_id], ...more };
    const { matches } = await server.ok('find_overlapping_automations', sought);
    return matches
      .filter(({ strict_overlap }) => strict_overlap)
      .map(({ name }) => name)
      .toSorted();
  };
  expect(await found({})).toEqual(['By mail', 'By name']);
  expect(await found({ dedupe_key_field: 'name' })).toEqual(['By name']);
});
