import { Worker } from 'node:worker_threads';
import { afterEach, expect, test } from 'vitest';
import { createSkippedRows } from './row-guard.ts';
import { createWorkerClient } from './worker-client.ts';
import type { WorkerClient } from './worker-client.ts';

const query = { workspaceId: 'w', brainIds: [], text: '', limit: 1, offset: 0 };
const clients: WorkerClient[] = [];
const started: Worker[] = [];

/** Starts threads with the given programs one after another, and repeats the last one. */
function createClient(...programs: string[]): WorkerClient {
  const start = (marks: SharedArrayBuffer, skippedRows: readonly string[]) => {
    const program = programs[Math.min(started.length, programs.length - 1)]!;
    const source = `require('node:worker_threads').parentPort.on('message', function (request) {
      if (request === 'close') return this.close();
      ${program}
    })`;
    const worker = new Worker(source, { eval: true, workerData: { marks, skippedRows } });
    started.push(worker);
    return worker;
  };
  const client = createWorkerClient({ start, budget: { ofCallMs: 300, ofRowMs: 300, ofOtherMs: 600 } });
  clients.push(client);
  return client;
}

/** Ticks like the real thread, and marks the call that it computes, which for some texts never ends. */
const mayHang = `
  const { marks, skippedRows } = require('node:worker_threads').workerData;
  const cells = new Int32Array(marks, 0, 3);
  Atomics.add(cells, 0, 1);
  const { number, query: { text } } = request;
  if (text === 'unmarked') for (;;);
  Atomics.store(cells, 1, number);
  if (text === 'hangs') for (;;);
  Atomics.store(cells, 1, 0);
  this.postMessage({ number, answer: text });`;
const answers = 'this.postMessage({ number: request.number, answer: request.query.text })';
const dies = "throw new Error('out of order')";

afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
  started.splice(0);
});

test('calls are answered, each with its own answer', async () => {
  const client = createClient(answers);
  const texts = ['a', 'b', 'c'];
  expect(await Promise.all(texts.map((text) => client.call('find', { ...query, text })))).toEqual(texts);
  expect(started).toHaveLength(1);
});

test('a thread that dies is started again and its calls are answered', async () => {
  const client = createClient(dies, answers);
  const calls = ['a', 'b'].map((text) => client.call('find', { ...query, text }));
  expect(await Promise.all(calls)).toEqual(['a', 'b']);
  expect(started).toHaveLength(2);
});

test('a call that kills two threads fails with unavailable, and the next call is tried again', async () => {
  const client = createClient(dies, dies, answers);
  const cause = expect.objectContaining({ message: 'out of order' });
  await expect(client.call('find', query)).rejects.toMatchObject({ code: 'unavailable', cause });
  expect(await client.call('find', { ...query, text: 'a' })).toBe('a');
});

test('an error in the thread fails that call only', async () => {
  const client = createClient(`if (request.query.text) ${answers}
    else this.postMessage({ number: request.number, failure: { message: 'no rows' } })`);
  const failing = client.call('find', query);
  await expect(failing).rejects.toMatchObject({ code: 'unavailable', cause: { message: 'no rows' } });
  expect(await client.call('find', { ...query, text: 'a' })).toBe('a');
  expect(started).toHaveLength(1);
});

test('closing fails unanswered and later calls, and ends the thread', async () => {
  const client = createClient('');
  const waiting = client.call('find', query);
  const failed = expect(waiting).rejects.toMatchObject({ code: 'unavailable' });
  await client.close();
  await failed;
  await expect(client.call('find', query)).rejects.toMatchObject({ code: 'unavailable' });
  expect(started[0]?.threadId).toBe(-1);
});

test('a call that computes too long fails alone, and a new thread answers the others', async () => {
  const client = createClient(mayHang);
  const find = (text: string) => client.call('find', { ...query, text });
  expect(await find('a')).toBe('a');
  const hanging = find('hangs');
  const waiting = [find('b'), find('c')];
  await expect(hanging).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('took too long'),
  });
  expect(await Promise.all(waiting)).toEqual(['b', 'c']);
  expect(started).toHaveLength(2);
  expect(await find('d')).toBe('d');
});

test('a thread that hangs for another reason is restarted, and a call that hangs it twice fails', async () => {
  const client = createClient(mayHang);
  await expect(client.call('find', { ...query, text: 'unmarked' })).rejects.toMatchObject({ code: 'unavailable' });
  expect(started).toHaveLength(2);
  expect(await client.call('find', { ...query, text: 'a' })).toBe('a');
});

/** Indexes a row first, as a load does; endlessly, unless the row is to be skipped. */
const buildIndexingProgram = (ending: string) => `
  const { marks, skippedRows } = require('node:worker_threads').workerData;
  const cells = new Int32Array(marks, 0, 3);
  Atomics.add(cells, 0, 1);
  new Uint8Array(marks, 12).set(Buffer.from('row 7'));
  Atomics.store(cells, 2, 5);
  if (!skippedRows.includes('row 7')) ${ending}
  Atomics.store(cells, 2, 0);
  this.postMessage({ number: request.number, answer: skippedRows });`;

test.each([
  ['holds up', 'for (;;);'],
  ['kills', "throw new Error('out of memory')"],
])('a row that %s the thread is skipped by the next thread, which answers', async (_, ending) => {
  const client = createClient(buildIndexingProgram(ending));
  expect(await client.call('find', query)).toEqual(['row 7']);
  expect(started).toHaveLength(2);
  expect(await client.call('find', query)).toEqual(['row 7']);
});

test('a skipped row is tried again after an hour', () => {
  let now = 0;
  const skipped = createSkippedRows(() => now);
  skipped.add('row 7');
  now = 60 * 60 * 1_000 - 1;
  expect(skipped.list()).toEqual(['row 7']);
  now += 1;
  expect(skipped.list()).toEqual([]);
});
