import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { joinAs, signInOwner, type SignedIn } from '../../../../tests/support/colleague.ts';
import { openAsOwner } from '../../../../tests/support/owner-database.ts';
import { startTestServer } from '../../../../tests/support/server.ts';
import { share } from '../../../../tests/support/share.ts';

const server = share(() => startTestServer({ THALAMUS_OWNER_EMAIL: 'ada@example.com' }));
const database = share(() => openAsOwner(server.connectionString));
let ada: SignedIn;
let noah: SignedIn;
let brain_id: string;
beforeAll(async () => {
  ada = await signInOwner(server, database);
  brain_id = (await server.ok('create_brain', { name: 'Sales' })).brain_id;
  noah = await joinAs(server, database, 'noah@example.com');
  await server.ok('invite_member', { brain_id, email: 'noah@example.com', access_level: 'editor' });
});

let made = 0;
type Fields = Record<string, unknown>;
/** Publishes a version; without a slug a recipe of its own. */
async function publish(recipe: Fields, slug = `recipe-${(made += 1)}`): Promise<string> {
  await server.ok('publish_recipe_version', {
    recipe: { slug, name: `Recipe ${slug}`, description: 'A trial.', ...recipe },
  });
  return slug;
}
const apply = (slug: string, more: Fields = {}) => server.ok('apply_starter_recipe', { slug, brain_id, ...more });
const check = (entity_kind: string, entity_id: unknown, more: Fields = {}) =>
  server.ok('check_recipe_upgrade', { entity_id, entity_kind, ...more });
const upgrade = (entity_kind: string, entity_id: unknown, more: Fields = {}, options?: { key: string }) =>
  server.ok('upgrade_recipe', { entity_id, entity_kind, ...more }, options);
const listChanges = (changes: { field: string; change: string }[]) =>
  changes.map(({ field, change }) => `${change} ${field}`).toSorted();

const buildColumn = (name: string, type = 'text') => ({ name, type });
const buildBoard = (name: string, columns: object[], more: Fields = {}) => ({
  kind: 'board',
  template: { name, description: 'People we met.', datasets: { people: { columns } }, ...more },
});

