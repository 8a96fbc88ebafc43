import { expect, test } from 'vitest';
import { startHttpJsonEmulator } from '#emulators/http-json/index';
import { openAsOwner } from '../support/owner-database.ts';
import { startTestServer } from '../support/server.ts';
import { share } from '../support/share.ts';

const api = share(() => startHttpJsonEmulator());
const server = share(() => startTestServer({ THALAMUS_EGRESS_ALLOW: api.url }));
const database = share(() => openAsOwner(server.connectionString));

/** Tables of what an uninstalled board, automation or workflow has, which no query reads without it. */
const readWithOwner = [
  'automation_changes',
  'automation_fixtures',
  'automation_http_fetch_hosts',
  'automation_kv',
  'automation_passes',
  'automation_runs',
  'automation_variables',
  'automation_versions',
  'board_datasets',
  'board_rows',
  'deadline_mails',
];

test('every table of what can be uninstalled hides it from all queries', async () => {
  const open = await database.rows(
    `select relname from pg_attribute join pg_class on pg_class.oid = attrelid
      where relnamespace = 'public'::regnamespace and relkind = 'r' and attname = 'uninstalled_at' and not exists (
        select from pg_policies where tablename = relname and policyname = 'installed' and permissive = 'RESTRICTIVE')`,
  );
  expect(open).toEqual([]);
  const loose = await database.rows(
    `select distinct child.relname from pg_constraint
       join pg_class child on child.oid = conrelid join pg_class parent on parent.oid = confrelid
       join pg_attribute on attrelid = parent.oid and attname = 'uninstalled_at'
      where contype = 'f' and not exists (
        select from pg_policies where tablename = child.relname and permissive = 'RESTRICTIVE')`,
  );
  expect(loose.map(({ relname }) => relname).filter((name) => !readWithOwner.includes(String(name)))).toEqual([]);
});

async function createThings() {
  const board = await server.ok('create_board', { name: 'Invoices', datasets: { default: { rows: [{ n: 1 }] } } });
  const link = await server.ok('create_board_link', {
    board_id: board.board_id,
    kind: 'http_json',
    ref: { url: `${api.url}/items` },
    display_name: 'Items',
  });
  const recipe = await server.ok('create_dataset_recipe', {
    link_id: link.id,
    dataset_name: 'items',
    adapter_op: 'http_json.list',
    refresh_cron: '0 * * * *',
  });
  const { workflow_id } = await server.ok('create_workflow', { title: 'Launch', charter: 'Find pilots.' });
  const automation = await server.ok('save_automation_draft', {
    name: 'Weekly',
    source: 'return 1',
    triggers: [{ kind: 'webhook' }],
    tool_grants: [{ tool: 'add_memory' }],
  });
  const { automation_id } = automation;
  await server.ok('update_automation', { automation_id, state: 'active' });
  const { webhook_url } = await server.ok('rotate_automation_webhook', { automation_id });
  const { run_id } = await server.ok('run_automation_once', { automation_id });
  return {
    board_id: board.board_id,
    link_id: link.id,
    recipe_id: recipe.id,
    workflow_id,
    automation_id,
    run_id,
    webhook_url,
  };
}

test('what is uninstalled is in no list, read, write, run, link, refresh or export, and its name is free', async () => {
  const { webhook_url, ...ids } = await createThings();
  const { board_id, automation_id, workflow_id, link_id, recipe_id, run_id } = ids;
  for (const table of ['boards', 'automations', 'workflows'])
    await database.rows(`update ${table} set uninstalled_at = now()`);
  expect((await server.ok('list_boards')).total).toBe(0);
  expect((await server.ok('list_automations')).total).toBe(0);
  expect((await server.ok('list_workflows')).workflows).toEqual([]);
  const calls: [string, object][] = [
    ['get_board', { board_id }],
    ['get_board', { name: 'Invoices' }],
    ['query_board_rows', { board_id, dataset: 'default' }],
    ['append_board_rows', { board_id, rows: [{ n: 2 }] }],
    ['update_board', { board_id, description: 'x' }],
    ['delete_board', { board_id, confirm: 'Invoices' }],
    ['list_board_links', { board_id }],
    ['test_board_link', { link_id }],
    ['refresh_dataset_recipe', { recipe_id }],
    ['get_automation', { automation_id }],
    ['update_automation', { automation_id, state: 'active' }],
    ['run_automation_once', { automation_id }],
    ['list_automation_runs', { automation_id }],
    ['get_automation_run', { run_id }],
    ['delete_automation', { automation_id }],
    ['get_workflow', { workflow_id }],
    ['update_workflow', { workflow_id, title: 'x' }],
    ['delete_workflow', { workflow_id, confirm: 'Launch' }],
  ];
  for (const [operation, input] of calls)
    expect([operation, (await server.call(operation, input)).status]).toEqual([operation, 404]);
  const { pathname, search } = new URL(webhook_url);
  expect((await server.request(pathname + search, { method: 'POST', body: '{}' })).status).toBe(404);
  const { brains } = await server.ok('list_brains');
  const exported = JSON.stringify(await server.ok('export_brain', { brain_id: brains[0]?.id ?? '' }));
  expect(exported).not.toContain('Invoices');
  expect(exported).not.toContain('Launch');
  await server.ok('create_board', { name: 'Invoices' });
  await server.ok('save_automation_draft', {
    name: 'Weekly',
    source: 'return 2',
    triggers: [{ kind: 'manual' }],
    tool_grants: [{ tool: 'add_memory' }],
  });
});
