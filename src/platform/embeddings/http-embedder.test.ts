import { LLMock } from '@copilotkit/aimock';
import { createEgress } from '#platform/egress';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { startEmbeddingsEmulator, type EmbeddingsEmulator } from '#emulators/embeddings/index';
import { TextRefused } from './embedder.ts';
import { createHttpEmbedder } from './http-embedder.ts';

const apiKey = 'sk-embedding-secret-0123456789';
const egress = createEgress({ allow: [] });
let emulator: EmbeddingsEmulator;
beforeEach(async () => {
  emulator = await startEmbeddingsEmulator({ dimensions: 8, apiKey });
});
afterEach(() => emulator.close());
afterAll(() => egress.close());

const createEmbedder = (more: object = {}) =>
  createHttpEmbedder(egress, { baseUrl: emulator.baseUrl, model: 'test-model', apiKey, dimensions: null, ...more });
const catchError = (work: Promise<unknown>): Promise<Error> =>
  work.then(
    () => Promise.reject(new Error('it did not fail')),
    (error: Error) => error,
  );

test('texts become vectors in their order, whatever the order of the answer', async () => {
  emulator.failNext({ kind: 'answer', change: (data) => data.toReversed() });
  const [cat, dog] = await createEmbedder().embed(['cat', 'dog']);
  const [again] = await createEmbedder().embed(['cat']);
  expect(cat).toEqual(again);
  expect(cat).not.toEqual(dog);
});

test('the request has the documented form, and names a length only where one is set', async () => {
  await createEmbedder().embed(['cat']);
  await createEmbedder({ dimensions: 4 }).embed(['cat']);
  expect(emulator.ledger.map(({ body }) => body)).toEqual([
    { model: 'test-model', input: ['cat'], encoding_format: 'float' },
    { model: 'test-model', input: ['cat'], encoding_format: 'float', dimensions: 4 },
  ]);
  expect(emulator.ledger[0]?.authorization).toBe(`Bearer ${apiKey}`);
});

test('many and long texts go in several requests', async () => {
  const texts = Array.from({ length: 70 }, (_, at) => `text ${at}`);
  expect(await createEmbedder().embed(texts)).toHaveLength(70);
  expect(emulator.ledger).toHaveLength(3);
  await createEmbedder().embed(['a '.repeat(25_000), 'b '.repeat(25_000)]);
  expect(emulator.ledger).toHaveLength(5);
  expect(emulator.texts().slice(0, 70)).toEqual(texts);
});

test('the space is named by model and length, and an unknown model is asked for its length once', async () => {
  const embedder = createEmbedder();
  expect(await embedder.space()).toEqual({ name: 'test-model/8', dimensions: 8 });
  expect(await embedder.space()).toEqual({ name: 'test-model/8', dimensions: 8 });
  expect(emulator.ledger).toHaveLength(1);
  expect(await createEmbedder({ model: 'text-embedding-3-small' }).space()).toMatchObject({ dimensions: 1536 });
  expect(emulator.ledger).toHaveLength(1);
});

test('a busy or failing embedder is retried, not sooner than it asks', async () => {
  emulator.failNext({ kind: 'status', status: 429, headers: { 'retry-after': '2' } }, { kind: 'status', status: 503 });
  const begun = Date.now();
  expect(await createEmbedder().embed(['cat'])).toHaveLength(1);
  expect(Date.now() - begun).toBeGreaterThanOrEqual(2_900);
  expect(emulator.ledger.map(({ status }) => status)).toEqual([429, 503, 200]);
});

test('a caller gets the length of a long pause at once', async () => {
  emulator.failNext({ kind: 'status', status: 429, headers: { 'retry-after': '120' } });
  expect(await catchError(createEmbedder().embed(['cat']))).toMatchObject({ details: { retry_after_seconds: 120 } });
});

test('a caller without time sends one request only', async () => {
  emulator.failNext({ kind: 'status', status: 503 });
  await catchError(createEmbedder().embed(['cat'], { attempts: 1 }));
  emulator.failNext({ kind: 'slow', ms: 5_000 });
  const error = await catchError(createEmbedder().embed(['cat'], { attempts: 1, timeoutMs: 100 }));
  expect(error.message).toContain('within 0.1 s');
  expect(emulator.ledger).toHaveLength(2);
});