describe('a board', () => {
  async function installContacts() {
    const name = `Contacts ${(made += 1)}`;
    const slug = await publish(buildBoard(name, [buildColumn('email'), buildColumn('size'), buildColumn('old')]));
    const { board_id } = await apply(slug);
    const rows = [{ email: 'a@example.com', size: '5', old: 'kept' }];
    await server.ok('append_board_rows', { board_id, dataset: 'people', rows });
    return { slug, name, board_id: String(board_id) };
  }
  const second = (name: string) =>
    buildBoard(name, [buildColumn('email', 'json'), buildColumn('size', 'json'), buildColumn('stage')], {
      skills: ['Sort them'],
    });

  test('has no upgrade and no changes after its install, whatever its rows are', async () => {
    const { board_id } = await installContacts();
    expect(await check('board', board_id)).toMatchObject({
      installed: '1.0.0',
      latest: '1.0.0',
      has_upgrade: false,
      has_user_changes: false,
      change_summary: [],
      kept: [],
      parts: [],
    });
  });

  test('gets what the new version changed, keeps what a person changed, and its rows', async () => {
    const { slug, name, board_id } = await installContacts();
    await server.ok('update_board', {
      board_id,
      description: 'Ours',
      datasets: {
        people: {
          columns: [buildColumn('email'), buildColumn('size', 'json'), buildColumn('old'), buildColumn('own', 'date')],
        },
      },
    });
    await publish({ ...second(name), template: { ...second(name).template, description: 'All people.' } }, slug);
    const shown = await check('board', board_id);
    expect(shown).toMatchObject({ installed: '1.0.0', latest: '1.0.1', has_upgrade: true, has_user_changes: true });
    const changed = [
      'added datasets.people.columns.stage',
      'added skills.Sort them',
      'changed datasets.people.columns.email',
      'removed datasets.people.columns.old',
    ];
    expect(listChanges(shown.change_summary)).toEqual(changed);
    expect(shown.kept).toEqual([{ field: 'description', mine: 'Ours', theirs: 'All people.' }]);
    const answer = await upgrade('board', board_id);
    expect(answer).toMatchObject({
      entity_id: board_id,
      entity_kind: 'board',
      upgraded_from_version: '1.0.0',
      upgraded_to_version: '1.0.1',
      kept: shown.kept,
    });
    expect(listChanges(answer.changes)).toEqual(changed);
    const board = await server.ok('get_board', { board_id });
    expect(board).toMatchObject({ description: 'Ours', skills: ['Sort them'] });
    const { columns, rows } = board.data.datasets['people'] ?? {};
    expect(columns?.map((each) => each.name)).toEqual(['email', 'size', 'own', 'stage']);
    expect(rows?.[0]).toMatchObject({ email: 'a@example.com', size: '5' });
    const [stored] = await database.rows('select fields from board_rows where board_id = $1', [board_id]);
    expect(stored?.['fields'], 'a hidden column keeps its values').toMatchObject({ old: 'kept' });
    expect(await check('board', board_id)).toMatchObject({ has_upgrade: false, has_user_changes: true });
  });

  test('with force it equals a fresh install, and its rows stay', async () => {
    const { slug, name, board_id } = await installContacts();
    await server.ok('update_board', { board_id, name: 'Renamed', description: 'Ours', skills: ['Own'] });
    await publish(second(name), slug);
    expect(await check('board', board_id, { force: true })).toMatchObject({ kept: [] });
    await upgrade('board', board_id, { force: true });
    const other = String((await server.ok('create_brain', { name: `Fresh ${(made += 1)}` })).brain_id);
    const fresh = await server.ok('apply_starter_recipe', { slug, brain_id: other });
    const [mine, theirs] = await Promise.all(
      [board_id, fresh.board_id].map((id) => server.ok('get_board', { board_id: id })),
    );
    const pick = ({ name: called, description, skills, dashboard, data }: NonNullable<typeof mine>) => ({
      called,
      description,
      skills,
      dashboard,
      columns: data.datasets['people']?.columns,
    });
    expect(pick(mine!)).toEqual(pick(theirs!));
    expect(mine!.data.datasets['people']?.total).toBe(1);
    expect(await check('board', board_id)).toMatchObject({ has_user_changes: false });
  });

  test('a column keeps its type where a row has another value, and the answer names the row', async () => {
    const { slug, name, board_id } = await installContacts();
    await publish(buildBoard(name, [buildColumn('email', 'number'), buildColumn('size'), buildColumn('old')]), slug);
    const { misfits } = await upgrade('board', board_id);
    expect(misfits).toMatchObject([{ dataset: 'people', column: 'email' }]);
    const board = await server.ok('get_board', { board_id });
    expect(board.data.datasets['people']?.columns).toContainEqual(buildColumn('email'));
  });

  test('a name and texts that the installer chose stay through upgrades, with force too', async () => {
    const slug = await publish(buildBoard('Deals', [buildColumn('email')]));
    const { board_id } = await apply(slug, { overrides: { board_name: 'Our deals', board_description: 'Ours' } });
    await publish(buildBoard('Deals 2.0', [buildColumn('email'), buildColumn('stage')]), slug);
    expect(await check('board', board_id)).toMatchObject({ has_user_changes: false });
    for (const force of [false, true]) {
      await upgrade('board', board_id, { force });
      expect(await server.ok('get_board', { board_id })).toMatchObject({ name: 'Our deals', description: 'Ours' });
    }
  });

  test('a name that got a number at its install does not count as a change of a person', async () => {
    const slug = await publish(buildBoard('Numbered', [buildColumn('email')]));
    await server.ok('create_board', { name: 'Numbered', brain_id });
    const { board_id } = await apply(slug);
    expect(await check('board', board_id)).toMatchObject({ has_user_changes: false });
    await publish(buildBoard('Numbered', [buildColumn('email'), buildColumn('stage')]), slug);
    await upgrade('board', board_id);
    expect((await server.ok('get_board', { board_id })).name).toBe('Numbered (2)');
  });

  test('an input that a new version needs is asked for by name, and a new dependency comes with it', async () => {
    const { slug, name, board_id } = await installContacts();
    const needed = await publish(buildBoard(`Companies ${made}`, [buildColumn('domain')]));
    const more = { inputs: [{ name: 'team', required: true }], depends: [{ slug: needed }] };
    const template = { ...second(name).template, description: '{{inputs.team}} in {{ids.' + needed + '}}' };
    await publish({ ...second(name), ...more, template }, slug);
    expect(await check('board', board_id)).toMatchObject({ missing_inputs: [{ name: 'team' }], added: [needed] });
    const refused = await server.call('upgrade_recipe', { entity_id: board_id, entity_kind: 'board' });
    expect(refused).toMatchObject({ status: 422, body: { details: { missing_inputs: [{ name: 'team' }] } } });
    const { added } = await upgrade('board', board_id, { inputs: { team: 'Sales' } });
    expect(added).toMatchObject([{ slug: needed, entity_kind: 'board' }]);
    expect((await server.ok('get_board', { board_id })).description).toBe(`Sales in ${added[0]?.entity_id}`);
  });
});

