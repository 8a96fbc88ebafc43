import { describe, expect, test } from 'vitest';
import { openAsOwner } from '../../../tests/support/owner-database.ts';
import { share } from '../../../tests/support/share.ts';
import { startTestServer } from '../../../tests/support/server.ts';

const server = share(() => startTestServer({}));
const database = share(() => openAsOwner(server.connectionString));

let made = 0;
const buildSlug = (name: string) => `${name}-${(made += 1)}`;
const publish = async (recipe: Record<string, unknown>) => {
  const whole = { slug: buildSlug(String(recipe['kind'])), name: 'Trial', description: 'A trial.', ...recipe };
  await server.ok('publish_recipe_version', { recipe: whole });
  return whole.slug;
};
const buildBoard = (more: object = {}) => ({ kind: 'board', template: { name: `Contacts ${(made += 1)}`, ...more } });
const buildAutomation = (source: string, more: object = {}) => ({
  kind: 'automation',
  template: {
    name: `Note ${(made += 1)}`,
    source,
    triggers: [{ kind: 'cron', cron: '0 9 * * 1' }],
    tool_grants: [{ tool: 'add_memory' }],
    ...more,
  },
});
const apply = (input: object) => server.ok('apply_starter_recipe', input);
const refuse = async (input: object, status: number) => {
  const before = await database.rows('select id from recipe_installs union all select id from boards');
  const answer = await server.call('apply_starter_recipe', input);
  expect(answer.status).toBe(status);
  expect(await database.rows('select id from recipe_installs union all select id from boards')).toEqual(before);
  return JSON.stringify(answer.body);
};
const createBrain = async () => String((await server.ok('create_brain', { name: `Brain ${(made += 1)}` })).brain_id);

describe('installing one recipe', () => {
  test('a board is made with the inputs in its texts, and installing it again answers it', async () => {
    const slug = await publish({
      ...buildBoard(),
      inputs: [
        { name: 'team', required: true },
        { name: 'size', type: 'number', default: 3 },
      ],
      template: {
        name: 'People of {{inputs.team}}',
        description: '{{ inputs.size }} people',
        datasets: { default: { columns: [{ name: 'email' }], rows: [{ email: '{{inputs.team}}@example.com' }] } },
      },
    });
    const first = await apply({ slug, inputs: { team: 'Sales' } });
    expect(first).toMatchObject({
      recipe: { slug, version: '1.0.0' },
      created: { kind: 'board', name: 'People of Sales', is_new: true },
      board_id: first.created.id,
      state: 'active',
    });
    const shown = await server.ok('get_board', { board_id: first.created.id });
    expect(shown.data.datasets['default']).toMatchObject({ rows: [{ email: 'Sales@example.com' }] });
    const again = await apply({ slug, inputs: { team: 'Sales' } });
    expect(again).toMatchObject({ install_id: first.install_id, created: { is_new: false } });
    expect(await apply({ slug, inputs: { team: 'Support' } })).not.toMatchObject({ install_id: first.install_id });
  });

  test('an automation is saved paused, with its inputs as settings, and its source as written', async () => {
    const source = 'await brains.add_memory({ content: "{{inputs.city}} {{city}} {{ids.brain}} {{other_secret}}" });';
    const slug = await publish({ ...buildAutomation(source), inputs: [{ name: 'city', required: true }] });
    const { automation_id, install_id } = await apply({ slug, inputs: { city: '"; throw 1; "' } });
    const saved = await server.ok('get_automation', { automation_id });
    expect(saved).toMatchObject({
      state: 'paused',
      settings: { 'inputs.city': '"; throw 1; "', city: '"; throw 1; "', 'ids.brain': expect.any(String) },
    });
    const [install] = await database.rows('select base, entity_id from recipe_installs where id = $1', [install_id]);
    expect(install).toMatchObject({ entity_id: automation_id, base: { recipe: { template: { source } } } });
    const run = await server.ok('run_automation_once', { automation_id });
    expect(run).toMatchObject({ status: 'succeeded' });
  });

  test('a workflow takes title, charter and team of the installer', async () => {
    const slug = await publish({
      kind: 'workflow',
      template: { title: 'Launch', charter: 'Sell.', automations: [buildAutomation('return 1').template] },
    });
    const overrides = { title: 'Launch in Spain', charter: 'Sell in Spain.' };
    const { workflow_id } = await apply({ slug, overrides });
    const workflow = await server.ok('get_workflow', { workflow_id });
    expect(workflow).toMatchObject({ title: 'Launch in Spain', charter: 'Sell in Spain.' });
    expect(workflow.automations).toHaveLength(1);
  });

  test('a name that is taken gets a number, unless the installer chose it', async () => {
    const template = { name: 'Inventory' };
    await server.ok('create_board', template);
    const slug = await publish({ kind: 'board', template });
    expect((await apply({ slug })).created.name).toBe('Inventory (2)');
    expect(await refuse({ slug, overrides: { board_name: 'Inventory (2)' } }, 409)).toContain('Inventory (2)');
  });

  test('the plan names what is made, reached and missing, and changes nothing', async () => {
    const named = await publish({
      ...buildBoard(),
      inputs: [{ name: 'team', required: true }],
      template: { name: '{{inputs.team}}' },
    });
    expect(await server.ok('plan_recipe', { slug: named })).toMatchObject({ missing: { inputs: [{ name: 'team' }] } });
    const before = await database.state();
    const plan = await server.ok('plan_recipe', { slug: 'coinmarketcap-top10' });
    expect(plan).toMatchObject({
      is_installed: false,
      hosts: ['pro-api.coinmarketcap.com'],
      writes: ['Stores each item as a page of type crypto_coin_snapshot.'],
      missing: {
        secrets: [{ name: 'CMC_API_KEY', slug: 'coinmarketcap-top10' }],
        inputs: [],
        accounts: [],
        scopes: [],
      },
      cost: { most_usd_a_month: 0 },
    });
    const pulse = await server.ok('plan_recipe', { slug: 'github-pulse' });
    expect(pulse.missing.inputs).toMatchObject([{ name: 'repository' }]);
    expect(pulse.writes[0]).toContain('GitHub pulse: … with');
    expect(await database.state()).toEqual(before);
  });

  test('an integration without code waits for its secret, and is read from now on with it', async () => {
    expect(await apply({ slug: 'coinmarketcap-top10' })).toMatchObject({ state: 'needs_setup' });
    await server.ok('set_variable', { var_scope: 'org', var_name: 'CMC_API_KEY', value: 'cmc-secret' });
    const { install_id, state, created } = await apply({ slug: 'coinmarketcap-top10', brain_id: await createBrain() });
    expect({ state, created }).toMatchObject({ state: 'active', created: { kind: 'integration', id: install_id } });
    const [row] = await database.rows('select next_at from recipe_installs where id = $1', [install_id]);
    expect(row?.['next_at']).not.toBeNull();
    expect(await apply({ slug: 'coinmarketcap-top10' })).toMatchObject({ state: 'active', created: { is_new: false } });
  });

  test('hosts, grants and the most that models cost are in the plan', async () => {
    const more = {
      tool_grants: [{ tool: 'http_fetch' }, { tool: 'automation_llm_complete' }],
      hosts: ['api.example.com'],
      cost_cap_daily_usd: 2,
    };
    const plan = await server.ok('plan_recipe', { slug: await publish(buildAutomation('return 1', more)) });
    expect(plan).toMatchObject({
      hosts: ['api.example.com'],
      grants: [{ tool: 'http_fetch' }, { tool: 'automation_llm_complete' }],
      cost: { most_usd_a_month: 60 },
    });
  });
});

