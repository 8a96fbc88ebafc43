import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openAsOwner, type OwnerDatabase } from '../../../../tests/support/owner-database.ts';
import { addPerson } from '../../../../tests/support/second-person.ts';
import { startTestServer, type TestServer } from '../../../../tests/support/server.ts';

let server: TestServer;
let database: OwnerDatabase;
beforeAll(async () => {
  server = await startTestServer();
  database = await openAsOwner(server.connectionString);
});
afterAll(async () => {
  await database.close();
  await server.close();
});

const createBrain = async (name: string) => (await server.ok('create_brain', { name })).brain_id;
const add = (brain: string, content: string) =>
  server.ok('add_memory', { content, target_brain_id: brain, type: 'fact' });
const listShownContradictions = async (brain_id: string, more = {}) => {
  const { contradictions } = await server.ok('list_contradictions', { brain_id, ...more });
  return contradictions.map(({ memory, conflicts_with }) => `${memory.content} / ${conflicts_with.content}`);
};
const countOverviewConflicts = async (brain_id: string) =>
  (await server.ok('brain_overview', { brain_id })).conflicts.length;

test('a dismissed contradiction is not reported or found again, until the dismissal is undone', async () => {
  const brain = await createBrain('Refunds');
  const old = await add(brain, 'Refunds take 5 days');
  const now = await add(brain, 'Refunds take 14 days');
  expect(now.conflicts).toEqual([{ id: old.id, kind: 'number', reason: 'It says 14 where 5 was said.' }]);
  const pair = { memory_id: old.id, conflicts_with: now.id };
  const readVisibility = async () => {
    const { links } = await server.ok('get_memory', { id: old.id });
    const { memories } = await server.ok('search_memory', { q: 'refunds days', brain_id: brain });
    const hits = memories.flatMap(({ why }) => why.links.map(({ relationship_type }) => relationship_type));
    return [await listShownContradictions(brain), links, hits.filter((type) => type === 'conflicts_with')].map(
      (all) => all.length > 0,
    );
  };
  expect([await readVisibility(), await countOverviewConflicts(brain)]).toEqual([[true, true, true], 1]);
  expect(await server.ok('dismiss_contradiction', pair)).toMatchObject({ kind: null });
  expect([await readVisibility(), await countOverviewConflicts(brain)]).toEqual([[false, false, false], 0]);
  expect(await listShownContradictions(brain, { is_dismissed: true })).toHaveLength(1);
  await server.ok('update_memory', { id: now.id, content: 'Refunds take 15 days' });
  const found = () =>
    database.rows(`select from memory_links where kind is not null and source_memory_id = $1`, [now.id]);
  await vi.waitFor(async () => expect(await found()).toHaveLength(1), { timeout: 20_000, interval: 200 });
  expect(await listShownContradictions(brain)).toEqual([]);
  await server.ok('undo_contradiction_dismissal', pair);
  expect([await readVisibility(), await countOverviewConflicts(brain)]).toEqual([[true, true, true], 1]);
});

test('a dismissed kind is no longer reported in its brain, also in future, and other kinds still are', async () => {
  const [brain, other] = [await createBrain('Meters'), await createBrain('Other meters')];
  const first = await add(brain, 'The tank of the north pier holds 40 litres');
  const second = await add(brain, 'The tank of the north pier holds 45 litres');
  const pair = { memory_id: second.id, conflicts_with: first.id };
  expect(await server.ok('dismiss_contradiction', { ...pair, with_kind: true })).toMatchObject({ kind: 'number' });
  const third = await add(brain, 'The tank of the north pier holds 50 litres');
  expect([third.conflicts, await listShownContradictions(brain)]).toEqual([[], []]);
  await add(brain, 'The repository of the harbour is private');
  expect((await add(brain, 'The repository of the harbour is public')).conflicts).toHaveLength(1);
  expect(await listShownContradictions(brain)).toEqual([
    'The repository of the harbour is public / The repository of the harbour is private',
  ]);
  await add(other, 'The tank of the north pier holds 40 litres');
  expect((await add(other, 'The tank of the north pier holds 45 litres')).conflicts).toHaveLength(1);
  const listed = await server.ok('list_contradictions', { brain_id: brain, is_dismissed: true });
  expect(listed.dismissed_kinds).toEqual([expect.objectContaining({ brain_id: brain, kind: 'number' })]);
  await server.ok('undo_contradiction_dismissal', { ...pair, with_kind: true });
  expect((await listShownContradictions(brain)).length).toBeGreaterThan(2);
});

