import { afterAll, beforeAll, expect, test } from 'vitest';
import { openAsOwner, type OwnerDatabase } from '../../../tests/support/owner-database.ts';
import { addPerson } from '../../../tests/support/second-person.ts';
import { startTestServer, type TestServer } from '../../../tests/support/server.ts';
import { combine, fitByDescription } from './signals.ts';

let server: TestServer;
let database: OwnerDatabase;
let kitchen: string;
let ships: string;
let company: string;
beforeAll(async () => {
  server = await startTestServer();
  database = await openAsOwner(server.connectionString);
  company = await createBrain('Company', { description: 'Strategy that concerns everybody' });
  kitchen = await createBrain('Kitchen', {
    description: 'Recipes, menus, ovens and suppliers of food',
    parent_brain_id: company,
  });
  ships = await createBrain('Ships', {
    description: 'Vessels, harbours, crews and routes at sea',
    parent_brain_id: company,
  });
  for (const content of ['The oven bakes bread at 240 degrees', 'Flour comes from the mill on Thursdays'])
    await server.ok('add_memory', { content, target_brain_id: kitchen });
  for (const content of ['The crew of the Argo has twelve sailors', 'Harbour dues in Piraeus rose'])
    await server.ok('add_memory', { content, target_brain_id: ships });
});
afterAll(async () => {
  await database.close();
  await server.close();
});

const createBrain = async (name: string, more: object = {}) =>
  (await server.ok('create_brain', { name, ...more })).brain_id;
async function createConnector(input: object = {}) {
  const made = await server.ok('create_connector', {
    name: 'Router',
    source: 'make',
    brain_id: company,
    connector_type: 'shared',
    ...input,
  });
  return { ...made, send: (item: object) => server.ok('ingest', item, { key: String(made.webhook_token) }) };
}

test('an item goes to the brain with the best matching description and memories, and the answer has its confidence', async () => {
  const { send, allowed_brain_ids } = await createConnector();
  expect(allowed_brain_ids.toSorted()).toEqual([company, kitchen, ships].toSorted());
  const baked = await send({ content: 'The new oven for bread arrived, the menu and its recipes change' });
  expect(baked).toMatchObject({
    brain_id: kitchen,
    auto_routed: true,
    routing: { method: 'confidence' },
    review_id: null,
  });
  expect(baked.routing.confidence).toBeGreaterThanOrEqual(0.45);
  expect(await send({ content: 'Two sailors of the crew left the vessel in the harbour' })).toMatchObject({
    brain_id: ships,
  });
});

test('each signal alone places a text; in a conflict the content of a brain counts more than its description', () => {
  const none = new Map<string, number>();
  const signals = { content: none, description: none, lessons: none };
  const best = (more: Partial<typeof signals>) => combine([kitchen, ships], { ...signals, ...more });
  const described = fitByDescription('A menu with recipes', [
    { id: kitchen, name: 'Kitchen', description: 'Recipes and menus', routing_rules: '', language: 'en' },
    { id: ships, name: 'Ships', description: 'Vessels', routing_rules: '', language: 'en' },
  ]);
  expect(best({ description: described })[0]).toEqual({ brainId: kitchen, share: 1 });
  const like = new Map([[ships, 7]]);
  expect(best({ content: like })[0]).toEqual({ brainId: ships, share: 1 });
  const [first, second] = best({ content: like, description: described });
  expect([first?.brainId, second?.brainId]).toEqual([ships, kitchen]);
  expect([first?.share, second?.share]).toEqual([expect.closeTo(0.65), expect.closeTo(0.35)]);
  expect(best({ content: like, lessons: new Map([[kitchen, 1.1]]) })[0]?.brainId).toBe(kitchen);
  expect(best({})).toEqual([expect.objectContaining({ share: 0 }), expect.objectContaining({ share: 0 })]);
});

