import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { addWorkspace } from '../../../tests/support/second-workspace.ts';
import { share } from '../../../tests/support/share.ts';
import { startTestServer } from '../../../tests/support/server.ts';
import { getShippedRecipes } from './codex/shipped.ts';

const server = share(() => startTestServer({}));

let made = 0;
const buildBoard = (more: object = {}) => ({
  slug: `board-${(made += 1)}`,
  name: 'Contacts',
  description: 'People we met.',
  kind: 'board',
  template: { name: 'Contacts', datasets: { default: { columns: [{ name: 'email' }] } } },
  ...more,
});
const publish = (recipe: object, options?: { key: string }) => server.ok('publish_recipe_version', { recipe }, options);
const listSlugs = async (filter: object) => {
  const { recipes } = await server.ok('list_starter_recipes', filter);
  return recipes.map(({ slug }: { slug: string }) => slug) as string[];
};

describe('the recipes of the server', () => {
  test('each file is a recipe with a version, under its own slug', () => {
    const shipped = getShippedRecipes();
    expect([...shipped.keys()]).toEqual(expect.arrayContaining(['coinmarketcap-top10', 'github-pulse']));
    for (const [slug, { recipe, version }] of shipped)
      expect(recipe).toMatchObject({ slug, version, description: expect.stringMatching(/\S/) });
  });

  test('a recipe is found by kind, category, tag and words', async () => {
    expect(await listSlugs({ kind: 'integration', search: 'hourly cryptocurrencies' })).toEqual([
      'coinmarketcap-top10',
    ]);
    expect(await listSlugs({ category: 'Finance' })).toContain('coinmarketcap-top10');
    expect(await listSlugs({ tag: 'github' })).toContain('github-pulse');
    expect(await listSlugs({ tag: 'github', kind: 'workflow' })).toEqual([]);
  });

  test('a row has the fields of the codex, and an excerpt of the description', async () => {
    const { recipes } = await server.ok('list_starter_recipes', { search: 'coinmarketcap' });
    expect(recipes).toEqual([
      {
        id: expect.any(String),
        slug: 'coinmarketcap-top10',
        name: 'CoinMarketCap Top 10',
        kind: 'integration',
        category: 'finance',
        tags: ['crypto', 'prices'],
        version: '1.0.0',
        description_excerpt: 'Hourly snapshot of the top 10 cryptocurrencies.',
        preview_image_url: null,
        author: 'Thalamus',
        created_at: expect.any(String),
        updated_at: expect.any(String),
      },
    ]);
  });

  test('a whole recipe comes back by slug and by id, with its template as written', async () => {
    const file = JSON.parse(readFileSync('recipes/coinmarketcap-top10.json', 'utf8')) as { recipe: object };
    const { recipe } = await server.ok('get_starter_recipe', { slug: 'coinmarketcap-top10' });
    expect(file.recipe).toMatchObject({ endpoints: recipe.template?.['endpoints'] });
    expect(recipe.template?.['mapping']).toMatchObject({
      iterate: '$.data[*]',
      source_ref: '{{symbol}}@{{last_updated}}',
    });
    expect(await server.ok('get_starter_recipe', { id: recipe.id })).toEqual({ recipe });
  });

  test('exactly one of slug and id is wanted', async () => {
    const { id } = (await server.ok('get_starter_recipe', { slug: 'github-pulse' })).recipe;
    for (const input of [{}, { slug: 'github-pulse', id }])
      expect(await server.call('get_starter_recipe', input)).toMatchObject({
        status: 422,
        body: { code: 'invalid_input' },
      });
    expect(await server.call('get_starter_recipe', { slug: 'no-such-recipe' })).toMatchObject({ status: 404 });
  });
});

