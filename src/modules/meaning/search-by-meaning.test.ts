// A whole server with an embedder whose synonyms are known: tests what it finds, when, and what the answer says.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createOwnerPool } from '#platform/database';
import type { Pool } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startEmbeddingsEmulator, type EmbeddingsEmulator } from '#emulators/embeddings/index';
import { startTestServer, type TestServer } from '../../../tests/support/server.ts';

const synonyms = [
  ['boat', 'ship', 'vessel', 'sail', 'sailing', 'yacht'],
  ['money', 'cash', 'salary', 'wage', 'pay', 'income'],
  ['doctor', 'physician', 'surgeon', 'hospital'],
  ['car', 'automobile', 'driving'],
];
type Hit = {
  id: string;
  content: string;
  semantic_similarity: number | null;
  relevance_score: number;
  why: { terms: string[]; fields: string[] };
};

let emulator: EmbeddingsEmulator;
let server: TestServer;
let pool: Pool;
let brain: string;
beforeAll(async () => {
  emulator = await startEmbeddingsEmulator({ dimensions: 64, synonyms });
  const settings = { THALAMUS_EMBEDDINGS_BASE_URL: emulator.baseUrl, THALAMUS_EMBEDDINGS_MODEL: 'synonyms' };
  server = await startTestServer({ ...settings, THALAMUS_LOG_LEVEL: 'silent' });
  pool = createOwnerPool({ connectionString: server.connectionString }, 2);
});
afterAll(async () => {
  await pool.end();
  await server.close();
  await emulator.close();
});
beforeEach(async () => {
  brain = String((await server.ok('create_brain', { name: `Brain ${randomUUID()}` }))['brain_id']);
});

async function store(...memories: (string | Record<string, unknown>)[]): Promise<string[]> {
  const all = memories.map((each) => (typeof each === 'string' ? { content: each } : each));
  const answer = await server.ok('add_memories_bulk', { target_brain_id: brain, memories: all });
  return (answer['memories'] as { id: string }[]).map(({ id }) => id);
}

async function waitUntilEmbedded(): Promise<void> {
  const giveUpAt = Date.now() + 10_000;
  for (;;) {
    const status = await server.ok('embedding_status', { brain_id: brain });
    if (status['embedded'] === status['total'] && status['pending'] === 0) return;
    if (Date.now() > giveUpAt) throw new Error(`not embedded in time: ${JSON.stringify(status)}`);
    await sleep(30);
  }
}

async function search(q: string, more: Record<string, unknown> = {}) {
  const answer = await server.ok('search_memory', { q, brain_id: brain, ...more });
  return { ...answer, memories: answer['memories'] as Hit[], notice: answer['notice'] };
}
const listContents = ({ memories }: { memories: Hit[] }) => memories.map(({ content }) => content);

const filler = Array.from({ length: 30 }, (_, at) => `Unrelated note about topic${at} and subject${at}`);

test('a query without a common word finds the memory by its meaning, and the hit says so', async () => {
  await store('The yacht leaves on Monday', 'Her salary was raised', ...filler);
  await waitUntilEmbedded();
  const found = await search('vessel');
  expect(listContents(found)).toEqual(['The yacht leaves on Monday']);
  const [hit] = found.memories;
  expect(hit?.why).toMatchObject({ terms: [], fields: ['meaning'] });
  expect(hit?.semantic_similarity).toBeGreaterThan(0.7);
  expect(found).toMatchObject({ pagination: { total_available: 1, has_more: false }, notice: undefined });
  expect(Number(found['confidence' as never])).toBeGreaterThan(0.5);
});

test('a query about an absent subject has no hit that stands out', async () => {
  await store(...filler);
  await waitUntilEmbedded();
  expect(listContents(await search('physician'))).toEqual([]);
});

test('a memory is found by its words at once, and has a similarity as soon as it is embedded', async () => {
  emulator.failAlways({ kind: 'slow', ms: 400 });
  await store('A ship in the harbour', ...filler);
  const before = await search('harbour');
  emulator.failAlways(null);
  expect(before.memories).toMatchObject([{ content: 'A ship in the harbour', semantic_similarity: null }]);
  await waitUntilEmbedded();
  const [after] = (await search('harbour ship')).memories;
  expect(after?.why.fields).toEqual(expect.arrayContaining(['body', 'meaning']));
  expect(after?.semantic_similarity).toBeGreaterThan(0.7);
});