const buildAutomation = (source: string, more: Fields = {}) => ({
  kind: 'automation',
  template: {
    source,
    triggers: [{ kind: 'manual' }],
    tool_grants: [{ tool: 'add_memory' }],
    ...more,
  },
});

describe('an automation', () => {
  async function installNote(isActive: boolean) {
    const slug = await publish(buildAutomation('await brains.kv.set("runs", 1); return 1'));
    const automation_id = String((await apply(slug)).automation_id);
    if (isActive) await ada.ok('update_automation', { automation_id, state: 'active' });
    return { slug, automation_id };
  }
  const read = (automation_id: string) => server.ok('get_automation', { automation_id });
  const second = buildAutomation('return 2', {
    tool_grants: [{ tool: 'add_memory' }, { tool: 'search' }],
    cost_cap_daily_usd: 2,
  });

  test('that was never active gets the new version at once, and keeps what its person changed', async () => {
    const { slug, automation_id } = await installNote(false);
    await server.ok('update_automation', { automation_id, cost_cap_daily_usd: 5, description: 'Mine' });
    await publish(second, slug);
    const answer = await upgrade('automation', automation_id);
    expect(answer.waiting_changes).toEqual([]);
    expect(answer.kept).toEqual([{ field: 'cost_cap_daily_usd', mine: 5, theirs: 2 }]);
    expect(await read(automation_id)).toMatchObject({
      source: 'return 2',
      cost_cap_daily_usd: 5,
      description: 'Mine',
      state: 'paused',
      version: 2,
    });
  });

  test('that was ever active keeps running as it is until a person accepts the change', async () => {
    const { slug, automation_id } = await installNote(true);
    await publish(second, slug);
    const { waiting_changes } = await upgrade('automation', automation_id);
    expect(waiting_changes).toHaveLength(1);
    const waiting = await read(automation_id);
    expect(waiting).toMatchObject({
      state: 'active',
      source: 'await brains.kv.set("runs", 1); return 1',
      waiting_change: {
        change_id: waiting_changes[0],
        source: 'return 2',
        asks_for_more: { tool_grants: [{ tool: 'search' }] },
      },
    });
    expect(await check('automation', automation_id)).toMatchObject({ has_upgrade: false, has_user_changes: false });
    await ada.ok('accept_automation_change', { change_id: waiting_changes[0] });
    expect(await read(automation_id)).toMatchObject({ state: 'active', source: 'return 2', waiting_change: null });
    expect(await check('automation', automation_id)).toMatchObject({ has_user_changes: false });
  });

  test('with a change of somebody else that waits is upgraded only after that is decided', async () => {
    const { slug, automation_id } = await installNote(true);
    const { key } = await server.ok('create_key', { label: 'Agent' });
    await server.ok('update_automation', { automation_id, description: 'Proposed' }, { key: String(key) });
    await publish(second, slug);
    const { waiting_change: change } = await read(automation_id);
    const entity = { entity_id: automation_id, entity_kind: 'automation' };
    expect(await server.call('upgrade_recipe', entity)).toMatchObject({
      status: 409,
      body: { details: { automation_id, change_id: change?.change_id } },
    });
    await ada.ok('accept_automation_change', { change_id: change?.change_id });
    await upgrade('automation', automation_id);
    expect((await read(automation_id)).waiting_change).toMatchObject({ source: 'return 2' });
  });

  test('a second upgrade while a change waits has one change with both', async () => {
    const { slug, automation_id } = await installNote(true);
    await publish(second, slug);
    const first = await upgrade('automation', automation_id);
    await publish(buildAutomation('return 3', { ...second.template, source: 'return 3' }), slug);
    const next = await upgrade('automation', automation_id);
    expect(next.kept).toEqual([]);
    expect(next.waiting_changes).not.toEqual(first.waiting_changes);
    const { waiting_change } = await read(automation_id);
    expect(waiting_change).toMatchObject({ source: 'return 3', fields: { cost_cap_daily_usd: 2 } });
  });

  test('a person at the console who saw the difference upgrades it at once, and no other difference', async () => {
    const { slug, automation_id } = await installNote(true);
    await publish(second, slug);
    const entity = { entity_id: automation_id, entity_kind: 'automation' };
    const { seen } = await check('automation', automation_id);
    await server.ok('update_automation', { automation_id, description: 'Changed meanwhile' });
    await publish(buildAutomation('return 3', { ...second.template, source: 'return 3' }), slug);
    expect(await ada.call('upgrade_recipe', { ...entity, seen })).toMatchObject({ status: 409 });
    const { seen: now } = await check('automation', automation_id);
    const byKey = await upgrade('automation', automation_id, { seen: now });
    expect(byKey.waiting_changes, 'a key is no human surface').toHaveLength(1);
    await publish(buildAutomation('return 4', { ...second.template, source: 'return 4' }), slug);
    const shown = await ada.ok('check_recipe_upgrade', entity);
    expect(await ada.ok('upgrade_recipe', { ...entity, seen: shown['seen'] })).toMatchObject({ waiting_changes: [] });
    expect(await read(automation_id)).toMatchObject({ state: 'active', source: 'return 4', waiting_change: null });
  });

  test('of another person waits for that person, and shows its values to nobody else', async () => {
    const { slug, automation_id } = await installNote(false);
    await publish(second, slug);
    const entity = { entity_id: automation_id, entity_kind: 'automation' };
    const shown = await noah.ok('check_recipe_upgrade', entity);
    expect(JSON.stringify(shown)).not.toContain('return');
    const { waiting_changes } = await noah.ok('upgrade_recipe', entity);
    expect(waiting_changes).toHaveLength(1);
    expect(await read(automation_id)).toMatchObject({ source: 'await brains.kv.set("runs", 1); return 1' });
  });

  test('inputs are settings of its source, and keep what a person set', async () => {
    const inputs = [
      { name: 'symbol', default: 'BTC' },
      { name: 'unit', default: 'USD' },
    ];
    const source = 'return "{{inputs.symbol}} {{inputs.unit}}"';
    const slug = await publish({ ...buildAutomation(source), inputs });
    const automation_id = String((await apply(slug, { inputs: { symbol: 'ETH' } })).automation_id);
    const { settings } = await read(automation_id);
    await server.ok('update_automation', { automation_id, settings: { ...settings, 'inputs.unit': 'EUR' } });
    await publish(
      { ...buildAutomation(`${source} + "{{inputs.more}}"`), inputs: [...inputs, { name: 'more', default: '!' }] },
      slug,
    );
    await upgrade('automation', automation_id);
    expect((await read(automation_id)).settings).toEqual({
      'inputs.symbol': 'ETH',
      'inputs.unit': 'EUR',
      'inputs.more': '!',
    });
  });
});