describe('what was uninstalled', () => {
  test('installing it again within 7 days recovers it with its rows', async () => {
    const slug = await publish(buildBoard());
    const { board_id, install_id } = await apply({ slug });
    await server.ok('append_board_rows', { board_id, rows: [{ email: 'ada@example.com' }] });
    await server.ok('uninstall_recipe', { entity_id: board_id });
    expect(await server.ok('plan_recipe', { slug })).toMatchObject({
      is_installed: false,
      steps: [{ action: 'recover' }],
    });
    const again = await apply({ slug });
    expect(again).toMatchObject({ install_id, board_id, recovered: { install_id }, created: { is_new: false } });
    expect((await server.ok('get_board', { board_id })).data.datasets['default']).toMatchObject({
      rows: [{ email: 'ada@example.com' }],
    });
  });

  test('a bundle comes back with its parts', async () => {
    const parts = [{ slug: await publish(buildBoard()) }, { slug: await publish(buildAutomation('return 1')) }];
    const slug = await publish({ kind: 'bundle', parts });
    const first = await apply({ slug });
    const { uninstalled } = await server.ok('uninstall_recipe', { entity_id: first.install_id });
    expect(uninstalled).toHaveLength(3);
    const again = await apply({ slug });
    expect(again).toMatchObject({ install_id: first.install_id, recovered: { kind: 'bundle' } });
    const listIds = (list: { id: string }[] = []) => list.map(({ id }) => id).toSorted();
    expect(listIds(again.cascade_installed)).toEqual(listIds(first.cascade_installed));
  });
});

