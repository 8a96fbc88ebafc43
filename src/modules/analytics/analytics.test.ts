import type { Output } from '#sdk';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { openAsOwner, type OwnerDatabase } from '../../../tests/support/owner-database.ts';
import { addPerson } from '../../../tests/support/second-person.ts';
import { addWorkspace } from '../../../tests/support/second-workspace.ts';
import { startTestServer, type TestServer } from '../../../tests/support/server.ts';

type Body = Record<string, unknown>;
let server: TestServer;
let database: OwnerDatabase;
const brains: Record<string, string> = {};
const memories: Record<string, string> = {};

async function addBrain(name: string, parent?: string): Promise<void> {
  const { brain_id } = await server.ok('create_brain', { name, ...(parent && { parent_brain_id: brains[parent] }) });
  brains[name] = String(brain_id);
}
async function add(name: string, brain: string, content: string, more: Body = {}): Promise<void> {
  memories[name] = String((await server.ok('add_memory', { content, target_brain_id: brains[brain], ...more }))['id']);
}

beforeAll(async () => {
  server = await startTestServer();
  database = await openAsOwner(server.connectionString);
  await addBrain('Sales');
  await addBrain('Outbound', 'Sales');
  await addBrain('Cold', 'Outbound');
  await addBrain('Support');
  await add('policy', 'Sales', 'Discounts above a tenth need approval', { type: 'constraint', salience: 'critical' });
  await add('choice', 'Outbound', 'We chose Thompson Sampling for play cards', {
    type: 'decision',
    salience: 'elevated',
  });
  await add('call', 'Cold', 'Dial before nine', { type: 'fact', salience: 'normal' });
  await add('hours', 'Support', 'Support answers until six', { type: 'fact', salience: 'elevated' });
  await add('old', 'Support', 'Support answers until five', { type: 'fact', salience: 'normal' });
  await server.ok('archive_memory', { id: memories['old'] });
  const conflict = { source_memory_id: memories['choice'], target_memory_id: memories['policy'] };
  await server.ok('link_memories', { ...conflict, relationship_type: 'conflicts_with' });
  for (let time = 0; time < 3; time += 1) await server.ok('search_memory', { q: 'Thompson Sampling', limit: 1 });
  // Recalls are counted a moment after the answer.
  const counted = async () => (await server.ok('get_memory', { id: memories['choice'] })).recalls.recall_count;
  await vi.waitFor(async () => expect(await counted()).toBe(3));
});
afterAll(async () => {
  await database.close();
  await server.close();
});

const readOverview = (input: Body = {}) => server.ok('brain_overview', input);
const listIds = (list: unknown) => (list as { id: string }[]).map(({ id }) => id);
const listNames = ({ brains }: Output<'brain_overview'>) => brains.map(({ name }) => name);

describe('an overview', () => {
  test('without a brain covers all brains', async () => {
    const answer = await readOverview();
    expect(answer).toMatchObject({ mode: 'all', period: { days: 7 } });
    expect(listNames(answer)).toEqual(expect.arrayContaining(['Cold Brain', 'Outbound Brain', 'Sales Brain']));
  });

  test('of one brain covers that brain only', async () => {
    const answer = await readOverview({ brain_id: brains['Sales'] });
    expect(answer).toMatchObject({ mode: 'island', memories_created: 1, decisions: [], by_type: { constraint: 1 } });
    expect(listIds(answer['constraints'])).toEqual([memories['policy']]);
  });

  test('of a family covers the brain and everything below it as one', async () => {
    const answer = await readOverview({ brain_id: brains['Sales'], include_children: true });
    expect(answer).toMatchObject({ mode: 'family', memories_created: 3 });
    expect(listNames(answer)).toEqual(['Cold Brain', 'Outbound Brain', 'Sales Brain']);
    expect(listIds(answer['decisions'])).toEqual([memories['choice']]);
  });

  test('of several brains accepts ids separated by commas, also in a URL', async () => {
    const brain_id = `${brains['Sales']},${brains['Support']}`;
    const answer = await readOverview({ brain_id });
    expect(answer).toMatchObject({ mode: 'several', memories_created: 3 });
    expect(listNames(answer)).toEqual(['Sales Brain', 'Support Brain']);
    const response = await server.request(`/v1/brain/overview?days=7&brain_id=${brain_id}`, {
      headers: { authorization: `Bearer ${server.key}` },
    });
    expect(await response.json()).toEqual(answer);
  });

  test('counts stored memories, archived ones included, and their sources', async () => {
    const answer = await readOverview({ brain_id: brains['Support'] });
    expect(answer).toMatchObject({
      memories_created: 2,
      ingestion_stats: [{ source: 'human', memories: 2, pages: 0 }],
    });
  });

  test('lists critical memories first, then the most recalled, and conflicts with both sides', async () => {
    const answer = await readOverview({ brain_id: brains['Sales'], include_children: true });
    expect(answer['priority_ingredients']).toEqual([
      expect.objectContaining({ id: memories['policy'] }),
      expect.objectContaining({ id: memories['choice'], recall_count: 3 }),
    ]);
    expect(answer['conflicts']).toEqual([
      expect.objectContaining({
        memory: expect.objectContaining({ id: memories['choice'] }),
        conflicts_with: expect.objectContaining({ id: memories['policy'] }),
        origin: 'stated',
      }),
    ]);
    expect((await readOverview({ brain_id: brains['Sales'] }))['conflicts']).toEqual([]);
  });

  test('omits what is older than its period', async () => {
    await database.rows(`update memories set created_at = now() - interval '20 days' where id = $1`, [
      memories['call'],
    ]);
    expect(await readOverview({ brain_id: brains['Cold'] })).toMatchObject({ memories_created: 0 });
    expect(await readOverview({ brain_id: brains['Cold'], days: 30 })).toMatchObject({ memories_created: 1 });
  });

  test('of a list that contains a foreign id is not found, for any caller', async () => {
    const foreign = (await addWorkspace(server)).brainId;
    const { key, brainId } = await addPerson(database);
    for (const brain_id of [
      `${brains['Sales']},${foreign}`,
      `${foreign},${brains['Sales']}`,
      `${brains['Sales']},${brainId}`,
    ])
      expect(await server.call('brain_overview', { brain_id })).toMatchObject({ status: 404 });
    const hidden = await server.call('brain_overview', { brain_id: `${brainId},${brains['Sales']}` }, { key });
    expect(hidden).toMatchObject({ status: 404 });
    expect(listNames(await server.ok('brain_overview', {}, { key }))).toEqual(["Grace's Brain"]);
  });

  test.for(['', 'x', `${'a'.repeat(4_001)}`, ','])('with «%s» as a list of brains is refused', async (brain_id) => {
    expect(await server.call('brain_overview', { brain_id })).toMatchObject({ status: 422 });
  });
});