test('a workflow gets charter, figures and dates, and keeps team, values and the automations of its person', async () => {
  const own = (name: string, source: string) => ({
    name,
    source,
    triggers: [{ kind: 'manual' }],
    tool_grants: [{ tool: 'add_memory' }],
  });
  const build = (charter: string, more: Fields) => ({
    kind: 'workflow',
    template: { title: 'Launch', charter, ...more },
  });
  const slug = await publish(
    build('Find pilots.', {
      kpis: [{ name: 'Pilots', target: 20, unit: 'companies' }, { name: 'Calls' }],
      deadlines: [{ name: 'Launch', due: '2999-03-31' }],
      automations: [own('Digest', 'return 1')],
    }),
  );
  const workflow_id = String((await apply(slug)).workflow_id);
  await server.ok('update_workflow', {
    workflow_id,
    kpis: [{ name: 'Pilots', target: 30, value: 7 }],
    deadlines: [{ name: 'Launch', is_done: true }],
    roster: [{ person_id: ada.personId, part: 'Leads' }],
  });
  expect(await check('workflow', workflow_id)).toMatchObject({ has_user_changes: true, has_upgrade: false });
  await publish(
    build('Find 40 pilots.', {
      kpis: [{ name: 'Pilots', target: 40, unit: 'firms' }, { name: 'Churn' }],
      deadlines: [{ name: 'Launch', due: '2999-06-30' }],
      automations: [own('Digest', 'return 2'), own('Reminder', 'return 3')],
    }),
    slug,
  );
  const answer = await upgrade('workflow', workflow_id);
  expect(answer.kept).toEqual([{ field: 'kpis.Pilots.target', mine: 30, theirs: 40 }]);
  const workflow = await server.ok('get_workflow', { workflow_id });
  expect(workflow).toMatchObject({
    charter: 'Find 40 pilots.',
    kpis: [
      { name: 'Pilots', target: 30, unit: 'firms', value: 7 },
      { name: 'Churn', value: null },
    ],
    deadlines: [{ name: 'Launch', due: '2999-06-30', is_done: true }],
    roster: [{ id: ada.personId, part: 'Leads' }],
  });
  expect(workflow.automations.map(({ name }) => name)).toEqual(['Digest', 'Reminder']);
  const [digest] = workflow.automations;
  expect((await server.ok('get_automation', { automation_id: digest?.automation_id })).source).toBe('return 2');
});