test('rules take precedence over signals: channels, senders, domains and keywords; null drops the item', async () => {
  const { send, connector_id } = await createConnector({
    connector_config: { channel_mappings: { '#sea': ships, '#random': null } },
  });
  expect(await send({ content: 'Bread and ovens', source_channel: '#sea' })).toMatchObject({
    brain_id: ships,
    routing: { method: 'channel_mapping' },
  });
  expect(await send({ content: 'Lunch?', source_channel: 'random' })).toMatchObject({
    id: null,
    dedup: { action: 'dropped' },
  });
  const route = (signal_type: string, signal_value: string, target_brain_id: string) =>
    server.ok('add_connector_route', { connector_id, signal_type, signal_value, target_brain_id });
  await route('keyword', 'invoice', company);
  await route('domain', 'mill.example.com', kitchen);
  const { route_id } = await route('sender', 'captain@mill.example.com', ships);
  const sent = async (item: object) => (await send(item)).brain_id;
  expect(await sent({ content: 'Invoice of May' })).toBe(company);
  expect(await sent({ content: 'An invoice', source_user: 'Mo <mo@mill.example.com>' })).toBe(kitchen);
  expect(await sent({ content: 'An invoice', source_user: 'Captain <Captain@mill.example.com>' })).toBe(ships);
  await route('channel', '#Galley', kitchen);
  expect(await send({ content: 'An invoice', source_channel: 'galley' })).toMatchObject({
    brain_id: kitchen,
    routing: { method: 'route' },
  });
  expect((await server.ok('list_connector_routes', { connector_id })).routes).toHaveLength(4);
  const path = `/v1/connectors/${connector_id}/routes/${route_id}`;
  expect(
    (await server.request(path, { method: 'DELETE', headers: { authorization: `Bearer ${server.key}` } })).status,
  ).toBe(200);
  expect(await sent({ content: 'An invoice again', source_user: 'captain@mill.example.com' })).toBe(kitchen);
});

test('an unclear text goes to the default brain and the review list; a decision moves it and teaches the router', async () => {
  const { send } = await createConnector({ connector_config: { default_brain_id: company } });
  const unclear = (number: number) => ({
    content: `Zygomorphic orchids bloom in greenhouse ${number}, says the botanist`,
    source_user: 'botanist@example.com',
    source_id: `orchid-${number}`,
  });
  const first = await send(unclear(1));
  expect(first).toMatchObject({ brain_id: company, routing: { method: 'default' }, review_id: expect.any(String) });
  const listed = await server.ok('list_routing_reviews', { brain_id: company });
  expect(listed.reviews[0]).toMatchObject({
    review_id: first.review_id,
    memory_id: first.id,
    source: 'make:botanist@example.com',
  });
  const resolve = (brain_id: string) => server.ok('resolve_routing_review', { review_id: first.review_id, brain_id });
  expect(await resolve(kitchen)).toMatchObject({ outcome: 'moved', brain_id: kitchen });
  expect((await server.ok('get_memory', { id: first.id })).memory.brain_id).toBe(kitchen);
  expect((await server.call('resolve_routing_review', { review_id: first.review_id, brain_id: ships })).status).toBe(
    409,
  );
  expect(await send(unclear(2))).toMatchObject({
    brain_id: kitchen,
    routing: { method: 'confidence' },
    review_id: null,
  });
  expect(await send({ ...unclear(1), content: 'The orchids wilted' })).toMatchObject({
    brain_id: kitchen,
    routing: { method: 'previous' },
    dedup: { action: 'superseded' },
  });
});

test('a person who may not write to a brain sees neither its reviews nor its name among the candidates', async () => {
  const { key, personId } = await addPerson(database);
  await database.rows(
    `insert into brain_members select $1, $2, workspace_id, 'editor', true, now(), null from brains where id = $1`,
    [ships, personId],
  );
  const { send } = await createConnector({
    brain_id: ships,
    connector_config: { allowed_brain_ids: [ships, kitchen] },
  });
  const { review_id } = await send({ content: 'Parking behind the building is closed on Friday' });
  const { reviews } = await server.ok('list_routing_reviews', {}, { key });
  expect(reviews.map((each) => each.review_id)).toEqual([review_id]);
  expect(JSON.stringify(reviews)).not.toContain(kitchen);
  expect((await server.call('list_routing_reviews', { brain_id: kitchen }, { key })).status).toBe(404);
});
