// Each recipe of the server, published under another slug, is upgraded with edits on it.
import { beforeAll, expect, test } from 'vitest';
import { signInOwner, type SignedIn } from '../../../tests/support/colleague.ts';
import { openAsOwner } from '../../../tests/support/owner-database.ts';
import { share } from '../../../tests/support/share.ts';
import { startTestServer } from '../../../tests/support/server.ts';
import { getShippedRecipes } from './codex/shipped.ts';

const server = share(() => startTestServer({ THALAMUS_OWNER_EMAIL: 'ada@example.com' }));
const database = share(() => openAsOwner(server.connectionString));
let ada: SignedIn;
beforeAll(async () => {
  ada = await signInOwner(server, database);
});

type Fields = Record<string, unknown>;
const shipped = [...getShippedRecipes().values()].map(({ recipe }) => recipe);
const slugs = shipped.map(({ slug }) => slug).toSorted((one, other) => other.length - one.length);

/** A recipe of the server and those it names, under slugs of their own. */
function rename(recipe: object, prefix: string): Fields {
  const { version: _version, preview_image: _image, ...rest } = recipe as Fields;
  let text = JSON.stringify(rest);
  for (const slug of slugs)
    text = text
      .replaceAll(`"slug":"${slug}"`, `"slug":"${prefix}-${slug}"`)
      .replaceAll(`{{ids.${slug}}}`, `{{ids.${prefix}-${slug}}}`);
  return JSON.parse(text.replaceAll(/\{\{publisher\.\w+\}\}/g, 'none')) as Fields;
}

const later: Record<string, (template: Fields) => Fields> = {
  board: (template) => ({
    ...template,
    description: 'Described anew.',
    skills: [...((template['skills'] ?? []) as string[]), 'A new skill'],
    datasets: Object.fromEntries(
      Object.entries(template['datasets'] as Record<string, Fields>).map(([name, dataset]) => {
        return [name, { ...dataset, columns: [...(dataset['columns'] as object[]), { name: 'added_later' }] }];
      }),
    ),
  }),
  automation: (template) => ({
    ...template,
    description: 'Described anew.',
    source: `${template['source']}\n${template['language'] === 'python' ? '#' : '//'} Later.`,
    max_wall_seconds: 299,
  }),
  workflow: (template) => ({
    ...template,
    charter: 'A new charter.',
    kpis: [...((template['kpis'] ?? []) as object[]), { name: 'Added later' }],
    automations: ((template['automations'] ?? []) as Fields[]).map((each) => later['automation']!(each)),
  }),
  integration: (template) =>
    template['mapping']
      ? { ...template, mapping: { ...(template['mapping'] as Fields), page_type: 'renamed' } }
      : later['automation']!(template),
};

/** The recipes that one names, dependencies and parts, before the recipe itself. */
function listWhole(recipe: (typeof shipped)[number]): (typeof shipped)[number][] {
  const named = [...recipe.depends, ...(recipe.kind === 'bundle' ? recipe.parts : [])];
  const whole = named.flatMap(({ slug }) => listWhole(shipped.find((each) => each.slug === slug)!));
  return [...new Set([...whole, recipe])];
}

const publish = (recipe: Fields) => ada.ok('publish_recipe_version', { recipe });
const buildLater = (recipe: Fields) =>
  recipe['kind'] === 'bundle'
    ? { ...recipe, description: 'Later.' }
    : { ...recipe, template: later[String(recipe['kind'])]!(recipe['template'] as Fields) };

/** What an entity is, without what belongs to one of its installs. */
async function describe(kind: string, id: unknown): Promise<Fields> {
  if (kind === 'board') {
    const { skills, description, dashboard, data } = await server.ok('get_board', { board_id: id });
    const datasets = Object.entries(data.datasets).map(([name, { columns }]) => [name, columns] as const);
    return { skills, description, dashboard, datasets: Object.fromEntries(datasets) };
  }
  if (kind === 'workflow') {
    const { charter, kpis, deadlines, automations } = await server.ok('get_workflow', { workflow_id: id });
    const own = [];
    for (const { automation_id } of automations) own.push(await describe('automation', automation_id));
    return { charter, kpis: kpis.map(({ name, target }) => ({ name, target })), deadlines, own };
  }
  const found = await server.ok('get_automation', { automation_id: id });
  const { source, description, max_wall_seconds, tool_grants, triggers, cost_cap_daily_usd } = found;
  const grants = JSON.stringify(tool_grants).replaceAll(/[0-9a-f-]{36}/g, 'id');
  return { source, description, max_wall_seconds, grants, triggers, cost_cap_daily_usd };
}