describe('a bundle', () => {
  async function installBundle() {
    const parts = [
      await publish(buildBoard(`Part ${(made += 1)}`, [buildColumn('email')])),
      await publish(buildAutomation('return 1')),
    ];
    const slug = await publish({ kind: 'bundle', parts: parts.map((part) => ({ slug: part })) });
    const answer = await apply(slug);
    const made_by = answer.cascade_installed ?? [];
    const find = (part: string | undefined) => String(made_by.find((each) => each.slug === part)?.id);
    return { slug, parts, install_id: answer.install_id, board_id: find(parts[0]), automation_id: find(parts[1]) };
  }

  test('moves with its parts, and no part moves without it', async () => {
    const { parts, install_id, board_id, automation_id } = await installBundle();
    await publish(buildBoard('Part renamed', [buildColumn('email'), buildColumn('stage')]), parts[0]);
    await publish(buildAutomation('return 2'), parts[1]);
    expect(await server.call('upgrade_recipe', { entity_id: board_id, entity_kind: 'board' })).toMatchObject({
      status: 409,
      body: { details: { bundle: { entity_id: install_id, entity_kind: 'bundle' } } },
    });
    const shown = await check('bundle', install_id);
    expect(shown).toMatchObject({ has_upgrade: true, installed: '1.0.0', latest: '1.0.0' });
    expect(shown.parts.map(({ slug, latest }) => [slug, latest])).toEqual(parts.map((slug) => [slug, '1.0.1']));
    const answer = await upgrade('bundle', install_id);
    expect(answer.parts.map(({ upgraded_to_version }) => upgraded_to_version)).toEqual(['1.0.1', '1.0.1']);
    expect((await server.ok('get_board', { board_id })).name).toBe('Part renamed');
    expect((await server.ok('get_automation', { automation_id })).source).toBe('return 2');
  });

  test('moves without a part that was deleted by hand', async () => {
    const { parts, install_id, board_id, automation_id } = await installBundle();
    const { name } = await server.ok('get_board', { board_id });
    await server.ok('delete_board', { board_id, confirm: name });
    await publish(buildAutomation('return 2'), parts[1]);
    expect((await check('bundle', install_id)).parts.map(({ entity_id }) => entity_id)).toEqual([automation_id]);
    await upgrade('bundle', install_id);
    expect((await server.ok('get_automation', { automation_id })).source).toBe('return 2');
  });

  test('brings new parts, leaves parts that it no longer has, and no part back that a person uninstalled', async () => {
    const { slug, parts, install_id, board_id, automation_id } = await installBundle();
    await server.ok('uninstall_recipe', { entity_id: automation_id });
    const third = await publish(buildBoard(`Third ${(made += 1)}`, [buildColumn('domain')]));
    await publish({ kind: 'bundle', parts: [{ slug: parts[1] }, { slug: third }] }, slug);
    const answer = await upgrade('bundle', install_id);
    expect(answer.added.map((each) => each.slug)).toEqual([third]);
    expect(answer.standalone.map(({ entity_id }) => entity_id)).toEqual([board_id]);
    expect(await check('board', board_id)).toMatchObject({ has_upgrade: false });
    expect(
      (await server.call('check_recipe_upgrade', { entity_id: answer.added[0]?.entity_id, entity_kind: 'board' }))
        .status,
    ).toBe(409);
    expect((await server.call('get_automation', { automation_id })).status).toBe(404);
  });
});