describe('dependencies and parts', () => {
  test('they are installed first, and templates name what they made', async () => {
    const contacts = await publish(buildBoard());
    const slug = await publish({
      ...buildAutomation('await brains.boards.get("{{ids.SLUG}}")'.replace('SLUG', contacts), {
        tool_grants: [{ tool: 'get_board' }],
        writes_to_boards: [`{{ids.${contacts}}}`],
      }),
      depends: [{ slug: contacts, min_version: '1.0.0', reason: 'It fills the board.' }],
    });
    const brain_id = await createBrain();
    expect(await server.ok('check_recipe_dependencies', { slug, brain_id })).toMatchObject({
      declared: [{ slug: contacts, min_version: '1.0.0', reason: 'It fills the board.' }],
      satisfied: [],
      missing: [{ slug: contacts, available: { has_recipe: true, latest_version: '1.0.0' }, problem: null }],
      chain: [[slug, contacts]],
    });
    const { cascade_installed = [], automation_id } = await apply({ slug, brain_id });
    const [made_first] = cascade_installed;
    expect(made_first).toMatchObject({ kind: 'board', slug: contacts });
    expect(await server.ok('get_automation', { automation_id })).toMatchObject({
      writes_to_boards: [made_first?.id],
      settings: { [`ids.${contacts}`]: made_first?.id },
    });
    expect(await server.ok('check_recipe_dependencies', { slug, brain_id })).toMatchObject({
      satisfied: [{ slug: contacts, version: '1.0.0' }],
      missing: [],
    });
    const other = await publish({ ...buildBoard(), depends: [{ slug: contacts }] });
    expect(await apply({ slug: other, brain_id })).toMatchObject({ dependencies_used: [{ id: made_first?.id }] });
  });

  test('a bundle installs its parts, and each part knows its bundle', async () => {
    const parts = [{ slug: await publish(buildBoard()) }, { slug: await publish(buildAutomation('return 1')) }];
    const inner = await publish({ kind: 'bundle', parts });
    const slug = await publish({ kind: 'bundle', parts: [{ slug: inner }, { slug: await publish(buildBoard()) }] });
    const { install_id, cascade_installed = [] } = await apply({ slug });
    expect(cascade_installed.map(({ kind }) => kind).toSorted()).toEqual(['automation', 'board', 'board', 'bundle']);
    const rows = await database.rows('select slug, bundle_id from recipe_installs where bundle_id = $1', [install_id]);
    expect(rows).toHaveLength(2);
    const innerId = cascade_installed.find((each) => each.slug === inner)?.install_id;
    expect(await database.rows('select id from recipe_installs where bundle_id = $1', [innerId])).toHaveLength(2);
  });

  test('when one part cannot be made, nothing is', async () => {
    const wrong = await publish({ ...buildBoard(), inputs: [{ name: 'size', type: 'number', required: true }] });
    const slug = await publish({ kind: 'bundle', parts: [{ slug: await publish(buildBoard()) }, { slug: wrong }] });
    expect(await refuse({ slug }, 422)).toContain('size');
    expect(await refuse({ slug, inputs: { size: 'ten' } }, 422)).toContain('must be a number');
    expect(await refuse({ slug, inputs: { colour: 'red' } }, 422)).toContain('Inputs: size');
  });
});

test('a script installs and lists recipes under short names', async () => {
  const slug = await publish({ ...buildBoard(), name: 'Installed by a script' });
  const brain_id = await createBrain();
  const source = `const { board_id } = await brains.install_recipe({ slug: '${slug}', brain_id: '${brain_id}' });
const { recipes } = await brains.list_recipes({ search: 'installed by a script' });
return [board_id, recipes.map(({ slug }) => slug)];`;
  const { automation_id } = await server.ok('save_automation_draft', {
    name: 'Installer',
    source,
    triggers: [{ kind: 'manual' }],
    tool_grants: [{ tool: 'install_recipe' }, { tool: 'list_recipes' }],
  });
  const run = await server.ok('run_automation_once', { automation_id, dry_run: false });
  expect(run).toMatchObject({ status: 'succeeded' });
  expect(await database.rows('select id from boards where brain_id = $1', [brain_id])).toHaveLength(1);
});

describe('at once, and with other rights', () => {
  test('16 equal installs at once make one', async () => {
    const contacts = await publish(buildBoard());
    const slug = await publish({ ...buildBoard(), depends: [{ slug: contacts }] });
    const brain_id = await createBrain();
    const answers = await Promise.all(Array.from({ length: 16 }, () => apply({ slug, brain_id })));
    expect(new Set(answers.map(({ install_id }) => install_id)).size).toBe(1);
    expect(answers.filter(({ created }) => created.is_new)).toHaveLength(1);
    expect(await database.rows('select id from boards where brain_id = $1', [brain_id])).toHaveLength(2);
  });

  test('a key needs the scope of what a recipe makes', async () => {
    const slug = await publish(buildBoard());
    const scopes = ['recipes:read', 'recipes:install'];
    const { key } = await server.ok('create_key', { label: 'Installer', scopes });
    expect(await server.ok('plan_recipe', { slug }, { key })).toMatchObject({ missing: { scopes: ['boards:write'] } });
    const refused = await server.call('apply_starter_recipe', { slug }, { key });
    expect(refused).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    expect(JSON.stringify(refused.body)).toContain('boards:write');
    const more = await server.ok('create_key', { label: 'Installer', scopes: [...scopes, 'boards:write'] });
    expect(await server.ok('apply_starter_recipe', { slug }, { key: more.key })).toMatchObject({ state: 'active' });
  });

  test('an agent without the right to set up reading installs an integration paused', async () => {
    await server.ok('set_variable', { var_scope: 'org', var_name: 'CMC_API_KEY', value: 'cmc-secret' });
    const scopes = ['recipes:read', 'recipes:install', 'pages:write'];
    const { key } = await server.ok('create_key', { label: 'Installer', scopes });
    const input = { slug: 'coinmarketcap-top10', brain_id: await createBrain() };
    expect(await server.ok('apply_starter_recipe', input, { key })).toMatchObject({ state: 'paused' });
  });
});