const edits: Record<string, (id: unknown) => Promise<unknown>> = {
  async board(board_id) {
    const { data } = await server.ok('get_board', { board_id });
    const [dataset, { columns }] = Object.entries(data.datasets).find(([name]) => name !== 'default')!;
    await server.ok('update_board', {
      board_id,
      description: 'Mine',
      datasets: { [dataset]: { columns: [...columns.slice(1), { name: 'own' }] } },
    });
    await server.ok('append_board_rows', { board_id, dataset, rows: [{ own: 'row' }] });
  },
  automation: (automation_id) =>
    server.ok('update_automation', { automation_id, description: 'Mine', cost_cap_daily_usd: 7 }),
  async workflow(workflow_id) {
    await server.ok('update_workflow', { workflow_id, charter: 'Mine', kpis: [{ name: 'Own', target: 5, value: 2 }] });
  },
};

async function expectEdits(kind: string, id: unknown): Promise<void> {
  const now = await describe(kind, id);
  if (kind === 'board') {
    const text = JSON.stringify(await server.ok('get_board', { board_id: id }));
    expect(now['description']).toBe('Mine');
    for (const part of ['"own":"row"', '"name":"own"', 'added_later', 'A new skill']) expect(text).toContain(part);
  } else if (kind === 'workflow') {
    expect(now).toMatchObject({ charter: 'Mine', kpis: expect.arrayContaining([{ name: 'Own', target: 5 }]) });
    expect(now['kpis']).toContainEqual({ name: 'Added later', target: null });
  } else expect(now).toMatchObject({ description: 'Mine', cost_cap_daily_usd: 7, max_wall_seconds: 299 });
}

test.each(shipped.map((recipe) => [recipe.slug, recipe] as const))(
  '%s is upgraded with the edits and rows on it, and with force equals a fresh install',
  async (slug, recipe) => {
    const prefix = `t${shipped.indexOf(recipe)}`;
    const whole = listWhole(recipe).map((each) => rename(each, prefix));
    for (const each of whole) await publish(each);
    const inputs = Object.fromEntries(
      listWhole(recipe).flatMap((each) =>
        each.inputs.filter(({ required }) => required).map(({ name }) => [name, 'a/b']),
      ),
    );
    const install = async (name: string) => {
      const { brain_id } = await server.ok('create_brain', { name: `${slug} ${name}` });
      const answer = await server.ok('apply_starter_recipe', { slug: `${prefix}-${slug}`, brain_id, inputs });
      const made = [answer.created, ...(answer.cascade_installed ?? [])];
      return made.map(({ kind, id, install_id }) => ({
        kind: kind === 'integration' && id !== install_id ? 'automation' : String(kind),
        id,
        entity: { entity_id: id, entity_kind: kind },
      }));
    };
    const mine = await install('with edits');
    const edited = mine.filter(({ kind }) => edits[kind]);
    for (const { kind, id } of edited) await edits[kind]!(id);
    for (const each of whole) await publish(buildLater(each));
    // Dependencies move before what needs them; parts move with their bundle.
    const standalone = recipe.kind === 'bundle' ? mine.slice(0, 1) : mine.toReversed();
    for (const { entity } of standalone) {
      expect(await server.ok('check_recipe_upgrade', entity)).toMatchObject({ has_upgrade: true });
      const answer = await server.ok('upgrade_recipe', entity);
      expect(answer.upgraded_to_version).toBe('1.0.1');
    }
    for (const { kind, id } of edited) await expectEdits(kind, id);
    for (const { entity } of standalone) await server.ok('upgrade_recipe', { ...entity, force: true });
    const fresh = await install('fresh');
    for (const [index, { kind, id }] of mine.entries())
      if (edits[kind]) expect(await describe(kind, id)).toEqual(await describe(kind, fresh[index]?.id));
  },
);
