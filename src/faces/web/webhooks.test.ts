import { expect, test } from 'vitest';
import { readBody } from '#faces/rest';
import { createIntakeRoutes } from './webhooks.ts';

const room = { bytes: 1_500 };
const limits = { mostBytes: 1_000, readMs: 50, room };
const headers = new Headers();

function createSlowBody(pieces: readonly number[], pauseMs: number): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({
    async start(controller) {
      for (const size of pieces) {
        controller.enqueue(new Uint8Array(size));
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
      }
      controller.close();
    },
  });
}

test('the server reads a whole body, and refuses a slow or large one', async () => {
  expect(await readBody({ body: createSlowBody([400, 600], 0), headers }, limits)).toEqual({
    body: Buffer.alloc(1_000),
    unread: null,
  });
  expect(await readBody({ body: createSlowBody([400, 601], 0), headers }, limits)).toEqual({
    body: null,
    unread: 'too_large',
  });
  const declared = new Headers({ 'content-length': '1001' });
  expect(await readBody({ body: createSlowBody([1], 0), headers: declared }, limits)).toEqual({
    body: null,
    unread: 'too_large',
  });
  room.bytes = 1_500; // the first body was answered
  const slow = createSlowBody([1, 1, 1, 1, 1, 1], 30);
  expect(await readBody({ body: slow, headers }, limits)).toEqual({ body: null, unread: 'too_slow' });
  expect(room.bytes).toBe(1_500);
});

test('concurrent bodies share the same memory limit, and release it afterwards', async () => {
  room.bytes = 1_500;
  const [slow, late] = [createSlowBody([800, 1, 1, 1], 15), createSlowBody([800], 0)];
  const reading = readBody({ body: slow, headers }, { ...limits, readMs: 5_000 });
  expect(await readBody({ body: late, headers }, limits)).toEqual({ body: null, unread: 'too_busy' });
  expect((await reading).body).toHaveLength(803);
  expect(room.bytes).toBe(1_500 - 803);
});

test('HEAD answers whether an address exists', async () => {
  const app = createIntakeRoutes({
    receive: () => Promise.reject(new Error('no event was sent')),
    isKnown: async (slug) => slug === 'known',
    mostBytes: 1_000,
    perMinute: 10,
    now: () => new Date(),
  });
  app.onError((_error, c) => c.body(null, 404));
  const tried = async (slug: string) => (await app.request(`/v1/webhook/${slug}`, { method: 'HEAD' })).status;
  expect([await tried('known'), await tried('other')]).toEqual([200, 404]);
});