describe('publishing', () => {
  test('a published recipe is found by everybody in the workspace, and by nobody else', async () => {
    const { slug } = await publish(buildBoard({ name: 'Zebra contacts', tags: ['sales'], category: 'crm' }));
    expect(await listSlugs({ search: 'zebra PEOPLE' })).toEqual([slug]);
    expect(await listSlugs({ tag: 'sales', category: 'CRM' })).toContain(slug);
    const { key } = await addWorkspace(server);
    expect(await server.call('get_starter_recipe', { slug }, { key })).toMatchObject({ status: 404 });
  });

  test('an object as the reference writes it is an integration', async () => {
    await server.ok('set_variable', { var_scope: 'person', var_name: 'CMC_API_KEY', value: 'cmc-key' });
    const { publisher, ...rest } = { publisher: '<your-user-id>', ...readReference() };
    const { slug, version } = await publish({ ...rest, slug: 'my-coins', publisher });
    expect(version).toBe('1.0.0');
    const { recipe } = await server.ok('get_starter_recipe', { slug });
    expect(recipe).toMatchObject({ kind: 'integration', template: { trigger: { cron: '0 * * * *', tz: 'UTC' } } });
  });

  test('without a version the next patch is published, and the same content again changes nothing', async () => {
    const recipe = buildBoard();
    expect(await publish(recipe)).toMatchObject({ version: '1.0.0', is_new: true });
    expect(await publish(recipe)).toMatchObject({ version: '1.0.0', is_new: false });
    expect(await publish({ ...recipe, name: 'Others' })).toMatchObject({ version: '1.0.1', is_new: true });
    expect(await publish({ ...recipe, name: 'Others', version: '2.0.0' })).toMatchObject({ version: '2.0.0' });
    expect((await server.ok('get_starter_recipe', { slug: recipe.slug })).recipe).toMatchObject({
      name: 'Others',
      version: '2.0.0',
    });
  });

  test('a version never changes, and a lower one is refused', async () => {
    const recipe = buildBoard({ version: '1.2.0' });
    await publish(recipe);
    for (const wrong of [{ name: 'Others' }, { version: '1.1.9', name: 'Others' }]) {
      const answer = await server.call('publish_recipe_version', { recipe: { ...recipe, ...wrong } });
      expect(answer.status).toBe(409);
      expect(JSON.stringify(answer.body)).toContain('Publish a higher version');
    }
    expect(await publish({ ...recipe, version: '1.10.0' })).toMatchObject({ is_new: true });
  });

  test('a slug of the server belongs to nobody', async () => {
    const answer = await server.call('publish_recipe_version', { recipe: buildBoard({ slug: 'github-pulse' }) });
    expect(answer).toMatchObject({ status: 409, body: { code: 'conflict' } });
  });

  test.for<[string, object, string]>([
    ['an unknown field', { colour: 'red' }, 'colour'],
    ['a slug with capitals', { slug: 'Contacts' }, 'slug'],
    ['a wrong version', { version: '1.0' }, 'version'],
    ['a board without a template', { template: undefined }, 'template'],
    ['a wrong field in the template', { template: { name: 'X', colour: 'red' } }, 'template'],
    [
      'a column of an unknown type',
      { template: { name: 'X', datasets: { a: { columns: [{ name: 'b', type: 'c' }] } } } },
      'template.datasets.a.columns.0.type',
    ],
    ['an input that nobody declares', { template: { name: '{{inputs.team}}' } }, 'inputs.team'],
    ['an id of no dependency', { template: { name: 'X', description: '{{ids.other}}' } }, 'ids.other'],
    ['a bundle without parts', { kind: 'bundle', template: undefined }, 'parts'],
    ['parts in a board', { parts: [{ slug: 'other' }] }, 'parts'],
    [
      'fields of an integration in a board',
      { endpoints: [{ op: 'a', method: 'GET', url: 'https://a.example' }] },
      'endpoints',
    ],
    ['a default of another type', { inputs: [{ name: 'a', type: 'number', default: 'b' }] }, 'inputs.0.default'],
    ['two inputs of one name', { inputs: [{ name: 'a' }, { name: 'a' }] }, 'inputs'],
    ['51 inputs', { inputs: Array.from({ length: 51 }, (_, at) => ({ name: `i${at}` })) }, 'inputs'],
    [
      '101 parts',
      { kind: 'bundle', template: undefined, parts: Array.from({ length: 101 }, (_, at) => ({ slug: `s${at}` })) },
      'parts',
    ],
    ['a dependency on itself', { slug: 'loop', depends: [{ slug: 'loop' }] }, 'depends'],
    ['a page as preview', { preview_image: 'data:text/html;base64,AAAA' }, 'preview_image'],
  ])('%s is refused by name, and nothing is published', async ([, wrong, field]) => {
    const recipe = buildBoard({ name: 'Refused', ...wrong });
    const answer = await server.call('publish_recipe_version', { recipe });
    expect(answer).toMatchObject({ status: 422, body: { code: 'invalid_input' } });
    expect(JSON.stringify(answer.body)).toContain(field);
    expect(await listSlugs({ search: 'refused' })).toEqual([]);
  });

  test('an integration that would write, or without JSONPath, is refused', async () => {
    const reference = readReference();
    const [endpoint] = reference.endpoints;
    for (const [wrong, field] of [
      [{ endpoints: [{ ...endpoint, method: 'POST' }] }, 'endpoints.0.method'],
      [{ mapping: { ...reference.mapping, iterate: 'data[*]' } }, 'mapping.iterate'],
      [{ trigger: { kind: 'cron', cron: 'hourly' } }, 'trigger.cron'],
      [{ mapping: undefined }, 'mapping'],
    ] as const) {
      const answer = await server.call('publish_recipe_version', { recipe: { ...reference, slug: 'coins', ...wrong } });
      expect(answer).toMatchObject({ status: 422 });
      expect(JSON.stringify(answer.body)).toContain(field);
    }
  });
});

type Reference = { endpoints: object[]; mapping: object };

/** The example of the reference documents, without what our file adds to it. */
function readReference(): Reference {
  const { recipe } = JSON.parse(readFileSync('recipes/coinmarketcap-top10.json', 'utf8')) as { recipe: Reference };
  const {
    version: _version,
    category: _category,
    tags: _tags,
    ...reference
  } = recipe as Reference & Record<string, unknown>;
  return reference;
}
