import { afterAll, beforeAll, expect, test } from 'vitest';
import { openAsOwner, type OwnerDatabase } from '../../../tests/support/owner-database.ts';
import { startTestServer, type TestServer } from '../../../tests/support/server.ts';

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
const source = `const { results } = await brains.search_memory({ q: args.q });
await brains.add_memory({ content: "Seen on " + new Date().toISOString().slice(0, 10) + ": " + args.q });`;
async function withFixture(script = source, payload: unknown = { q: 'release' }) {
  const { automation_id } = await server.ok('save_automation_draft', {
    name: `Tested ${(made += 1)}`,
    source: script,
    triggers: [{ kind: 'manual' }],
    tool_grants: [{ tool: 'search_memory' }, { tool: 'add_memory' }],
  });
  const { run_id } = await server.ok('run_automation_once', { automation_id, payload });
  await server.ok('save_automation_fixture', { run_id, name: 'Usual' });
  return { automation_id, run_id };
}
const activate = (automation_id: string) => server.call('update_automation', { automation_id, state: 'active' });
const run = (automation_id: string) => server.ok('test_automation', { automation_id });

test('an automation with fixtures is activated once they have passed, and any change makes the pass stale', async () => {
  const { automation_id } = await withFixture();
  const refused = await activate(automation_id);
  expect(refused).toMatchObject({ status: 409, body: { detail: expect.stringContaining('test_automation') } });
  expect(await run(automation_id)).toMatchObject({ passed: true, fixtures: [{ name: 'Usual', has_passed: true }] });
  expect((await server.ok('get_automation', { automation_id })).fixtures_passed_at).not.toBeNull();
  for (const change of [
    { source: `${source}\n` },
    { tool_grants: [{ tool: 'search_memory' }, { tool: 'add_memory' }, { tool: 'get_memory' }] },
    { write_policy: 'auto_confirm_safe' },
  ]) {
    await server.ok('update_automation', { automation_id, ...change });
    expect((await activate(automation_id)).status, JSON.stringify(change)).toBe(409);
    expect((await run(automation_id)).passed).toBe(true);
  }
  expect((await activate(automation_id)).status).toBe(200);
  const active = await server.call('update_automation', { automation_id, source: 'return 1' });
  expect(active.status).toBe(409);
  await server.ok('update_automation', { automation_id, state: 'paused' });
});

test('a fixture changes nothing, has the clock of its recording, and lists the differences', async () => {
  const { automation_id } = await withFixture();
  await database.rows(`update automation_fixtures set recorded_at = recorded_at - interval '40 days',
    calls = replace(calls::text, to_char(now() at time zone 'UTC', 'YYYY-MM-DD'), to_char((now() - interval '40 days') at time zone 'UTC', 'YYYY-MM-DD'))::jsonb
    where automation_id = '${automation_id}'`);
  const count = async () => (await database.rows('select count(*)::int as n from memories'))[0]?.['n'];
  const before = await count();
  expect((await run(automation_id)).passed).toBe(true);
  const other = 'await brains.search_memory({ q: args.q }); await brains.add_memory({ content: "Something else" });';
  await server.ok('update_automation', { automation_id, source: other });
  const runResult = await run(automation_id);
  expect(runResult).toMatchObject({
    passed: false,
    fixtures: [
      {
        missing: [{ operation: 'add_memory', input: { content: expect.stringContaining('Seen on') } }],
        unexpected: [{ operation: 'add_memory', input: { content: 'Something else' } }],
      },
    ],
  });
  expect((await activate(automation_id)).status).toBe(409);
  await server.ok('update_automation', { automation_id, source: 'await brains.search_memory({ q: "unheard of" });' });
  expect((await run(automation_id)).fixtures[0]?.error).toContain('no answer');
  await server.ok('update_automation', { automation_id, source: 'await brains.list_brains({});' });
  expect((await run(automation_id)).fixtures[0]?.error).toContain('tool_grants');
  expect(await count()).toBe(before);
});

test('only a successful dry run becomes a fixture, and a caller who may not activate cannot delete one', async () => {
  const { automation_id, run_id } = await withFixture();
  const save = (asked: object) => server.call('save_automation_fixture', asked);
  expect((await save({ run_id, name: 'Usual' })).status).toBe(409);
  const live = await server.ok('run_automation_once', { automation_id, dry_run: false, payload: { q: 'x' } });
  expect((await save({ run_id: live.run_id, name: 'Live' })).status).toBe(409);
  const scopes = ['automations:read', 'automations:write'];
  const { key } = await server.ok('create_key', { label: 'Agent', scopes });
  const asked = { automation_id, name: 'Usual' };
  expect((await server.call('delete_automation_fixture', asked, { key: String(key) })).status).toBe(403);
  await server.ok('delete_automation_fixture', asked);
  expect((await activate(automation_id)).status).toBe(200);
});

test('a waiting change is tested in its new form, and accepted once its fixtures have passed', async () => {
  const { automation_id } = await withFixture();
  await run(automation_id);
  await server.ok('update_automation', { automation_id, state: 'active' });
  const scopes = ['automations:read', 'automations:write'];
  const { key } = await server.ok('create_key', { label: 'Agent', scopes });
  const updated = await server.ok('update_automation', { automation_id, source: `${source} ` }, { key: String(key) });
  const accept = () => server.call('accept_automation_change', { change_id: updated.waiting_change?.change_id });
  expect((await accept()).status).toBe(409);
  expect((await server.ok('test_automation', { automation_id, waiting_change: true })).passed).toBe(true);
  expect((await accept()).status).toBe(200);
});
