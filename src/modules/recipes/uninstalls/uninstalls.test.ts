import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { joinAs, type SignedIn } from '../../../../tests/support/colleague.ts';
import { connectMcp } from '../../../../tests/support/mcp-client.ts';
import { openAsOwner } from '../../../../tests/support/owner-database.ts';
import { startTestServer } from '../../../../tests/support/server.ts';
import { share } from '../../../../tests/support/share.ts';

const server = share(() => startTestServer());
const database = share(() => openAsOwner(server.connectionString));
let brain_id: string;
let noah: SignedIn;
beforeAll(async () => {
  const { brain_id: shared } = await server.ok('create_brain', { name: 'Sales' });
  brain_id = shared;
  noah = await joinAs(server, database, 'noah@example.com');
  await server.ok('invite_member', { brain_id, email: 'noah@example.com', access_level: 'editor' });
});

type InstallOptions = { slug?: string; name?: string; bundle_id?: string | null; ids?: object; recipe?: object };
type Install = { install_id: string; entity_id: string; slug: string };

/** Stores the install of something. */
async function install(
  kind: string,
  entity_id: string | null,
  { slug = `recipe-${randomUUID()}`, name, bundle_id = null, ids = {}, recipe = {} }: InstallOptions = {},
): Promise<Install> {
  const install_id = randomUUID();
  const base = { recipe: { kind, template: {}, ...recipe }, values: { inputs: {}, ids } };
  await database.rows(
    `insert into recipe_installs (id, workspace_id, brain_id, slug, name, version, entity_kind, entity_id, bundle_id, person_id, base, state,
       created_by, created_at, updated_at)
     select $1, workspace_id, $2, $3, $4, '1.0.0', $5, $6, $7, (select id from people where role = 'owner'), $8, 'active', 'Ada', now(), now()
       from brains where id = $2`,
    [install_id, brain_id, slug, name ?? slug, kind, entity_id ?? install_id, bundle_id, JSON.stringify(base)],
  );
  return { install_id, entity_id: entity_id ?? install_id, slug };
}

let made = 0;
async function installBoard(more: InstallOptions = {}, name = `Board ${(made += 1)}`) {
  const rows = [{ n: 1 }, { n: 2 }];
  const { board_id } = await server.ok('create_board', { name, brain_id, datasets: { default: { rows } } });
  return { ...(await install('board', board_id, more)), board_id };
}
async function installAutomation(more: InstallOptions = {}) {
  const { automation_id } = await server.ok('save_automation_draft', {
    name: `Automation ${(made += 1)}`,
    source: 'return await brains.kv.get("seen")',
    triggers: [{ kind: 'manual' }],
    tool_grants: [{ tool: 'add_memory' }],
  });
  await server.ok('update_automation', { automation_id, state: 'active' });
  return { ...(await install('automation', automation_id, more)), automation_id };
}
const uninstall = (input: object, options?: { key: string }) => server.ok('uninstall_recipe', input, options);
const recover = (entity_id: string) => server.ok('recover_recipe', { entity_id });
const readStatus = async (operation: string, input: object, options?: { key: string }) =>
  (await server.call(operation, input, options)).status;
const listIds = async () => (await server.ok('list_uninstalled', { brain_id })).map(({ id }) => id);
const dayMs = 24 * 60 * 60 * 1_000;

test('an uninstalled board is hidden at once, is listed, and comes back with its rows', async () => {
  const { board_id, slug } = await installBoard();
  const answer = await uninstall({ entity_id: board_id });
  expect(answer).toMatchObject({ uninstalled: [{ kind: 'board', id: board_id }], cascade_count: 0, kept: [] });
  const until = Date.parse(answer.uninstalled[0]?.recoverable_until ?? '') - Date.now();
  expect(until / dayMs).toBeCloseTo(7, 2);
  expect(await readStatus('get_board', { board_id })).toBe(404);
  expect(await readStatus('uninstall_recipe', { entity_id: board_id })).toBe(404);
  const [listed] = await server.ok('list_uninstalled', { brain_id });
  expect(listed).toMatchObject({ kind: 'board', id: board_id, source_recipe_slug: slug, bundle_id: null });
  expect(Date.parse(listed?.expires_at ?? '') - Date.parse(listed?.uninstalled_at ?? '')).toBe(7 * dayMs);
  expect(await recover(board_id)).toMatchObject({ kind: 'board', id: board_id, source_recipe_slug: slug, parts: [] });
  expect((await server.ok('get_board', { board_id })).data.datasets['default']?.total).toBe(2);
  expect(await listIds()).toEqual([]);
  expect(await readStatus('recover_recipe', { entity_id: board_id })).toBe(404);
});