test('a refused key is reported at once, and no message contains it', async () => {
  const secret = 'sk-wrong-secret-9876543210';
  const error = await catchError(createEmbedder({ apiKey: secret }).embed(['cat']));
  expect(error).toMatchObject({ code: 'upstream_failed', message: expect.stringContaining('401') });
  expect(JSON.stringify([error.message, String(error.cause), error.stack])).not.toContain(secret);
  expect(emulator.ledger).toHaveLength(1);
});

test('texts that the embedder refuses are distinguished from its own errors', async () => {
  emulator.refuseWord = 'enormous';
  expect(await catchError(createEmbedder().embed(['an enormous text']))).toBeInstanceOf(TextRefused);
  emulator.failAlways({ kind: 'status', status: 404 });
  expect(await catchError(createEmbedder().embed(['cat']))).not.toBeInstanceOf(TextRefused);
});

type Data = { index: number; embedding: unknown }[];
test.each<[string, (data: Data) => unknown, string]>([
  ['too few vectors', (data) => data.slice(1), '1 vectors for 2 texts'],
  ['too many vectors', (data) => [...data, data[0]], '3 vectors for 2 texts'],
  ['the same index twice', (data) => data.map((entry) => ({ ...entry, index: 0 })), 'indexes'],
  ['an index that is none', (data) => data.map((entry) => ({ ...entry, index: 'length' })), 'indexes'],
  ['no vector', (data) => data.map((entry) => ({ ...entry, embedding: null })), 'missing'],
  ['an empty vector', (data) => data.map((entry) => ({ ...entry, embedding: [] })), 'missing'],
  ['null among numbers', (data) => data.map((entry) => ({ ...entry, embedding: [1, null, 3] })), 'not a number'],
  ['a number beyond all floats', (data) => data.map((entry) => ({ ...entry, embedding: [1e300, 1] })), 'finite'],
  ['only zeros', (data) => data.map((entry) => ({ ...entry, embedding: [0, 0] })), 'zeros'],
  [
    'vectors of two lengths',
    ([first, ...rest]) => [{ ...first, embedding: [1, 2] }, ...rest],
    '8 numbers instead of 2',
  ],
  ['no list', () => ({}), '`data`'],
])('an answer with %s is refused', async (_name, change, said) => {
  emulator.failNext({ kind: 'answer', change });
  const error = await catchError(createEmbedder().embed(['cat', 'dog']));
  expect(error).toMatchObject({ code: 'upstream_failed', message: expect.stringContaining(said) });
});

test('a length other than the configured or learned one is refused', async () => {
  const shorter = {
    kind: 'answer',
    change: (data: Data) => data.map((entry) => ({ ...entry, embedding: [1] })),
  } as const;
  emulator.failNext(shorter);
  expect((await catchError(createEmbedder({ dimensions: 8 }).embed(['cat']))).message).toContain(
    '1 numbers instead of 8',
  );
  expect((await catchError(createEmbedder({ model: 'text-embedding-3-small' }).embed(['cat']))).message).toContain(
    '1536',
  );
  const embedder = createEmbedder();
  await embedder.embed(['cat']);
  emulator.failNext(shorter);
  expect((await catchError(embedder.embed(['cat']))).message).toContain('DIMENSIONS and THALAMUS_EMBEDDINGS_MODEL');
});

test('an answer that is not JSON and an address without a server are clear errors', async () => {
  const page = createHttpEmbedder(egress, {
    baseUrl: emulator.baseUrl.replace('/v1', '/v2'),
    model: 'm',
    apiKey,
    dimensions: null,
  });
  expect((await catchError(page.embed(['cat']))).message).toContain('no such endpoint');
  await emulator.close();
  const error = await catchError(createEmbedder().embed(['cat'], { attempts: 1 }));
  expect(error).toMatchObject({ code: 'upstream_failed', message: expect.stringContaining('is not reachable') });
});

/** Another implementation of the protocol, by other authors. */
const mock = new LLMock({ port: 0 });
beforeAll(() => mock.start());
afterAll(() => mock.stop());

test('another server of the protocol is understood', async () => {
  const settings = { baseUrl: `${mock.url}/v1`, model: 'text-embedding-3-small', apiKey: 'any', dimensions: null };
  const embedder = createHttpEmbedder(egress, settings);
  const [one, two, again] = await embedder.embed(['one', 'two', 'one']);
  expect(one).toHaveLength(1536);
  expect(one).toEqual(again);
  expect(one).not.toEqual(two);
  const [short] = await createHttpEmbedder(egress, { ...settings, dimensions: 256 }).embed(['one']);
  expect(short).toHaveLength(256);
});