test('a dismissed kind is reported again through its brain and name, when no pair of it is left', async () => {
  const brain = await createBrain('Empty tanks');
  const first = await add(brain, 'The tank of the south pier holds 40 litres');
  const second = await add(brain, 'The tank of the south pier holds 45 litres');
  await server.ok('dismiss_contradiction', { memory_id: second.id, conflicts_with: first.id, with_kind: true });
  for (const { id } of [first, second]) await server.ok('archive_memory', { id });
  const kind = { brain_id: brain, kind: 'number' } as const;
  for (const half of [{ brain_id: brain }, { ...kind, memory_id: first.id }, { ...kind, with_kind: true }, {}])
    expect(await server.call('undo_contradiction_dismissal', half)).toMatchObject({ status: 422 });
  expect(await server.ok('undo_contradiction_dismissal', kind)).toEqual({
    memory_id: null,
    conflicts_with: null,
    kind: 'number',
  });
  expect(await server.call('undo_contradiction_dismissal', kind)).toMatchObject({ status: 409 });
  await add(brain, 'The tank of the south pier holds 50 litres');
  expect((await add(brain, 'The tank of the south pier holds 55 litres')).conflicts).toHaveLength(1);
});

test('a contradiction that a caller states again is reported again, and has no kind', async () => {
  const brain = await createBrain('Stated');
  const [one, other] = [await add(brain, 'Tea is served in the hall'), await add(brain, 'Nobody may drink indoors')];
  const ends = { source_memory_id: one.id, target_memory_id: other.id };
  const state = () => server.ok('link_memories', { ...ends, relationship_type: 'conflicts_with' });
  await state();
  const pair = { memory_id: one.id, conflicts_with: other.id };
  expect(await server.call('dismiss_contradiction', { ...pair, with_kind: true })).toMatchObject({ status: 409 });
  await server.ok('dismiss_contradiction', pair);
  expect(await listShownContradictions(brain)).toEqual([]);
  await state();
  expect(await listShownContradictions(brain)).toHaveLength(1);
});

test('undoing is refused for two memories without a contradiction, and for a contradiction that was not dismissed', async () => {
  const brain = await createBrain('None');
  const [one, other] = [await add(brain, 'Apples are stored below'), await add(brain, 'Pumps are upstairs')];
  const pair = { memory_id: one.id, conflicts_with: other.id };
  for (const operation of ['dismiss_contradiction', 'undo_contradiction_dismissal'] as const)
    expect(await server.call(operation, pair)).toMatchObject({ status: 409 });
});

test('items of one source and series do not contradict each other, and those of other sources and people do', async () => {
  const brain = await createBrain('Feeds');
  const connector = async (name: string) => {
    const made = await server.ok('create_connector', { name, source: name, brain_id: brain });
    return (content: string, more = {}) =>
      server.ok('ingest', { content, ...more }, { key: String(made.webhook_token) });
  };
  const [gauge, log] = [await connector('gauge'), await connector('log')];
  for (let at = 0; at < 20; at += 1) await gauge(`The water at the north pier stands at ${30 + at} centimetres`);
  await gauge('The sluice of the harbour is open');
  await gauge('The sluice of the harbour is closed');
  const said = { role: 'user', thread_id: 'talk' } as const;
  await gauge('The kiosk sells ice from Monday', said);
  await gauge('The kiosk sells ice from Friday', said);
  await log('The ferry of the harbour is open');
  await gauge('The ferry of the harbour is closed');
  const ofFeeds = ['The kiosk sells ice from Friday', 'The ferry of the harbour is closed'];
  await vi.waitFor(async () => expect((await listShownContradictions(brain)).length).toBeGreaterThan(1), {
    timeout: 20_000,
    interval: 200,
  });
  expect((await listShownContradictions(brain)).map((pair) => pair.split(' / ')[0]).toSorted()).toEqual(
    ofFeeds.toSorted(),
  );
  expect((await add(brain, 'The water at the north pier stands at 99 centimetres')).conflicts.length).toBeGreaterThan(
    0,
  );
});

test('agents and strangers cannot dismiss a contradiction', async () => {
  const at = (hour: number) =>
    server.ok('add_memory', { content: `The gate of the yard opens at ${hour}`, type: 'fact' });
  const [one, other] = [await at(6), await at(7)];
  const pair = { memory_id: other.id, conflicts_with: one.id };
  const { key } = await addPerson(database);
  expect(await server.call('dismiss_contradiction', pair, { key })).toMatchObject({ status: 404 });
  for (const reach of ['brain', 'owner'] as const) {
    const agent = await server.ok('create_key', { label: 'Agent', reach });
    expect(await server.call('dismiss_contradiction', pair, { key: agent.key })).toMatchObject({ status: 403 });
    const kind = { brain_id: (await server.ok('get_memory', { id: one.id })).memory.brain_id, kind: 'number' };
    for (const undo of [pair, kind])
      expect(await server.call('undo_contradiction_dismissal', undo, { key: agent.key })).toMatchObject({
        status: 403,
      });
  }
  const { contradictions } = await server.ok('list_contradictions', {});
  expect(contradictions.map(({ memory }) => memory.id)).toContain(other.id);
});