test('hits by words keep their positions among hits by embeddings, over all pages', async () => {
  const worded = Array.from({ length: 12 }, (_, at) => `Ledger entry number ${at} about the automobile`);
  const meant = Array.from({ length: 25 }, (_, at) => `Driving lesson ${at}`);
  await store(...worded, ...meant, ...filler);
  await waitUntilEmbedded();
  const first = await search('ledger car', { limit: 20 });
  expect(listContents(first).filter((each) => each.startsWith('Ledger')).length).toBeGreaterThanOrEqual(10);
  const all: string[] = [];
  for (let offset = 0; ; offset += 7) {
    const page = await search('ledger car', { limit: 7, offset });
    all.push(...listContents(page));
    const { has_more, total_available } = page['pagination' as never] as { has_more: boolean; total_available: number };
    expect(total_available).toBe(37);
    if (!has_more) break;
  }
  expect(all).toHaveLength(37);
  expect(new Set(all)).toEqual(new Set([...worded, ...meant]));
});

test('filters, exclusions and phrases apply to hits by meaning', async () => {
  await store(
    { content: 'The yacht is blue', type: 'fact' },
    { content: 'A ship with a leak', type: 'decision' },
    { content: 'Sailing to Crete', type: 'decision' },
    ...filler,
  );
  await waitUntilEmbedded();
  expect(listContents(await search('vessel')).toSorted()).toEqual([
    'A ship with a leak',
    'Sailing to Crete',
    'The yacht is blue',
  ]);
  expect(listContents(await search('vessel', { type: 'fact' }))).toEqual(['The yacht is blue']);
  expect(listContents(await search('vessel -leak', { type: 'decision' }))).toEqual(['Sailing to Crete']);
  expect(listContents(await search('vessel "to crete"'))).toEqual(['Sailing to Crete']);
  expect(listContents(await search('vessel', { source: 'auto_ingested' }))).toEqual([]);
  const { brain_id } = await server.ok('create_brain', { name: 'Empty' });
  expect(listContents(await search('vessel', { brain_id }))).toEqual([]);
});

test('an archived or changed memory is no longer found by its former meaning', async () => {
  const [gone, changed] = await store('The yacht leaves on Monday', 'A ship in the harbour', ...filler);
  await waitUntilEmbedded();
  expect(listContents(await search('vessel'))).toHaveLength(2);
  await server.ok('archive_memory', { id: gone });
  expect(listContents(await search('vessel'))).toEqual(['A ship in the harbour']);
  await pool.query("update memories set content = 'Her salary was raised' where id = $1", [changed]);
  await store('One more');
  await waitUntilEmbedded();
  expect(listContents(await search('vessel'))).toEqual([]);
  expect(listContents(await search('cash'))).toEqual(['Her salary was raised']);
});

test('the search finds the right piece of a long text', async () => {
  const nothing = 'Nothing of interest here. '.repeat(80);
  const long = `${nothing}\n\n${'The surgeon came to the hospital. '.repeat(40)}\n\n${nothing}`;
  await store(long, ...filler);
  await waitUntilEmbedded();
  expect((await search('physician')).memories.map(({ content }) => content.length)).toEqual([long.trim().length]);
});

test('an embedder that does not answer costs no hit and little time, and the answer has a notice', async () => {
  await store('A ship in the harbour', ...filler);
  await waitUntilEmbedded();
  emulator.failAlways({ kind: 'slow', ms: 20_000 });
  const begun = Date.now();
  const slow = await search('harbour wall');
  expect(Date.now() - begun).toBeLessThan(10_000); // half of what the embedder accepts
  expect(slow.memories).toMatchObject([{ content: 'A ship in the harbour', semantic_similarity: null }]);
  expect(slow.notice).toContain('used words only');
  emulator.failAlways(null);
  expect((await search('harbour quay')).notice).toBeUndefined();
});

test('the same query sends one request to the embedder', async () => {
  await store('A ship in the harbour');
  await waitUntilEmbedded();
  const before = emulator.texts().length;
  for (const offset of [0, 1, 2]) await search('where is my vessel', { offset });
  expect(emulator.texts().slice(before)).toEqual(['where is my vessel']);
});

test('pages are found by meaning too', async () => {
  const { rows } = await pool.query('select workspace_id from brains where id = $1', [brain]);
  await pool.query(
    `insert into pages (id, workspace_id, brain_id, slug, type, title, body, frontmatter, content_hash, occurred_at,
       created_at, updated_at)
     select gen_random_uuid(), $1, $2, 'page-' || n, 'note', title, body, '{"n": 1}', '', now(), now(), now()
     from (values (1, 'Monday', 'The yacht leaves the port'), (2, 'Tuesday', 'Her salary was raised')) as page (n, title, body)`,
    [rows[0].workspace_id, brain],
  );
  await store(...filler);
  await waitUntilEmbedded();
  const found = await server.ok('search', { q: 'vessel', brain_id: brain });
  expect(found).toMatchObject({
    pages: [{ title: 'Monday', semantic_similarity: expect.any(Number) }],
    pagination: { total_available: 1 },
  });
  const queried = await server.ok('query', { q: 'cash', brain_id: brain, where: { n: 1 } });
  expect(queried).toMatchObject({ pages: [{ title: 'Tuesday' }] });
  expect(await server.ok('query', { brain_id: brain, where: { n: 1 } })).toMatchObject({ pages: [{}, {}] });
});