test('an integration without code reads as the new version says, and keeps its counters', async () => {
  const build = (title: string) => ({
    kind: 'integration',
    publisher: ada.personId,
    trigger: { kind: 'cron', cron: '0 * * * *' },
    endpoints: [{ op: 'list', method: 'GET', url: 'https://api.example.com/items' }],
    mapping: { iterate: '$.data[*]', page_type: 'item', source_ref: '{{item.id}}', title },
  });
  const slug = await publish(build('{{item.name}}'));
  const { install_id } = await apply(slug);
  await database.rows(`update recipe_installs set counters = '{"items": 7}' where id = $1`, [install_id]);
  await publish(build('{{item.title}}'), slug);
  expect((await check('integration', install_id)).change_summary).toMatchObject([
    { field: 'mapping.title', from: '{{item.name}}', to: '{{item.title}}' },
  ]);
  await upgrade('integration', install_id);
  const [row] = await database.rows('select version, counters, base from recipe_installs where id = $1', [install_id]);
  expect(row).toMatchObject({
    version: '1.0.1',
    counters: { items: 7 },
    base: { recipe: { template: { mapping: { title: '{{item.title}}' } } } },
  });
});

test('an integration with code is upgraded as the automation that it is', async () => {
  const build = (source: string) => ({ ...buildAutomation(source), kind: 'integration' });
  const slug = await publish(build('return 1'));
  const { automation_id } = await apply(slug);
  for (const entity_kind of ['integration', 'automation']) {
    await publish(build(`return '${entity_kind}'`), slug);
    await upgrade(entity_kind, automation_id);
    expect((await server.ok('get_automation', { automation_id })).source).toBe(`return '${entity_kind}'`);
  }
  expect((await server.call('upgrade_recipe', { entity_id: automation_id, entity_kind: 'board' })).status).toBe(404);
});

test.each([
  [{ entity_id: randomUUID(), entity_kind: 'board' }, 404],
  [{ entity_id: randomUUID(), entity_kind: 'mini_site' }, 422],
  [{ entity_kind: 'board' }, 422],
])('upgrade_recipe refuses %j', async (input, status) => {
  expect((await server.call('upgrade_recipe', input)).status).toBe(status);
  expect((await server.call('check_recipe_upgrade', input)).status).toBe(status);
});

test('a key of one brain upgrades boards there, and no automation', async () => {
  const { key } = await server.ok('create_key', { label: 'One brain', reach: 'brain', home_brain_id: brain_id });
  const board = await publish(buildBoard(`Small ${(made += 1)}`, [buildColumn('email')]));
  const note = await publish(buildAutomation('return 1'));
  const { board_id } = await apply(board);
  const { automation_id } = await apply(note);
  const reached = { key: String(key) };
  expect(await upgrade('board', board_id, {}, reached)).toMatchObject({ upgraded_to_version: '1.0.0' });
  const entity = { entity_id: automation_id, entity_kind: 'automation' };
  expect((await server.call('upgrade_recipe', entity, reached)).status).toBe(403);
  expect(JSON.stringify(await server.ok('check_recipe_upgrade', entity, reached))).not.toContain('return');
});

test('two upgrades at once make one version of it', async () => {
  const slug = await publish(buildAutomation('return 1'));
  const automation_id = String((await apply(slug)).automation_id);
  await publish(buildAutomation('return 2'), slug);
  const answers = await Promise.all(
    Array.from({ length: 6 }, () =>
      server.call('upgrade_recipe', { entity_id: automation_id, entity_kind: 'automation' }),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 200));
  expect((await server.ok('get_automation', { automation_id })).versions).toHaveLength(2);
});
