import { afterAll, beforeAll, expect, test } from 'vitest';
import { openAsOwner } from '../../../tests/support/owner-database.ts';
import { startTestServer, type TestServer } from '../../../tests/support/server.ts';

let server: TestServer;
let agent: string;

beforeAll(async () => {
  server = await startTestServer();
  const scopes = ['automations:read', 'automations:write', 'memory:read', 'memory:write'];
  agent = String((await server.ok('create_key', { label: 'Agent', scopes }))['key']);
});
afterAll(() => server.close());

let made = 0;
async function createActive(more: Record<string, unknown> = {}) {
  const { automation_id } = await server.ok('save_automation_draft', {
    name: `Changing ${(made += 1)}`,
    source: 'return "old"',
    triggers: [{ kind: 'manual' }],
    tool_grants: [{ tool: 'search_memory', params: { max_tokens: 500 } }],
    ...more,
  });
  await server.ok('update_automation', { automation_id, state: 'active' });
  return automation_id;
}
const get = (automation_id: string) => server.ok('get_automation', { automation_id });
const requestChange = (automation_id: string, more: object) =>
  server.ok('update_automation', { automation_id, ...more }, { key: agent });
const readResult = async (automation_id: string) => {
  const { run_id } = await server.ok('run_automation_once', { automation_id });
  return (await server.ok('get_automation_run', { run_id })).result;
};

test('a version with more rights waits for a person, while the old version keeps running', async () => {
  const id = await createActive();
  const tool_grants = [{ tool: 'search_memory', params: { max_tokens: 200 } }, { tool: 'http_fetch' }];
  const { waiting_change } = await requestChange(id, {
    source: 'return "new"',
    tool_grants,
    acknowledged_http_fetch_hosts: ['api.example.com'],
    triggers: [{ kind: 'cron', cron: '0 9 * * 1', tz: 'UTC' }],
    max_wall_seconds: 120,
    write_policy: 'auto_confirm_safe',
  });
  expect(waiting_change?.asks_for_more).toEqual({
    tool_grants: [{ tool: 'http_fetch' }],
    hosts: ['api.example.com'],
    triggers: [{ kind: 'cron', cron: '0 9 * * 1', tz: 'UTC' }],
    limits: [{ name: 'max_wall_seconds', from: 60, to: 120 }],
    confirms_by_itself: true,
  });
  expect(await get(id)).toMatchObject({ source: 'return "old"', waiting_change, next_run_at: null });
  expect(await readResult(id)).toBe('old');
  const { change_id } = waiting_change ?? {};
  expect((await server.call('accept_automation_change', { change_id }, { key: agent })).status).toBe(403);
  await server.ok('accept_automation_change', { change_id });
  expect(await get(id)).toMatchObject({
    source: 'return "new"',
    tool_grants,
    acknowledged_http_fetch_hosts: ['api.example.com'],
    waiting_change: null,
    next_run_at: expect.any(String),
  });
  expect(await readResult(id)).toBe('new');
  expect((await server.call('accept_automation_change', { change_id })).status).toBe(409);
});

test('a change that waits is an event once, also with a pause, so that an open console shows it', async () => {
  const id = await createActive();
  const database = await openAsOwner(server.connectionString);
  const countEvents = async () =>
    (
      await database.rows(`select from events where name = 'automation.changed' and payload ->> 'automation_id' = $1`, [
        id,
      ])
    ).length;
  const before = await countEvents();
  await requestChange(id, { source: '1' });
  expect(await countEvents()).toBe(before + 1);
  await requestChange(id, { source: '2', state: 'paused' });
  expect(await countEvents()).toBe(before + 2);
  await database.close();
});

test('a later proposal replaces the earlier one, and a declined one changes nothing', async () => {
  const id = await createActive();
  const first = (await requestChange(id, { source: '1' })).waiting_change?.change_id;
  const second = (await requestChange(id, { source: '2' })).waiting_change?.change_id;
  expect((await server.call('accept_automation_change', { change_id: first })).body['detail']).toContain('replaced');
  await server.ok('decline_automation_change', { change_id: second }, { key: agent });
  expect(await get(id)).toMatchObject({ source: 'return "old"', waiting_change: null });
});

