import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openAsOwner, type OwnerDatabase } from '../../../../tests/support/owner-database.ts';
import { addPerson } from '../../../../tests/support/second-person.ts';
import { startTestServer, type TestServer } from '../../../../tests/support/server.ts';

let server: TestServer;
let second: TestServer;
let database: OwnerDatabase;
beforeAll(async () => {
  server = await startTestServer();
  second = await startTestServer({ DATABASE_URL: server.connectionString });
  database = await openAsOwner(server.connectionString);
});
afterAll(async () => {
  await database.close();
  await second.close();
  await server.close();
});

type Body = Record<string, unknown>;
const add = (content: string, more: Body = {}) => server.ok('add_memory', { content, ...more });
/** Recalls are counted a moment after the answer. */
const readRecalls = async (id: unknown) => (await server.ok('get_memory', { id }))['recalls'] as Body;

test('a search counts the recall of each memory that it returns, and of no other', async () => {
  const found = await add('Harbour pilots board at the outer buoy');
  const other = await add('Walnuts are cracked in November');
  for (let time = 0; time < 3; time += 1) await server.ok('search_memory', { q: 'harbour pilots buoy' });
  await expect.poll(() => readRecalls(found['id'])).toMatchObject({ recall_count: 3, strength: 0 });
  expect(await readRecalls(other['id'])).toMatchObject({ recall_count: 0, last_recalled_at: null });
});

test('recalls on two servers at once are all counted', async () => {
  const { id } = await add('Glassblowers wear no gloves');
  const search = (each: TestServer) => each.ok('search_memory', { q: 'glassblowers gloves' });
  await Promise.all(Array.from({ length: 20 }, (_, time) => search(time % 2 ? server : second)));
  await expect.poll(() => readRecalls(id)).toMatchObject({ recall_count: 20 });
});

test('counting recalls does not change a memory, so no index must read it again', async () => {
  const { id } = await add('Foghorns sound twice a minute');
  const xact = async () => database.rows('select changed_xact::text from memories where id = $1', [id]);
  const before = await xact();
  await server.ok('search_memory', { q: 'foghorns' });
  await expect.poll(() => readRecalls(id)).toMatchObject({ recall_count: 1 });
  expect(await xact()).toEqual(before);
});

test('a memory that builds on the recalls of its session becomes stronger, up to a limit', async () => {
  const first = await add('The saffron order goes to the Mancha cooperative');
  const { session_id } = await server.ok('load_brain', { max_tokens: 400 });
  await server.ok('search_memory', { q: 'saffron order Mancha', session_id });
  const built = await add('The Mancha cooperative ships the saffron order by train', { session_id });
  expect(built['strengthened']).toEqual([first['id']]);
  expect((await readRecalls(first['id']))['strength']).toBeCloseTo(0.2);
  for (let time = 0; time < 6; time += 1)
    await add(`The Mancha cooperative packs the saffron order in ${'abcdef'[time]} boxes`, { session_id });
  expect((await readRecalls(first['id']))['strength']).toBe(1);
});

test('without the session nothing becomes stronger', async () => {
  const first = await add('Lantern oil is bought from the Setubal refinery');
  await server.ok('search_memory', { q: 'lantern oil Setubal refinery' });
  const later = await add('Lantern oil from the Setubal refinery burns clean');
  expect(later['strengthened']).toEqual([]);
  await expect.poll(() => readRecalls(first['id'])).toMatchObject({ recall_count: 1, strength: 0 });
});

test('a memory that contradicts a recalled one is linked to it with the reason', async () => {
  const old = await add('Kiln firing starts on Monday');
  const { session_id } = await server.ok('load_brain', { max_tokens: 400 });
  await server.ok('search_memory', { q: 'kiln firing', session_id });
  const fresh = await add('Kiln firing starts on Friday', { session_id });
  expect(fresh).toMatchObject({ conflicts: [{ id: old['id'], reason: expect.stringContaining('Friday') }] });
  expect(fresh['strengthened']).toEqual([]);
  expect(fresh['auto_linked_to']).not.toContain(old['id']);
  const { links } = await server.ok('get_memory', { id: fresh['id'] });
  const between = (links as { target_memory_id: string }[]).filter((link) => link.target_memory_id === old['id']);
  expect(between).toHaveLength(1);
  expect(links).toContainEqual({
    source_memory_id: fresh['id'],
    target_memory_id: old['id'],
    relationship_type: 'conflicts_with',
    origin: 'detected',
    reason: expect.stringContaining('Friday'),
  });
});

test('another person’s session does not exist', async () => {
  const { key } = await addPerson(database);
  const { session_id } = await server.ok('load_brain', {}, { key });
  expect(await server.call('search_memory', { q: 'kiln', session_id })).toMatchObject({ status: 404 });
  expect(await server.call('add_memory', { content: 'Mine', session_id })).toMatchObject({ status: 404 });
});

test('a recall on one server counts for the session on another', async () => {
  const first = await add('Orchid seeds are sown in agar jelly');
  const { session_id } = await server.ok('load_brain', { max_tokens: 400 });
  await second.ok('search_memory', { q: 'orchid seeds agar', session_id });
  await sleep(300); // recalls are noted after the answer
  const built = await add('Orchid seeds in agar jelly sprout after nine weeks', { session_id });
  expect(built['strengthened']).toEqual([first['id']]);
});
