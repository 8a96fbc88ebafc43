import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../tests/support/server.ts';

const main = join(import.meta.dirname, '../main.ts');
let server: TestServer;
let id: string;

beforeAll(async () => {
  server = await startTestServer();
  const saved = await server.ok('save_automation_draft', {
    name: 'Hello',
    source: 'console.log("hello"); console.error("careful"); if (args.mode === "live") throw new Error("not today");',
    triggers: [{ kind: 'cron', cron: '0 9 * * 1' }],
    tool_grants: [{ tool: 'add_memory' }],
  });
  id = saved.automation_id;
});
afterAll(() => server.close());

function run(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = { PATH: process.env['PATH'], HOME: '/nonexistent', THALAMUS_URL: server.url, THALAMUS_KEY: server.key };
  return new Promise((resolve) => {
    execFile(process.execPath, [main, 'automations', ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });
}

test('a person lists an automation, runs it and reads its output; a failed run sets the exit code', async () => {
  expect((await run('logs', id)).stderr).toContain('has not run yet');
  expect((await run('list')).stdout).toContain('Hello');
  expect(await run('run', id, '--json')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('"status":"succeeded"'),
  });
  expect(await run('logs', id)).toEqual({ code: 0, stdout: 'hello\n', stderr: 'careful\nsucceeded\n' });
  expect(await run('run', id, '--live')).toMatchObject({ code: 1 });
  expect((await run('logs', id)).stderr).toContain('failed: not today');
});

test('the command pauses an automation', async () => {
  await server.ok('update_automation', { automation_id: id, state: 'active' });
  expect((await run('pause', id)).code).toBe(0);
  expect((await server.ok('get_automation', { automation_id: id })).state).toBe('paused');
});