test('an uninstalled automation stops, and comes back paused with its state', async () => {
  const { automation_id } = await installAutomation();
  await uninstall({ entity_id: automation_id });
  expect(await readStatus('run_automation_once', { automation_id })).toBe(404);
  await recover(automation_id);
  const automation = await server.ok('get_automation', { automation_id });
  expect(automation).toMatchObject({ state: 'paused', paused_reason: expect.stringContaining('recovered') });
  expect(automation.versions).toHaveLength(1);
});

test('a workflow goes with the automations that it owns, and comes back with them', async () => {
  const { workflow_id } = await server.ok('create_workflow', {
    title: 'Launch',
    charter: 'Find pilots.',
    brain_id,
    automations: [
      { name: 'Owned', source: 'return 1', triggers: [{ kind: 'manual' }], tool_grants: [{ tool: 'add_memory' }] },
    ],
  });
  const [owned] = (await server.ok('get_workflow', { workflow_id })).automations;
  const automation_id = owned?.automation_id;
  await install('workflow', workflow_id);
  await uninstall({ entity_id: workflow_id });
  expect(await readStatus('get_automation', { automation_id })).toBe(404);
  await recover(workflow_id);
  expect(await server.ok('get_workflow', { workflow_id })).toMatchObject({
    state: 'paused',
    automations: [{ automation_id, state: 'paused' }],
  });
});

test('a name that was taken meanwhile gets a number', async () => {
  const { board_id } = await installBoard({ slug: 'taken' }, 'Deals');
  await uninstall({ entity_id: board_id });
  const { board_id: other } = await installBoard({ slug: 'taken' }, 'deals');
  expect(await recover(board_id)).toMatchObject({ name: 'Deals (2)' });
  expect((await server.ok('get_board', { board_id })).name).toBe('Deals (2)');
  await uninstall({ slug: 'taken', brain_id });
  expect((await listIds()).toSorted()).toEqual([board_id, other].toSorted());
});

test('a bundle takes its parts with it and brings them back, and without cascade they become standalone', async () => {
  const bundle = await install('bundle', null);
  const parts = [
    await installBoard({ bundle_id: bundle.install_id }),
    await installAutomation({ bundle_id: bundle.install_id }),
  ];
  const answer = await uninstall({ entity_id: bundle.entity_id });
  expect(answer.cascade_count).toBe(2);
  expect(answer.uninstalled.map(({ id }) => id).toSorted()).toEqual(
    [bundle, ...parts].map(({ entity_id }) => entity_id).toSorted(),
  );
  const { parts: back } = await recover(bundle.entity_id);
  expect(back.map(({ id }) => id).toSorted()).toEqual(parts.map(({ entity_id }) => entity_id).toSorted());
  const alone = await uninstall({ entity_id: bundle.entity_id, cascade: false });
  expect(alone).toMatchObject({ cascade_count: 0, uninstalled: [{ id: bundle.entity_id }] });
  for (const { entity_id } of parts) await uninstall({ entity_id });
});

test('what another install needs stays, with the name of what needs it', async () => {
  const bundle = await install('bundle', null);
  const needed = await installBoard({ bundle_id: bundle.install_id });
  const free = await installBoard({ bundle_id: bundle.install_id });
  const user = await installBoard({ slug: 'digest', name: 'Digest', ids: { contacts: needed.entity_id } });
  expect(await server.call('uninstall_recipe', { entity_id: needed.entity_id })).toMatchObject({
    status: 409,
    body: { details: { needed_by: ['Digest'] } },
  });
  const answer = await uninstall({ entity_id: bundle.entity_id });
  expect(answer.kept).toMatchObject([{ id: needed.entity_id, needed_by: ['Digest'] }]);
  expect(answer.uninstalled.map(({ id }) => id)).toContain(free.entity_id);
  expect(await readStatus('get_board', { board_id: needed.board_id })).toBe(200);
  await uninstall({ entity_id: user.entity_id });
  await uninstall({ entity_id: needed.entity_id });
});