test('a document is found by its meaning, with the lines that mean it, until it is deleted with its vectors', async () => {
  const rest = Array.from({ length: 4 }, (_, at) => `Nothing of note in chapter${at}. `.repeat(40).trim());
  const content = [...rest.slice(0, 2), 'The surgeon came to the hospital. '.repeat(40).trim(), ...rest.slice(2)];
  const document = { title: 'Diary', content: content.join('\n\n'), brain_id: brain };
  const { document_id } = await server.ok('upload_document', document);
  await store('The yacht leaves on Monday', ...filler);
  await waitUntilEmbedded();
  const found = await search('physician');
  expect(found).toMatchObject({ notice: undefined, pagination: { total_available: 1 } });
  expect(found.memories).toMatchObject([
    {
      type: 'document_constellation',
      semantic_similarity: expect.any(Number),
      why: { fields: ['meaning'] },
      document_source: {
        document_id,
        passage: { text: expect.stringContaining('surgeon'), line_start: 5 },
      },
    },
  ]);
  expect((await search('surgeon yacht')).memories.map(({ why }) => why.fields)).toEqual([
    ['body', 'meaning'],
    ['body', 'meaning'],
  ]);
  expect(listContents(await search('vessel'))).toEqual(['The yacht leaves on Monday']);
  const vectors = 'select from embeddings where item_id = any($1) and code is not null';
  const ids = found.memories.map(({ id }) => id);
  expect((await pool.query(vectors, [ids])).rowCount).toBeGreaterThan(0);
  await server.ok('delete_document', { id: document_id });
  expect((await pool.query(vectors, [ids])).rowCount).toBe(0);
  expect(listContents(await search('physician'))).toEqual([]);
});

test('without an embedder there is no similarity, and no notice', async () => {
  const plain = await startTestServer();
  await plain.ok('add_memory', { content: 'A ship in the harbour' });
  const found = await plain.ok('search_memory', { q: 'harbour' });
  expect(found['memories']).toMatchObject([{ semantic_similarity: null }]);
  expect(found).not.toHaveProperty('notice');
  await plain.close();
});

test('automations that write to one board say how similar their intent is to the intent of a new one', async () => {
  const { board_id } = await server.ok('create_board', { name: `Board ${randomUUID()}` });
  const save = (name: string, intent: string) =>
    server.ok('save_automation_draft', {
      name,
      intent,
      source: '1',
      triggers: [{ kind: 'manual' }],
      tool_grants: [{ tool: 'append_board_rows' }],
      writes_to_boards: [board_id],
    });
  await save('Payroll', 'Record every wage');
  await save('Regatta', 'Record every yacht');
  const sought = { writes_to_boards: [board_id], intent: 'Record every vessel' };
  const found = async (input: object) =>
    (await server.ok('find_overlapping_automations', input)).matches.map((each) => each.intent_similarity);
  const [payroll, regatta] = await found(sought);
  expect(regatta).toBeGreaterThan(0.9);
  expect(payroll).toBeLessThan(0.8);
  expect(await found({ writes_to_boards: [board_id] }), 'nothing to compare with').toEqual([null, null]);
  emulator.failNext({ kind: 'status', status: 503 });
  const failed = await server.ok('find_overlapping_automations', { ...sought, intent: 'Another' });
  expect(failed).toMatchObject({ count: 2, notice: expect.stringContaining('not compared') });
});

test('an item that shares no word with any brain is placed by its embedding, which counts more than a description', async () => {
  const parent = brain;
  const make = async (name: string, description: string, memory: string) => {
    const made = await server.ok('create_brain', { name, description, parent_brain_id: parent });
    brain = String(made['brain_id']);
    await store(memory);
    await waitUntilEmbedded();
    return brain;
  };
  const fleet = await make('Fleet', 'Timetables', 'The yacht leaves on Monday');
  const clinic = await make('Clinic', 'Rosters of the ward', 'The surgeon has a day off');
  const connector = { name: 'Meant', source: 'make', brain_id: parent, connector_type: 'shared' };
  const { webhook_token } = await server.ok('create_connector', connector);
  const send = (content: string) => server.ok('ingest', { content }, { key: String(webhook_token) });
  const sure = { auto_routed: true, review_id: null, routing: { method: 'confidence', confidence: 1 } };
  expect(await send('Sailing again')).toMatchObject({ ...sure, brain_id: fleet });
  expect(await send('New physician')).toMatchObject({ ...sure, brain_id: clinic });
  expect(await send('Physician and timetables')).toMatchObject({
    brain_id: clinic,
    routing: { method: 'confidence', confidence: 0.65 },
  });
});
