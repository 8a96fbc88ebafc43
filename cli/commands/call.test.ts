import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startHttpRecorder, type HttpRecorder } from '../../tests/support/http-recorder.ts';
import { startTestServer, type TestServer } from '../../tests/support/server.ts';

const main = join(import.meta.dirname, '../main.ts');
let server: TestServer;
let outside: HttpRecorder;
let host: string;
let folder: string;
beforeAll(async () => {
  outside = await startHttpRecorder();
  server = await startTestServer({ THALAMUS_EGRESS_ALLOW: outside.url });
  host = new URL(outside.url).host;
  folder = await mkdtemp(join(tmpdir(), 'thalamus-call-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await outside.close();
  await server.close();
});

/** Runs `thalamus call` as a person does, in the folder of the files. */
function call(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = { PATH: process.env['PATH'], HOME: '/nonexistent', THALAMUS_URL: server.url, THALAMUS_KEY: server.key };
  return new Promise((resolve) => {
    execFile(process.execPath, [main, 'call', ...args], { env, cwd: folder }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });
}

async function save(name: string, content: string | Buffer): Promise<void> {
  await writeFile(join(folder, name), content);
}

test('a secret is read from a file, without its last line break, and its value is never shown', async () => {
  await save('key.txt', 'sk_live_of_a_file\r\n');
  const { code, stdout, stderr } = await call(
    'automation_secret_set',
    'name=harbour',
    'value=@key.txt',
    `hosts=["${host}"]`,
    '--json',
  );
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(JSON.parse(stdout)).toMatchObject({ name: 'harbour', notice: 'White space at its ends was removed.' });
  const { variables } = await server.ok('list_variables', { var_scope: 'person' });
  const { handle } = variables.find(({ name }) => name === 'harbour') ?? {};
  await server.ok('http_fetch', { url: outside.url, headers: { authorization: `Bearer ${String(handle)}` } });
  expect(outside.requests.at(-1)?.headers.authorization).toBe('Bearer sk_live_of_a_file');
  expect(stdout + stderr).not.toContain('sk_live');
});

test('a file whose secret has an odd character is refused with its place, and a file that is not text gives a clear error', async () => {
  await save('pasted.txt', '\ufeffsk_live_pasted');
  const pasted = await call('automation_secret_set', 'name=harbour', 'value=@pasted.txt');
  expect(pasted.code).toBeGreaterThan(0);
  expect(pasted.stderr).toContain('character 1 is a byte order mark');
  expect(pasted.stderr).not.toContain('sk_live_pasted');
  await save('key.bin', Buffer.from([0x73, 0x6b, 0xff, 0xfe, 0x00]));
  const binary = await call('automation_secret_set', 'name=harbour', 'value=@key.bin');
  expect(binary.code).toBeGreaterThan(0);
  expect(binary.stderr).toContain('key.bin is not UTF-8 text');
});

test('a file that cannot be read is an error that names the field, and @@ begins a text with @', async () => {
  const missing = await call('add_memory', 'content=@missing.md');
  expect(missing.code).toBeGreaterThan(0);
  expect(missing.stderr).toContain(
    'content: the file missing.md cannot be read. content=@file reads a file; for text that begins with @, write content=@@missing.md.',
  );
  const { code, stdout } = await call('add_memory', 'content=@@grace paints the crane', '--json');
  expect(code).toBe(0);
  const { id } = JSON.parse(stdout) as { id: string };
  expect((await server.ok('get_memory', { id })).memory.content).toBe('@grace paints the crane');
});

test("a file's content is converted to the type of its field", async () => {
  await save('hosts.json', `["${host}", "api.harbour.example"]`);
  const { stdout } = await call('automation_secret_set', 'name=pier', 'value=@@sk_1', 'hosts=@hosts.json', '--json');
  expect(JSON.parse(stdout)).toMatchObject({ hosts: [host, 'api.harbour.example'] });
});
