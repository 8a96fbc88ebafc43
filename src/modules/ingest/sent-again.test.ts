import { afterAll, beforeAll, expect, test } from 'vitest';
import { openAsOwner } from '../../../tests/support/owner-database.ts';
import { addPerson } from '../../../tests/support/second-person.ts';
import { startTestServer, type TestServer } from '../../../tests/support/server.ts';

let server: TestServer;
beforeAll(async () => void (server = await startTestServer()));
afterAll(() => server.close());

const createBrain = async (name: string) => String((await server.ok('create_brain', { name })).brain_id);
const send = (target_brain_id: string, source_id: string, content: string, more: object = {}) =>
  server.ok('ingest', { content, source_id, target_brain_id, ...more });
const countPages = async (brain_id: string) => (await server.ok('list_pages', { brain_id })).total;
const listMemoryIds = async (brain_id: string) =>
  (await server.ok('list_memories', { brain_id })).memories.map(({ id }) => id);
const buildLongText = (word: string) => `${word}\n\n${'The tide comes in twice a day. '.repeat(1_300)}`;

test('an item that is sent again for another brain moves there with its pages, and is in no brain twice', async () => {
  const [manuals, archive] = [await createBrain('Manuals'), await createBrain('Archive')];
  const first = await send(manuals, 'manual', buildLongText('zebrawood'));
  const moved = await send(archive, 'manual', buildLongText('zebrawood'));
  expect(moved).toMatchObject({ id: first.id, brain_id: archive, dedup: { action: 'unchanged' } });
  expect(moved.pages).toHaveLength(1);
  expect([await listMemoryIds(manuals), await listMemoryIds(archive)]).toEqual([[], [first.id]]);
  expect([await countPages(manuals), await countPages(archive)]).toEqual([0, 1]);
  const back = await send(manuals, 'manual', 'A short version');
  expect(back).toMatchObject({ brain_id: manuals, dedup: { action: 'superseded', previous_id: first.id }, pages: [] });
  expect([await listMemoryIds(manuals), await listMemoryIds(archive)]).toEqual([[back.id], []]);
  expect([await countPages(manuals), await countPages(archive)]).toEqual([0, 0]);
});

test('an item of another channel or person with the same id stays where it is', async () => {
  const [one, other] = [await createBrain('One'), await createBrain('Other')];
  const github = await send(one, '17', 'Issue about the quay', { source_channel: 'github' });
  const jira = await send(other, '17', 'Ticket about the mole', { source_channel: 'jira' });
  const database = await openAsOwner(server.connectionString);
  const grace = await addPerson(database).finally(() => database.close());
  await server.ok('invite_member', { brain_id: one, email: grace.email, access_level: 'editor' });
  const note = {
    content: 'A note of Grace',
    source_id: '17',
    source_channel: 'github',
    target_brain_id: grace.brainId,
  };
  expect((await server.ok('ingest', note, { key: grace.key })).dedup).toMatchObject({ action: 'created' });
  expect([await listMemoryIds(one), await listMemoryIds(other)]).toEqual([[github.id], [jira.id]]);
});

test('the pages of a long text without spaces are removed with it, and its parts end between characters', async () => {
  const scrolls = await createBrain('Scrolls');
  const content = `${'古'.repeat(20_000)}\n${'😀'.repeat(60_000)}`;
  const long = await send(scrolls, 'scroll', content);
  const bodies = [];
  for (const slug of long.pages as string[]) bodies.push(String((await server.ok('get_page', { slug })).body));
  expect(bodies.length).toBeGreaterThan(1);
  expect(bodies.join('')).not.toContain('\ufffd');
  await send(scrolls, 'scroll', '短い');
  expect(await countPages(scrolls)).toBe(0);
});
