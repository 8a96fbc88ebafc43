import { Ajv2020 } from 'ajv/dist/2020.js';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { joinAs, signInOwner } from '../../../tests/support/colleague.ts';
import { openAsOwner } from '../../../tests/support/owner-database.ts';
import { share } from '../../../tests/support/share.ts';
import { startTestServer } from '../../../tests/support/server.ts';

const server = share(() => startTestServer({ THALAMUS_OWNER_EMAIL: 'ada@example.com' }));
const database = share(() => openAsOwner(server.connectionString));

const buildReading = (slug: string, more: object = {}) => ({
  slug,
  name: 'Prices',
  trigger: { kind: 'cron', cron: '0 * * * *' },
  endpoints: [
    {
      op: 'list',
      method: 'GET',
      url: 'https://api.example.com/prices',
      headers: { 'X-Key': '{{publisher.PRICES_KEY}}' },
    },
  ],
  mapping: { iterate: '$[*]', page_type: 'price', source_ref: '{{id}}', title: '{{name}}' },
  ...more,
});
const publish = (input: object) => server.ok('publish_recipe_version', input);
const buildBoard = (slug: string, name = 'Contacts') => ({ slug, name, kind: 'board', template: { name } });

describe('a script', () => {
  test('its add({…}) calls are published together, as the reference writes them', async () => {
    await server.ok('set_variable', { var_scope: 'person', var_name: 'PRICES_KEY', value: 'key-1' });
    const source = `// Two of them.
for (const coin of ['btc', 'eth'])
  add({ ...${JSON.stringify(buildReading('x'))}, slug: coin + '-price', publisher: '<your-user-id>' });`;
    const answer = await publish({ source });
    expect(answer.published.map(({ slug }) => slug)).toEqual(['btc-price', 'eth-price']);
    expect(answer).toMatchObject({ slug: 'btc-price', version: '1.0.0', is_new: true });
    expect((await server.ok('get_starter_recipe', { slug: 'eth-price' })).recipe).toMatchObject({
      kind: 'integration',
    });
  });

  test.for([
    ['throw new Error("no such coin")', 'no such coin'],
    ['const nothing = 1;', 'adds no recipe'],
    ['add({ slug: "half" })', 'recipe 1 is not valid'],
    ['add(JSON.parse("{"))', 'the script failed'],
    ['await fetch("https://api.example.com/"); add({})', 'the script failed'],
    ['for (;;);', 'than allowed'],
  ])('%s publishes nothing', async ([source = '', reason = '']) => {
    const answer = await server.call('publish_recipe_version', { source });
    expect(answer.status).toBe(422);
    expect(JSON.stringify(answer.body)).toContain(reason);
  });

  test('when one of its recipes cannot be published, none is', async () => {
    const source = [buildBoard('first-of-two'), buildBoard('github-pulse')].map(
      (each) => `add(${JSON.stringify(each)});`,
    );
    expect(await server.call('publish_recipe_version', { source: source.join('\n') })).toMatchObject({ status: 409 });
    expect(await server.call('get_starter_recipe', { slug: 'first-of-two' })).toMatchObject({ status: 404 });
  });
});

describe('lent secrets', () => {
  test('publishing binds the publisher’s variable to the host of its endpoint, and shows no value', async () => {
    const { variable_id } =
      (await database.rows(`select id as variable_id from variables where name = 'PRICES_KEY'`))[0] ?? {};
    const answer = await publish({ recipe: buildReading('lent-prices') });
    expect(answer.lent_secrets).toEqual([{ name: 'PRICES_KEY', host: 'api.example.com' }]);
    const rows = await database.rows(
      `select lent_secrets from recipe_versions v join recipes r on r.id = v.recipe_id where slug = 'lent-prices'`,
    );
    expect(rows).toEqual([{ lent_secrets: [{ name: 'PRICES_KEY', host: 'api.example.com', variable_id }] }]);
    const plan = await server.ok('plan_recipe', { slug: 'lent-prices' });
    expect(plan).toMatchObject({ missing: { secrets: [] } });
    expect(JSON.stringify([answer, plan])).not.toContain('key-1');
  });

  test('a variable that the publisher does not have is named, and nothing is published', async () => {
    const recipe = JSON.parse(JSON.stringify(buildReading('no-key')).replace('PRICES_KEY', 'OTHER_KEY')) as object;
    const answer = await server.call('publish_recipe_version', { recipe });
    expect(answer.status).toBe(422);
    expect(JSON.stringify(answer.body)).toContain('no variable OTHER_KEY');
  });
});