describe('analytics', () => {
  test('of a brain count its content, recalls, authors, and every day', async () => {
    const answer = await server.ok('brain_analytics', { id: brains['Support'] });
    expect(answer).toMatchObject({
      total_memories: 1,
      archived_memories: 1,
      by_type: { fact: 1, decision: 0, constraint: 0, preference: 0, observation: 0 },
      top_contributors: [{ memories: 1 }],
    });
    const days = answer['daily_activity'] as Body[];
    expect(days).toHaveLength(30);
    expect(days.at(-1)).toMatchObject({ date: new Date().toISOString().slice(0, 10), memories: 2 });
    const outbound = await server.ok('brain_analytics', { id: brains['Outbound'] });
    expect(outbound).toMatchObject({
      total_recalls: 3,
      high_impact_memories: [{ id: memories['choice'], recall_count: 3, strength: 0 }],
    });
    expect((outbound['daily_activity'] as Body[]).at(-1)).toMatchObject({ recalls: 3 });
  });

  test('of a tree add up its brains and find conflicts between them', async () => {
    const answer = await server.ok('org_analytics', { id: brains['Sales'] });
    expect(answer).toMatchObject({
      child_brains: 2,
      total_memories: 3,
      total_recalls: 3,
      unique_contributors: 1,
      conflicts: [{ memory: { id: memories['choice'] }, conflicts_with: { id: memories['policy'] } }],
    });
    const rows = answer['brains'] as Body[];
    expect(rows.map(({ name, memories: count }) => [name, count])).toEqual([
      ['Cold Brain', 1],
      ['Outbound Brain', 1],
      ['Sales Brain', 1],
    ]);
  });

  test('are for admins: a viewer gets that reason, and a stranger a missing brain', async () => {
    const { key, personId } = await addPerson(database);
    const ask = async (operation: string) => (await server.call(operation, { id: brains['Sales'] }, { key })).status;
    for (const operation of ['brain_analytics', 'org_analytics']) expect(await ask(operation)).toBe(404);
    await database.rows(
      `insert into brain_members (brain_id, person_id, workspace_id, access_level, cascades, created_at)
        select id, $2, workspace_id, 'viewer', true, now() from brains where id = $1`,
      [brains['Sales'], personId],
    );
    for (const operation of ['brain_analytics', 'org_analytics']) expect(await ask(operation)).toBe(403);
  });

  test('omit lower brains that the caller does not administer', async () => {
    const { key, personId } = await addPerson(database);
    await database.rows(
      `insert into brain_members (brain_id, person_id, workspace_id, access_level, cascades, created_at)
        select id, $2, workspace_id, 'admin', false, now() from brains where id = $1`,
      [brains['Sales'], personId],
    );
    const answer = await server.ok('org_analytics', { id: brains['Sales'] }, { key });
    expect(answer).toMatchObject({ child_brains: 0, total_memories: 1, conflicts: [] });
  });
});
