import { expect, test } from 'vitest';
import { readBody } from './webhooks.ts';

const limits = { mostBytes: 1_000, readMs: 50 };
const headers = new Headers();

function bodyOf(pieces: readonly number[], pauseMs: number): ReadableStream<Uint8Array<ArrayBuffer>> {
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
  expect(await readBody({ body: bodyOf([400, 600], 0), headers }, limits)).toEqual({
    body: Buffer.alloc(1_000),
    unread: null,
  });
  expect(await readBody({ body: bodyOf([400, 601], 0), headers }, limits)).toEqual({ body: null, unread: 'too_large' });
  const declared = new Headers({ 'content-length': '1001' });
  expect(await readBody({ body: bodyOf([1], 0), headers: declared }, limits)).toEqual({
    body: null,
    unread: 'too_large',
  });
  const slow = bodyOf([1, 1, 1, 1, 1, 1], 30);
  expect(await readBody({ body: slow, headers }, limits)).toEqual({ body: null, unread: 'too_slow' });
});
