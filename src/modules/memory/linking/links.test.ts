import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
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

type Body = Record<string, unknown>;
const add = (content: string, more: Body = {}) => server.ok('add_memory', { content, ...more });
const createBrain = async (name: string) => (await server.ok('create_brain', { name }))['brain_id'];
const readLinks = async (id: unknown) => (await server.ok('get_memory', { id }))['links'] as Body[];

test('memories stored in bulk are linked afterwards, each pair once', async () => {
  const target_brain_id = await createBrain('Bulk');
  const contents = [
    'Adyen webhooks carry chargebacks of the payments gateway',
    'The payments gateway repeats Adyen webhooks for chargebacks',
    'Orchids flower twice a year',
  ];
  const { memories } = await server.ok('add_memories_bulk', {
    target_brain_id,
    memories: contents.map((content) => ({ content })),
  });
  const [first, second, third] = memories as Body[];
  expect(await readLinks(first?.['id'])).toEqual([]);
  const deadline = Date.now() + 15_000;
  while (!(await readLinks(first?.['id'])).length && Date.now() < deadline) await sleep(200);
  await sleep(300); // a second link would have been added by then
  const link = { source_memory_id: second?.['id'], target_memory_id: first?.['id'], relationship_type: 'relates_to' };
  expect(await readLinks(first?.['id'])).toEqual([expect.objectContaining({ ...link, origin: 'automatic' })]);
  expect(await readLinks(third?.['id'])).toEqual([]);
}, 30_000);

test('a link is removed by its type, or with every other link between the two', async () => {
  const [a, b] = [await add('Turbine blades are oiled'), await add('Ferries run until midnight')];
  const ends = { source_memory_id: a['id'], target_memory_id: b['id'] };
  for (const relationship_type of ['depends_on', 'refines', 'decided_because_of'])
    await server.ok('link_memories', { ...ends, relationship_type });
  expect(await server.ok('unlink_memories', { ...ends, relationship_type: 'refines' })).toEqual({ removed: 1 });
  expect(await server.ok('unlink_memories', ends)).toEqual({ removed: 2 });
  expect(await server.ok('unlink_memories', ends)).toEqual({ removed: 0 });
});

test('a memory is read with its neighbours in the thread, in order', async () => {
  const ids = [];
  for (const [position, word] of ['one', 'two', 'three', 'four', 'five', 'six'].entries()) {
    const said = { thread_id: 'chat', occurred_at: `2026-01-01T10:0${position}:00Z` };
    ids.push((await add(`Line ${word} of the chat`, said))['id']);
  }
  const { thread } = await server.ok('get_memory', { id: ids[2] });
  expect((thread as Body[]).map(({ id }) => id)).toEqual([ids[0], ids[1], ids[3], ids[4]]);
});

test('a correction keeps the former text, and search finds it at once', async () => {
  const { id } = await add('The zeppelin lands at noon');
  expect(await server.ok('update_memory', { id, content: 'The airship lands at noon', reason: 'Word' })).toMatchObject({
    version: 2,
    topics: expect.arrayContaining(['airship']),
  });
  const found = await server.ok('search_memory', { q: 'airship' });
  expect((found['memories'] as Body[])[0]).toMatchObject({ id, content: 'The airship lands at noon' });
  expect((await server.ok('search_memory', { q: 'zeppelin' }))['memories']).toEqual([]);
  const { versions } = await server.ok('get_memory', { id });
  expect(versions).toEqual([
    expect.objectContaining({ version: 1, content: 'The zeppelin lands at noon', reason: 'Word' }),
  ]);
});

test('a correction needs a change, and a live memory', async () => {
  const { id } = await add('The barometer falls');
  expect(await server.call('update_memory', { id })).toMatchObject({ status: 422 });
  await server.ok('archive_memory', { id });
  expect(await server.call('update_memory', { id, salience: 'normal' })).toMatchObject({ status: 409 });
});

test('concurrent corrections are all kept, one after another', async () => {
  const { id } = await add('The sextant hangs in the cabin');
  await Promise.all(
    Array.from({ length: 5 }, (_, at) =>
      server.ok('update_memory', { id, content: `The sextant hangs on hook ${at}` }),
    ),
  );
  const { versions } = await server.ok('get_memory', { id });
  expect((versions as Body[]).map(({ version }) => version)).toEqual([5, 4, 3, 2, 1]);
});

test('a moved memory is found in its new place only; links stay', async () => {
  const [from, to] = [await createBrain('From'), await createBrain('To')];
  const stays = await add('Lighthouse lamps are polished by hand', { target_brain_id: from });
  const { id, auto_linked_to } = await add('Lighthouse lamps are polished every Sunday by hand', {
    target_brain_id: from,
  });
  expect(auto_linked_to).toEqual([stays['id']]);
  await server.ok('search_memory', { q: 'lighthouse', brain_id: from });
  expect(await server.ok('move_memory', { memory_id: id, target_brain_id: to })).toEqual({
    id,
    brain_id: to,
    links_kept: 1,
  });
  const listMemoryIds = async (brain_id: unknown) =>
    ((await server.ok('search_memory', { q: 'lighthouse lamps', brain_id }))['memories'] as Body[]).map(
      (hit) => hit['id'],
    );
  expect(await listMemoryIds(to)).toEqual([id]);
  expect(await listMemoryIds(from)).toEqual([stays['id']]);
  expect(await readLinks(id)).toHaveLength(1);
});

test('a memory cannot be moved to a brain without write access, and a stranger does not see it there', async () => {
  const { key, brainId } = await addPerson(database);
  const { id } = await add('Secret of the house');
  expect(await server.call('move_memory', { memory_id: id, target_brain_id: brainId })).toMatchObject({ status: 404 });
  for (const operation of ['get_memory', 'update_memory', 'restore_memory'])
    expect(await server.call(operation, { id, salience: undefined }, { key }), operation).toMatchObject({
      status: 404,
    });
});