test('what was deleted by hand is made again by the next install', async () => {
  const recipe = { slug: 'deleted-by-hand', name: 'Deleted', kind: 'board', template: { name: 'Deleted by hand' } };
  await server.ok('publish_recipe_version', { recipe });
  const apply = () => server.ok('apply_starter_recipe', { slug: recipe.slug, brain_id });
  const first = await apply();
  await server.ok('delete_board', { board_id: first.board_id, confirm: 'Deleted by hand' });
  const second = await apply();
  expect(second.created).toMatchObject({ is_new: true });
  expect(await readStatus('get_board', { board_id: second.board_id })).toBe(200);
  await uninstall({ entity_id: second.board_id });
});

test('after 7 days it is purged and cannot be recovered; deletion frees its name', async () => {
  const [board, automation] = [await installBoard(), await installAutomation()];
  for (const { entity_id } of [board, automation]) await uninstall({ entity_id });
  const late = `uninstalled_at = uninstalled_at - interval '7 days 1 minute' where uninstalled_at is not null`;
  for (const table of ['recipe_installs', 'boards', 'automations', 'workflows'])
    await database.rows(`update ${table} set ${late}`);
  expect(await readStatus('recover_recipe', { entity_id: board.entity_id })).toBe(404);
  expect(await listIds()).toEqual([]);
  await database.rows(`insert into jobs.job (name) values ('tidy')`);
  const count = async () =>
    (
      await database.rows(`select from boards where uninstalled_at is not null union all
      select from automations where uninstalled_at is not null union all select from recipe_installs where uninstalled_at is not null`)
    ).length;
  await expect.poll(count, { timeout: 15_000 }).toBe(0);
  expect(await database.rows('select from board_rows where board_id = $1', [board.board_id])).toEqual([]);
  const { automation_id } = automation;
  expect(await server.ok('get_automation', { automation_id })).toMatchObject({ state: 'killed' });
});

test('only the installer and admins of the brain uninstall, and an agent asks a person', async () => {
  const { board_id, entity_id } = await installBoard();
  expect(await noah.call('uninstall_recipe', { entity_id })).toMatchObject({
    status: 403,
    body: { detail: expect.stringContaining('Somebody else installed') },
  });
  const { key: agent } = await server.ok('create_key', { label: 'Agent' });
  expect(await readStatus('uninstall_recipe', { entity_id }, { key: String(agent) })).toBe(403);
  expect(await readStatus('get_board', { board_id })).toBe(200);
});

test.each([
  [{}, 422],
  [{ slug: 'contacts' }, 422],
  [{ entity_id: randomUUID() }, 404],
  [{ entity_id: randomUUID(), slug: 'contacts' }, 404],
])('uninstall_recipe refuses %j', async (input, status) => {
  expect(await readStatus('uninstall_recipe', input)).toBe(status);
});

test('a slug of which nothing is installed, and a foreign brain, are not found', async () => {
  expect(await readStatus('uninstall_recipe', { slug: 'nothing-here', brain_id })).toBe(404);
  expect(await readStatus('uninstall_recipe', { slug: 'nothing-here', brain_id: randomUUID() })).toBe(404);
});

test('uninstalling and recovering at once leave one of both, and never half of it', async () => {
  const { board_id } = await installBoard();
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      server.call(index % 2 ? 'recover_recipe' : 'uninstall_recipe', { entity_id: board_id }),
    ),
  );
  for (const { status } of answers) expect([200, 404]).toContain(status);
  const [row] = await database.rows(
    `select boards.uninstalled_at is null as board, recipe_installs.uninstalled_at is null as install from boards
       join recipe_installs on entity_id = boards.id where boards.id = $1`,
    [board_id],
  );
  expect(row?.['board']).toBe(row?.['install']);
});

test('by MCP the list is in items, and bare in the text', async () => {
  const { entity_id } = await installBoard();
  await uninstall({ entity_id });
  const client = await connectMcp(`${server.url}/mcp?toolsets=recipes`, server.key);
  const answer = await client.callTool({ name: 'list_uninstalled', arguments: { brain_id } });
  const { items } = answer.structuredContent as { items: { id: string }[] };
  expect(items.map(({ id }) => id)).toContain(entity_id);
  const [text] = answer.content as { text: string }[];
  expect(JSON.parse(text?.text ?? '')).toEqual(items);
  await client.close();
});
