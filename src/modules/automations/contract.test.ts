// Limits and rules for creating and changing automations (BA-025, 027, 028, 032 to 034, 036 to 038, 042 to 044, 047 to
// 049, 068, 076).
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../../tests/support/server.ts';
import { buildPlaybook } from './playbook.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const least = { source: '1', triggers: [{ kind: 'manual' }], tool_grants: [{ tool: 'add_memory' }] };
let made = 0;
const trySave = (more: Record<string, unknown>) =>
  server.call('save_automation_draft', { name: `Contract ${(made += 1)}`, ...least, ...more });
async function save(more: Record<string, unknown> = {}) {
  const { status, body } = await trySave(more);
  expect(status).toBe(200);
  return String(body['automation_id']);
}

test('the playbook asks for trigger, reads, writes, grants, overlap, caps and source in this order, one at a time', async () => {
  const { playbook } = await server.ok('create_automation_flow');
  expect(playbook).toContain('one question at a time');
  const steps = ['Trigger', 'Reads', 'Writes', 'Grants', 'Overlap', 'Caps', 'Source', 'save_automation_draft'];
  const places = steps.map((step) => playbook.indexOf(step === 'save_automation_draft' ? step : `. ${step}.`));
  expect(places.every((place) => place > 0)).toBe(true);
  expect(places).toEqual(places.toSorted((one, other) => one - other));
});

test('the playbook does not continue to an append without a dedupe key, and offers always_draft before it warns of the other policy', () => {
  const playbook = buildPlaybook(null);
  const writes = playbook.split('\n').find((line) => line.startsWith('3. Writes'));
  expect(writes).toMatch(/every append.*dedupe_key_field.*Do not go on without it/);
  expect(playbook).toMatch(/offer always_draft.*Warn before auto_confirm_safe/);
});

test('the skeleton of the playbook runs unchanged, and a second run skips what the first one wrote', async () => {
  const { board_id } = await server.ok('create_board', { name: 'CRM' });
  for (const title of ['Offer for rope', 'Offer for sails'])
    await server.ok('create_page', { title, body: 'An offer.', type: 'email' });
  const skeleton =
    buildPlaybook('x')
      .split(/^(?=import \{ brains \})/m)[1]
      ?.split('\n\n7. ')[0] ?? '';
  expect(skeleton).toContain('if (!fresh.length) return;');
  const tool_grants = ['get_board', 'search', 'append_board_rows'].map((tool) => ({ tool }));
  const automation_id = await save({ source: skeleton.replace('"…"', '"offer"'), tool_grants });
  for (const _ of [1, 2]) {
    const run = await server.ok('run_automation_once', { automation_id, dry_run: false });
    expect(run).toMatchObject({ status: 'succeeded', error: null });
    const { data } = await server.ok('get_board', { board_id });
    const subjects = data.datasets['default']?.rows.map((row) => row['subject']).toSorted();
    expect(subjects).toEqual(['Offer for rope', 'Offer for sails']);
  }
});

test.each([
  ['source', ['', 'x'.repeat(200_001)], ['1', `1//${'x'.repeat(199_997)}`]],
  ['triggers', [[]], [[{ kind: 'manual' }]]],
  ['tool_grants', [[]], [[{ tool: 'add_memory' }]]],
  ['description', ['d'.repeat(501)], ['d'.repeat(500)]],
  ['intent', ['i'.repeat(2_001)], ['i'.repeat(2_000)]],
  ['max_wall_seconds', [4, 301, 5.5], [5, 300]],
  ['max_llm_tokens', [99, 2_000_001], [100, 2_000_000]],
])('%s outside its limits is refused by name, and accepted at the limits', async (field, refused, taken) => {
  for (const value of refused) {
    const { status, body } = await trySave({ [field]: value });
    expect([status, body['code']]).toEqual([422, 'invalid_input']);
    expect(body['detail']).toContain(field);
  }
  for (const value of taken) await save({ [field]: value });
});

test('an automation without triggers or grants is refused', async () => {
  for (const field of ['triggers', 'tool_grants', 'source', 'name']) {
    const { [field]: _, ...others } = { name: 'Lacking', ...least } as Record<string, unknown>;
    expect((await server.call('save_automation_draft', others)).body).toMatchObject({
      code: 'invalid_input',
      detail: expect.stringContaining(field),
    });
  }
});

