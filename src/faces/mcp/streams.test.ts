import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../../tests/support/server.ts';
import { createOpenAnswers } from './open-answers.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

async function open(key: string, signal: AbortSignal): Promise<number> {
  const headers = { authorization: `Bearer ${key}`, accept: 'text/event-stream' };
  return (await server.request('/sse', { headers, signal })).status;
}

test('a key with many open event streams leaves streams to others, and may open new ones after it closed its own', async () => {
  const { key } = await server.ok('create_key', { label: 'other' });
  const [held, more] = [new AbortController(), new AbortController()];
  const statuses = await Promise.all(Array.from({ length: 25 }, () => open(server.key, held.signal)));
  expect(statuses.filter((status) => status === 200)).toHaveLength(20);
  expect(statuses.filter((status) => status === 429)).toHaveLength(5);
  expect(await open(String(key), more.signal)).toBe(200);
  held.abort();
  await expect.poll(() => open(server.key, more.signal)).toBe(200);
  more.abort();
});

const createStreamResponse = () =>
  new Response(new ReadableStream(), { headers: { 'content-type': 'text/event-stream' } });

test('a caller with 100 streaming answers is refused before anything runs, and another caller is not', async () => {
  const answers = createOpenAnswers();
  const open = Array.from({ length: 100 }, () => answers.counted('greedy', createStreamResponse()));
  expect(() => answers.check('greedy')).toThrow(/100 streaming answers/);
  answers.check('other');
  await open[0]?.body?.cancel();
  answers.check('greedy');
});

test('an answer that ends or breaks is no longer counted', async () => {
  const answers = createOpenAnswers();
  const headers = { 'content-type': 'text/event-stream' };
  for (let at = 0; at < 150; at += 1) {
    answers.check('caller');
    const broken = new ReadableStream({ start: (controller) => controller.error(new Error('broken')) });
    const answer = answers.counted('caller', new Response(at % 2 ? 'data: x\n\n' : broken, { headers }));
    await answer.text().catch(() => {});
  }
});