test('a person accepts the proposal that they saw, or nothing', async () => {
  const id = await createActive();
  const { updated_at: seen_updated_at } = await get(id);
  const change_id = (await requestChange(id, { source: '1' })).waiting_change?.change_id;
  await server.ok('update_automation', { automation_id: id, cost_cap_daily_usd: 2 });
  expect((await server.call('accept_automation_change', { change_id, seen_updated_at })).status).toBe(409);
  expect((await get(id)).waiting_change?.change_id).toBe(change_id);
});

test('a grant that no automation may have is refused in a proposal, too', async () => {
  const id = await createActive();
  const asked = { automation_id: id, tool_grants: [{ tool: 'create_key' }] };
  expect((await server.call('update_automation', asked, { key: agent })).status).toBe(422);
  expect((await get(id)).waiting_change).toBeNull();
});

test('an agent may pause an automation that was once activated, and every other change waits for a person', async () => {
  const id = await createActive();
  const answer = await requestChange(id, {
    state: 'paused',
    source: 'return "new"',
    cost_cap_daily_usd: 90,
    max_retries: 3,
  });
  expect(answer).toMatchObject({
    state: 'paused',
    columns_changed: ['state'],
    waiting_change: { source: 'return "new"' },
  });
  const kept = { source: 'return "old"', cost_cap_daily_usd: 1, max_retries: 0 };
  expect(await get(id)).toMatchObject({ state: 'paused', since_activation: { settings: [], source: null }, ...kept });
  await requestChange(id, { tool_grants: [{ tool: 'list_pages' }] });
  await server.ok('update_automation', { automation_id: id, state: 'active' });
  expect(await get(id)).toMatchObject({ ...kept, tool_grants: [{ tool: 'search_memory' }] });
});

test.each(
  Object.entries({
    name: 'Another name',
    description: 'Says something else',
    intent: 'Another intent',
    overlap: 'parallel',
    max_retries: 5,
    model: 'claude-sonnet-4-6',
    max_llm_tokens: 1_000,
  }),
)('an agent’s change of %s waits, also where it limits the automation', async (field, value) => {
  const id = await createActive();
  const before = await get(id);
  const { waiting_change } = await requestChange(id, { [field]: value });
  expect(waiting_change?.fields).toEqual({ [field]: value });
  expect((await get(id))[field as 'name']).toEqual(before[field as 'name']);
});

test('an automation that was never activated shows no difference, and an agent edits it freely', async () => {
  const { automation_id } = await server.ok('save_automation_draft', {
    name: `Changing ${(made += 1)}`,
    source: 'return 1',
    triggers: [{ kind: 'manual' }],
    tool_grants: [{ tool: 'search_memory' }],
  });
  expect(await requestChange(automation_id, { max_retries: 2, source: 'return 2' })).toMatchObject({
    columns_changed: ['max_retries'],
  });
  expect(await get(automation_id)).toMatchObject({ max_retries: 2, source: 'return 2', since_activation: null });
});

test('before an automation is activated again, a person sees the differences from its last activation', async () => {
  const id = await createActive({ acknowledged_http_fetch_hosts: ['a.example.com'] });
  await server.ok('update_automation', { automation_id: id, state: 'paused' });
  const change_id = (
    await requestChange(id, {
      source: 'return "new"',
      overlap: 'queue',
      max_wall_seconds: 90,
      acknowledged_http_fetch_hosts: ['b.example.com'],
    })
  ).waiting_change?.change_id;
  await server.ok('accept_automation_change', { change_id });
  const { since_activation } = await get(id);
  expect(since_activation).toEqual({
    activated_at: expect.any(String),
    activated_by: expect.any(String),
    source: 'return "old"',
    settings: [
      { name: 'max_wall_seconds', from: 60, to: 90 },
      { name: 'overlap', from: 'skip', to: 'queue' },
      { name: 'acknowledged_http_fetch_hosts', from: ['a.example.com'], to: ['b.example.com'] },
    ],
    asks_for_more: {
      tool_grants: [],
      hosts: ['b.example.com'],
      triggers: [],
      limits: [{ name: 'max_wall_seconds', from: 60, to: 90 }],
      confirms_by_itself: false,
    },
  });
  await server.ok('update_automation', { automation_id: id, state: 'active' });
  expect((await get(id)).since_activation).toMatchObject({ source: null, settings: [] });
});