test('without caps and a model it gets 60 seconds, 200,000 tokens, a dollar and claude-sonnet-4-6', async () => {
  expect(await server.ok('get_automation', { automation_id: await save() })).toMatchObject({
    max_wall_seconds: 60,
    max_llm_tokens: 200_000,
    cost_cap_daily_usd: 1,
    model: 'claude-sonnet-4-6',
    write_policy: 'always_draft',
    state: 'paused',
  });
});

test('a change without a field is refused, and a change of fields names them and makes no version', async () => {
  const automation_id = await save();
  const refused = await server.call('update_automation', { automation_id });
  expect(refused.body).toMatchObject({ code: 'invalid_input' });
  const changed = await server.ok('update_automation', { automation_id, max_wall_seconds: 9, description: 'Nine' });
  expect(changed.columns_changed.toSorted()).toEqual(['description', 'max_wall_seconds']);
  expect(changed).not.toHaveProperty('version');
  const after = await server.ok('get_automation', { automation_id });
  expect(after).toMatchObject({ max_wall_seconds: 9, description: 'Nine', versions: [{ version: 1 }] });
});

test('update_automation activates and pauses, and only delete_automation ends', async () => {
  const automation_id = await save();
  const setState = (state: string) => server.call('update_automation', { automation_id, state });
  expect((await setState('killed')).body).toMatchObject({
    code: 'invalid_input',
    detail: expect.stringContaining('state'),
  });
  expect((await setState('active')).body).toMatchObject({ state: 'active' });
  expect((await setState('paused')).body).toMatchObject({ state: 'paused' });
});

test('overlaps are found by board, filtered by list field and trigger, and leave out deleted automations', async () => {
  const { board_id } = await server.ok('create_board', { name: 'Visited' });
  const { board_id: other } = await server.ok('create_board', { name: 'Not visited' });
  const common = { writes_to_boards: [board_id], tool_grants: [{ tool: 'append_board_rows' }] };
  const visits = await save({ ...common, dedupe_target_field: 'visits', dedupe_key_field: 'visit_id' });
  const notes = await save({
    ...common,
    dedupe_target_field: 'notes',
    triggers: [{ kind: 'cron', cron: '0 9 * * 1', tz: 'UTC' }],
  });
  await save({ ...common, writes_to_boards: [other] });
  await server.ok('run_automation_once', { automation_id: visits });
  const find = (more: object = {}) =>
    server.ok('find_overlapping_automations', { writes_to_boards: [board_id], ...more });
  const listMatchIds = ({ matches }: Awaited<ReturnType<typeof find>>) =>
    matches.map(({ automation_id }) => automation_id);

  const all = await find();
  expect(listMatchIds(all).toSorted()).toEqual([visits, notes].toSorted());
  expect(all.count).toBe(2);
  expect(all.matches.find(({ automation_id }) => automation_id === visits)).toMatchObject({
    is_self: true,
    state: 'paused',
    last_run_at: expect.any(String),
    writes_to_boards: [board_id],
    dedupe_target_field: 'visits',
    dedupe_key_field: 'visit_id',
    trigger_kinds: ['manual'],
  });
  const narrowed = await find({ dedupe_target_field: 'visits' });
  expect([listMatchIds(narrowed), narrowed.strict_count]).toEqual([[visits], 1]);
  expect(listMatchIds(await find({ trigger_kind: 'cron' }))).toEqual([notes]);

  const { runs } = await server.ok('list_automation_runs', { automation_id: visits });
  expect(await server.ok('delete_automation', { automation_id: visits })).toMatchObject({ state: 'killed' });
  expect(listMatchIds(await find())).toEqual([notes]);
  expect((await server.ok('list_automation_runs', { automation_id: visits })).runs).toEqual(runs);
});

test('a person and a key are refused by automation_llm_complete: only code of a run calls it', async () => {
  const { key } = await server.ok('create_key', { label: 'Asking', scopes: ['automations:read'] });
  for (const options of [undefined, { key: String(key) }]) {
    const refused = await server.call('automation_llm_complete', { prompt: 'Hello?' }, options);
    expect(refused).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  }
});
