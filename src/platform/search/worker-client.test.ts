import { Worker } from 'node:worker_threads';
import { afterEach, expect, test } from 'vitest';
import { createWorkerClient } from './worker-client.ts';
import type { WorkerClient } from './worker-client.ts';

const query = { workspaceId: 'w', brainIds: [], text: '', limit: 1, offset: 0 };
const clients: WorkerClient[] = [];
const started: Worker[] = [];

/** Starts threads with the given programs, one after the other, the last one again and again. */
function clientOf(...programs: string[]): WorkerClient {
  const start = (marks: SharedArrayBuffer) => {
    const program = programs[Math.min(started.length, programs.length - 1)]!;
    const source = `require('node:worker_threads').parentPort.on('message', function (request) {
      if (request === 'close') return this.close();
      ${program}
    })`;
    const worker = new Worker(source, { eval: true, workerData: marks });
    started.push(worker);
    return worker;
  };
  const client = createWorkerClient({ start, budget: { ofCallMs: 300, ofOtherMs: 600 } });
  clients.push(client);
  return client;
}

/** Ticks as the real thread does, and marks the call that it computes, which for some texts has no end. */
const mayHang = `
  const cells = new Int32Array(require('node:worker_threads').workerData);
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
  const client = clientOf(answers);
  const texts = ['a', 'b', 'c'];
  expect(await Promise.all(texts.map((text) => client.call('find', { ...query, text })))).toEqual(texts);
  expect(started).toHaveLength(1);
});

test('a thread that dies is started again and its calls are answered', async () => {
  const client = clientOf(dies, answers);
  const calls = ['a', 'b'].map((text) => client.call('find', { ...query, text }));
  expect(await Promise.all(calls)).toEqual(['a', 'b']);
  expect(started).toHaveLength(2);
});

test('a call that kills two threads fails with unavailable, and the next call is tried again', async () => {
  const client = clientOf(dies, dies, answers);
  const cause = expect.objectContaining({ message: 'out of order' });
  await expect(client.call('find', query)).rejects.toMatchObject({ code: 'unavailable', cause });
  expect(await client.call('find', { ...query, text: 'a' })).toBe('a');
});

test('an error in the thread fails that call only', async () => {
  const client = clientOf(`if (request.query.text) ${answers}
    else this.postMessage({ number: request.number, failure: { message: 'no rows' } })`);
  const failing = client.call('find', query);
  await expect(failing).rejects.toMatchObject({ code: 'unavailable', cause: { message: 'no rows' } });
  expect(await client.call('find', { ...query, text: 'a' })).toBe('a');
  expect(started).toHaveLength(1);
});

test('closing fails unanswered and later calls, and ends the thread', async () => {
  const client = clientOf('');
  const waiting = client.call('find', query);
  const failed = expect(waiting).rejects.toMatchObject({ code: 'unavailable' });
  await client.close();
  await failed;
  await expect(client.call('find', query)).rejects.toMatchObject({ code: 'unavailable' });
  expect(started[0]?.threadId).toBe(-1);
});

test('a call that computes too long fails alone, and a new thread answers the others', async () => {
  const client = clientOf(mayHang);
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
  const client = clientOf(mayHang);
  await expect(client.call('find', { ...query, text: 'unmarked' })).rejects.toMatchObject({ code: 'unavailable' });
  expect(started).toHaveLength(2);
  expect(await client.call('find', { ...query, text: 'a' })).toBe('a');
});