describe('who may publish', () => {
  test('a slug of another person is theirs', async () => {
    await publish({ recipe: buildBoard('adas-board') });
    const bob = await joinAs(server, database, 'bob@example.com');
    const answer = await bob.call('publish_recipe_version', { recipe: buildBoard('adas-board', 'Mine') });
    expect(answer).toMatchObject({ status: 409, body: { code: 'conflict' } });
    const withdrawn = await bob.call('withdraw_recipe_version', { slug: 'adas-board', version: '1.0.0' });
    expect(withdrawn).toMatchObject({ status: 403 });
    expect(await bob.call('get_starter_recipe', { slug: 'adas-board' })).toMatchObject({ status: 200 });
  });

  test('a key of an agent cannot publish', async () => {
    const { key } = await server.ok('create_key', { label: 'Agent' });
    expect(await server.call('publish_recipe_version', { recipe: buildBoard('agents') }, { key })).toMatchObject({
      status: 403,
    });
  });
});

test('when a person leaves, what is read in their name pauses and says why', async () => {
  const ada = await signInOwner(server, database);
  const leo = await joinAs(server, database, 'leo@example.com');
  await server.ok('set_variable', { var_scope: 'person', var_name: 'PRICES_KEY', value: 'key-1' });
  await publish({ recipe: buildReading('left-behind') });
  const { install_id, state } = await server.ok('apply_starter_recipe', { slug: 'left-behind' });
  expect(state).toBe('active');
  await database.rows('update recipe_installs set person_id = $2 where id = $1', [install_id, leo.personId]);
  await ada.ok('remove_person', { person_id: leo.personId });
  const { installs } = await server.ok('list_recipe_installs', {});
  expect(installs.find((each) => each.install_id === install_id)).toMatchObject({
    state: 'paused',
    next_at: null,
    failure: expect.stringContaining('left'),
  });
});

describe('withdrawing', () => {
  test('a withdrawn version is not installed any more, and what was made stays', async () => {
    const slug = 'withdrawn-board';
    await publish({ recipe: buildBoard(slug) });
    const { install_id, board_id } = await server.ok('apply_starter_recipe', { slug });
    await publish({ recipe: buildBoard(slug, 'People') });
    const withdraw = (version: string) => server.ok('withdraw_recipe_version', { slug, version });
    expect(await withdraw('1.0.1')).toMatchObject({ latest_version: '1.0.0' });
    const first = await withdraw('1.0.0');
    expect(first).toMatchObject({ latest_version: null });
    expect(await withdraw('1.0.0')).toEqual(first);
    expect(await server.call('apply_starter_recipe', { slug })).toMatchObject({ status: 404 });
    expect((await server.ok('list_starter_recipes', { search: slug })).recipes).toEqual([]);
    expect(await server.ok('get_board', { board_id })).toMatchObject({ id: board_id });
    expect(await database.rows('select state from recipe_installs where id = $1', [install_id])).toHaveLength(1);
    expect(await publish({ recipe: buildBoard(slug) })).toMatchObject({ version: '1.0.2' });
  });
});

