// The cost of embeddings counts toward the daily caps: here the model costs a tenth of a cent per token.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startEmbeddingsEmulator, type EmbeddingsEmulator } from '#emulators/embeddings/index';
import { openAsOwner, type OwnerDatabase } from '../../../tests/support/owner-database.ts';
import { addPerson } from '../../../tests/support/second-person.ts';
import { startTestServer, type TestServer } from '../../../tests/support/server.ts';
import { createEmbeddingPricing } from './cost.ts';

let emulator: EmbeddingsEmulator;
let server: TestServer;
let database: OwnerDatabase;
let me: { person: string; workspace: string };

beforeAll(async () => {
  emulator = await startEmbeddingsEmulator({ dimensions: 16 });
  server = await startTestServer({
    THALAMUS_EMBEDDINGS_BASE_URL: emulator.baseUrl,
    THALAMUS_EMBEDDINGS_MODEL: 'metered',
    THALAMUS_LLM_PRICES: 'metered=1000/0',
    THALAMUS_LLM_DAILY_USD_PERSON: '2',
    THALAMUS_LLM_DAILY_USD_WORKSPACE: '10',
    THALAMUS_LOG_LEVEL: 'silent',
  });
  database = await openAsOwner(server.connectionString);
  const { person, workspace } = await server.ok('who_am_i');
  me = { person: (person as { id: string }).id, workspace: (workspace as { id: string }).id };
});
afterAll(async () => {
  await database.close();
  await server.close();
  await emulator.close();
});
beforeEach(() => database.rows('delete from llm_usage'));

type Usage = { tag: string; person_id: string | null; outcome: string; cost_usd: number; input_tokens: number };
const listUsage = async () => (await server.ok('list_llm_usage', { tag: 'embedding' }))['usage'] as Usage[];

/** What already counts today, for this person or the workspace itself. */
const insertCounted = (micro: number, person: string | null) =>
  database.rows(
    `insert into llm_usage (id, workspace_id, person_id, tag, provider, model, outcome, charged_micro_usd, request_id, started_at)
     values (gen_random_uuid(), $1, $2, 'embedding', 'openai-compatible', 'metered', 'ok', $3, 'r', now())`,
    [me.workspace, person, micro],
  );

test('embedding the content of a personal brain is paid by its person, like a search, once for a batch', async () => {
  await server.ok('add_memories_bulk', {
    memories: Array.from({ length: 20 }, (_, at) => ({ content: `A counted memory ${at}` })),
  });
  await expect.poll(async () => (await server.ok('embedding_status'))['embedded'], { timeout: 8_000 }).toBe(20);
  const stored = await listUsage();
  expect(stored.length).toBeGreaterThan(0);
  expect(stored.length).toBeLessThanOrEqual(4); // one request for the space, and three workers that share the texts
  for (const each of stored) expect(each).toMatchObject({ outcome: 'ok', cost_usd: 0.001 });
  const theirs = stored.filter(({ person_id }) => person_id === me.person).length;
  expect(theirs).toBeGreaterThanOrEqual(stored.length - 1); // the workspace may have requested the space
  await server.ok('search_memory', { q: 'a memory that is sought' });
  const [search] = await listUsage();
  expect(search).toMatchObject({ person_id: me.person, tag: 'embedding', outcome: 'ok', input_tokens: 1 });
  const { caps } = (await server.ok('usage_overview')) as { caps: { person: unknown } };
  expect(caps.person).toEqual({ cap_usd: 2, spent_usd: expect.closeTo((theirs + 1) * 0.001, 6), reserved_usd: 0 });
});

test('a person at the cap searches by words only and is told until when, and another person searches as before', async () => {
  await server.ok('add_memory', { content: 'The heron stands in the reeds' });
  await expect.poll(() => emulator.texts().join()).toContain('heron');
  await insertCounted(2_000_000, me.person);
  const asked = emulator.texts().length;
  const found = await server.ok('search_memory', { q: 'the heron in reeds' });
  expect(found).toMatchObject({ notice: expect.stringMatching(/daily cap .* words only\. .* after \d{4}-/) });
  expect(JSON.stringify(found)).toContain('The heron stands');
  expect(emulator.texts()).toHaveLength(asked);
  const other = await addPerson(database);
  expect(await server.ok('search_memory', { q: 'the heron in reeds' }, { key: other.key })).not.toHaveProperty(
    'notice',
  );
  expect(emulator.texts()).toHaveLength(asked + 1);
});

test("at a person's cap their own texts wait and others’ are embedded, and the status says so", async () => {
  await insertCounted(2_000_000, me.person);
  const { brain_id } = await server.ok('create_brain', { name: 'Of the team' });
  await server.ok('add_memory', { content: 'A curlew calls over the marsh' });
  await server.ok('add_memory', { content: 'A dipper bobs on a stone', target_brain_id: brain_id });
  await expect.poll(() => emulator.texts().join(), { timeout: 8_000 }).toContain('dipper');
  await expect
    .poll(async () => JSON.stringify((await server.ok('embedding_status'))['last_error']))
    .toMatch(/cap of one person .* continues after \d{4}-/);
  expect(emulator.texts().join()).not.toContain('curlew');
  expect(await server.ok('embedding_status')).toMatchObject({ pending: 1 });
  await database.rows('delete from llm_usage');
  await database.rows('update embedding_queue set not_before = now()'); // the day ended
  await server.ok('add_memory', { content: 'A wren sings', target_brain_id: brain_id }); // wakes the work
  await expect.poll(() => emulator.texts().join(), { timeout: 8_000 }).toContain('curlew');
  await expect.poll(async () => (await server.ok('embedding_status'))['last_error']).toBeNull();
});

test('at the cap of the workspace embedding waits until the day ends, says so, and stored items are found by their words', async () => {
  await insertCounted(10_000_000, null);
  await server.ok('add_memory', { content: 'The kestrel hovers above the meadow' });
  await expect
    .poll(async () => JSON.stringify((await server.ok('embedding_status'))['last_error']), { timeout: 8_000 })
    .toMatch(/daily cap .* continues after \d{4}-/);
  expect(await server.ok('embedding_status')).toMatchObject({ pending: 1 });
  expect(emulator.texts().join()).not.toContain('kestrel');
  expect(JSON.stringify(await server.ok('search_memory', { q: 'kestrel' }))).toContain('The kestrel hovers');
  expect((await listUsage()).every(({ cost_usd }) => cost_usd === null)).toBe(true); // nothing was sent to the embedder
});

test('an embedder at a private address is free unless priced, and an unknown one counts as the most expensive known one', () => {
  const pricing = createEmbeddingPricing([{ model: 'ours', input: 3, output: 0 }]);
  const model = (name: string, isPrivate = false) =>
    ({ provider: 'openai-compatible', model: name, isPrivate }) as const;
  expect(pricing.computeCharge(model('nomic-embed-text', true), 1_000_000)).toBe(0);
  expect(pricing.computeCharge(model('ours', true), 1_000_000)).toBe(3_000_000);
  expect(pricing.computeCharge(model('text-embedding-3-small'), 1_000_000)).toBe(20_000);
  expect(pricing.computeCharge(model('text-embedding-3-small'), 1)).toBe(1);
  expect(pricing.computeCost(model('whatever'), 1_000_000)).toBeNull();
  expect(pricing.computeCharge(model('whatever'), 1_000_000)).toBe(180_000);
});
