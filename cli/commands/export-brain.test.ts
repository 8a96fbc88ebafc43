import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../tests/support/server.ts';

const run = promisify(execFile);
const main = join(import.meta.dirname, '../main.ts');

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

test('a brain of several pages becomes one line of JSON for each item', async () => {
  const { brain_id } = await server.ok('create_brain', { name: 'Exported' });
  const contents = Array.from({ length: 1_100 }, (_, n) => `Memory number ${n}`);
  for (let begin = 0; begin < contents.length; begin += 100) {
    const memories = contents.slice(begin, begin + 100).map((content) => ({ content }));
    await server.ok('add_memories_bulk', { memories, target_brain_id: brain_id });
  }
  const env = {
    PATH: process.env['PATH'],
    HOME: process.env['HOME'],
    THALAMUS_URL: server.url,
    THALAMUS_KEY: server.key,
  };
  const { stdout, stderr } = await run(process.execPath, [main, 'export-brain', String(brain_id)], {
    env,
    maxBuffer: 10_000_000,
  });
  const lines = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { kind: string; content?: string });
  expect(lines[0]).toMatchObject({ kind: 'brain', name: 'Exported Brain' });
  expect(lines.flatMap(({ content }) => content ?? []).toSorted()).toEqual(contents.toSorted());
  expect(stderr).toBe(`${lines.length} lines.\n`);
});