describe('what recipes need', () => {
  test('a missing, too old or circular recipe is a conflict that names the chain', async () => {
    await publish({ recipe: buildBoard('base') });
    await publish({ recipe: { ...buildBoard('middle'), depends: [{ slug: 'base' }] } });
    for (const [depends, chain] of [
      [[{ slug: 'nowhere' }], 'top → nowhere'],
      [[{ slug: 'middle' }, { slug: 'base', min_version: '2.0.0' }], 'top → base'],
    ] as const) {
      const answer = await server.call('publish_recipe_version', { recipe: { ...buildBoard('top'), depends } });
      expect(answer.status).toBe(409);
      expect(JSON.stringify(answer.body)).toContain(chain);
    }
    const circle = { ...buildBoard('base'), depends: [{ slug: 'middle' }] };
    const answer = await server.call('publish_recipe_version', { recipe: circle });
    expect(answer.status).toBe(409);
    expect(JSON.stringify(answer.body)).toContain('base → middle → base');
  });

  test('more than 8 levels are refused', async () => {
    for (let level = 1; level <= 8; level += 1) {
      const depends = level > 1 ? [{ slug: `level-${level - 1}` }] : [];
      await publish({ recipe: { ...buildBoard(`level-${level}`), depends } });
    }
    const answer = await server.call('publish_recipe_version', {
      recipe: { ...buildBoard('level-9'), depends: [{ slug: 'level-8' }] },
    });
    expect(answer.status).toBe(422);
    expect(JSON.stringify(answer.body)).toContain('8 levels');
  });

  test('a template that is nested thousands of levels deep is refused', async () => {
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    const recipe = JSON.stringify({ ...buildBoard('deep'), template: { name: 'Deep', dashboard: { deep: 1 } } });
    const body = `{"recipe":${recipe.replace('"deep":1', `"deep":${deep}`)}}`;
    const answer = await server.request('/v1/recipes', {
      method: 'POST',
      headers: { authorization: `Bearer ${server.key}`, 'content-type': 'application/json' },
      body,
    });
    expect([400, 422]).toContain(answer.status);
  });

  test('a manifest over 1 MB is refused', async () => {
    const rows = Array.from({ length: 1_000 }, () => ({ note: 'x'.repeat(1_100) }));
    const recipe = { ...buildBoard('large'), template: { name: 'Large', datasets: { default: { rows } } } };
    const answer = await server.call('publish_recipe_version', { recipe });
    expect(answer.status).toBe(422);
    expect(JSON.stringify(answer.body)).toContain('1000000 bytes');
  });
});

test('each installer of an older version hears of a new one', async () => {
  await publish({ recipe: buildBoard('heard') });
  const { install_id } = await server.ok('apply_starter_recipe', { slug: 'heard' });
  await publish({ recipe: buildBoard('heard', 'Heard') });
  const events = await database.rows(`select payload from events where name = 'recipe.update_available'`);
  expect(events.filter(({ payload }) => (payload as { install_id: string }).install_id === install_id)).toHaveLength(1);
});

test('a preview image is served to those who may read the recipe, as an image only', async () => {
  const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  await publish({ recipe: { ...buildBoard('pictured'), preview_image: `data:image/png;base64,${png}` } });
  const { recipe } = await server.ok('get_starter_recipe', { slug: 'pictured' });
  const address = `${server.url}/v1/recipes/pictured/preview`;
  expect(recipe.preview_image_url).toMatch(/\/v1\/recipes\/pictured\/preview$/);
  const answer = await fetch(address, { headers: { authorization: `Bearer ${server.key}` } });
  expect(answer.headers.get('content-type')).toBe('image/png');
  expect(Buffer.from(await answer.arrayBuffer()).toString('base64')).toBe(png);
  expect((await fetch(address)).status).toBe(401);
  const without = `${server.url}/v1/recipes/github-pulse/preview`;
  expect((await fetch(without, { headers: { authorization: `Bearer ${server.key}` } })).status).toBe(404);
});

test('the published JSON Schema accepts the reference’s recipe and refuses another one', async () => {
  const schema = (await (await fetch(`${server.url}/schemas/recipe.json`)).json()) as object;
  const isRecipe = new Ajv2020({ strict: false }).compile(schema);
  const { recipe } = JSON.parse(readFileSync('recipes/coinmarketcap-top10.json', 'utf8')) as { recipe: object };
  expect(isRecipe(recipe)).toBe(true);
  expect(isRecipe(buildBoard('plain'))).toBe(true);
  expect(isRecipe({ ...buildBoard('plain'), template: { colour: 'red' } })).toBe(false);
});
