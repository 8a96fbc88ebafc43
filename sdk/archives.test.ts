import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../tests/support/server.ts';
import { sendArchive } from './archives.ts';
import { createClient } from './index.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

/** A client whose calls of these operations are first refused, as when the minute of its key is used up. */
function createBusyClient(retryAfter: number, operations: string[]) {
  const open = new Set(operations);
  const slowly: typeof fetch = (url, init) => {
    const name = String(url).split('/').at(-1) ?? '';
    if (!open.delete(name)) return fetch(url, init);
    const problem = { code: 'rate_limited', detail: 'Too many calls.', details: { retry_after: retryAfter } };
    return Promise.resolve(Response.json(problem, { status: 429 }));
  };
  return createClient({ url: server.url, key: server.key, fetch: slowly }).call;
}

function createArchive(name: string) {
  const about = { is_personal: false, description: '', routing_rules: '', language: 'en' };
  const brain = { parent: null, name, created_at: '2026-01-01T00:00:00Z', ...about };
  const lines = [
    { format: 'thalamus-archive', version: 1 },
    { kind: 'brain', brain: 1, item: brain },
    { end: true, lines: 3 },
  ].map((line) => JSON.stringify(line));
  const sha256 = createHash('sha256')
    .update(`${lines.join('\n')}\n`)
    .digest('hex');
  const read = async function* () {
    yield* lines;
  };
  return { sha256, lines: lines.length, read };
}

test('an archive is sent to its end after the server asked to wait', async () => {
  const call = createBusyClient(0.02, ['start_import', 'add_import_lines', 'finish_import']);
  const progress: number[] = [];
  const sent = await sendArchive(call, createArchive('Sent Brain'), { onProgress: (lines) => progress.push(lines) });
  expect(sent).toMatchObject({ isNew: true, brain_ids: [expect.any(String)], stored: { brain: 1 } });
  expect(progress).toEqual([0, 3]);
  expect(await sendArchive(call, createArchive('Sent Brain'))).toEqual({ isNew: false, brain_ids: sent.brain_ids });
});

test('cancelling ends the wait for the server', async () => {
  const stop = new AbortController();
  const sending = sendArchive(createBusyClient(3_600, ['add_import_lines']), createArchive('Never'), {
    signal: stop.signal,
    onProgress: () => setTimeout(() => stop.abort(), 50),
  });
  await expect(sending).rejects.toMatchObject({ name: 'AbortError' });
});
