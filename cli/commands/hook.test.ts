import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { startTestServer, type TestServer } from '../../tests/support/server.ts';

const main = join(import.meta.dirname, '../main.ts');
const bin = join(import.meta.dirname, '../../bin/thalamus.mjs');
const command = `${process.execPath} ${bin} hook session-start`;
const entry = { hooks: [{ type: 'command', command, timeout: 10 }] };

let server: TestServer;
let compiled: string;
let home: string;
let settings: string;
vi.setConfig({ testTimeout: 120_000 }); // each command is a separate process
beforeAll(async () => {
  server = await startTestServer();
  compiled = await mkdtemp(join(tmpdir(), 'thalamus-compiled-'));
});
afterAll(async () => {
  await server.close();
  await rm(compiled, { recursive: true });
});
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'thalamus home ')); // a path with a space
  settings = join(home, '.claude/settings.json');
  return () => rm(home, { recursive: true });
});

type Ran = { code: number; stdout: string; stderr: string };
const createEnvironment = () => ({
  PATH: process.env['PATH'],
  HOME: home,
  XDG_CONFIG_HOME: join(home, '.config'),
  NODE_COMPILE_CACHE: compiled,
});

function run(args: string[], env: Record<string, string> = {}): Promise<Ran> {
  return new Promise((resolve) => {
    const all = { env: { ...createEnvironment(), ...env } };
    execFile(process.execPath, [main, ...args], all, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });
}
const install = (...args: string[]) => run(['hook', 'install', ...args]);

test('without --write the command prints what to add and where, and writes nothing', async () => {
  const { stdout, stderr } = await install();
  expect(JSON.parse(stdout)).toEqual({ hooks: { SessionStart: [entry] } });
  expect(stderr).toContain(`Add this to ${settings}, or run it again with --write.`);
  expect(stderr).toContain('thalamus login');
  await expect(stat(settings)).rejects.toThrow('ENOENT');
});

test('the hook command runs from any folder with the stored login, and contains no key', async () => {
  const { key } = await server.ok('create_key', { label: 'Agent' });
  await run(['login', '--url', server.url], { THALAMUS_KEY: String(key) });
  const { stderr } = await install('--write');
  expect(stderr).toBe(`Added to ${settings}: ${command}\n`);
  const written = await readFile(settings, 'utf8');
  expect(written).not.toContain('cm_');
  expect(JSON.parse(written)).toEqual({ hooks: { SessionStart: [entry] } });
  const shell = promisify(execFile)('sh', ['-c', command], { cwd: home, env: createEnvironment() });
  expect(await shell).toEqual({ stdout: '', stderr: '' });
});

test.each([
  ['not at all', ''],
  ['half', 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 50\r\n\r\n{'],
])('a server that accepts a call and answers it %s does not delay a session', async (_how, answered) => {
  const silent = createServer((socket) => {
    socket.on('error', () => {}); // the hook disconnects
    socket.on('data', () => socket.write(answered));
  }).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo; // of a server on a port
  const started = Date.now();
  const hookResult = await run(['hook', 'session-start'], {
    THALAMUS_URL: `http://127.0.0.1:${port}`,
    THALAMUS_KEY: 'cm_any',
  });
  silent.close();
  expect(hookResult).toEqual({ code: 0, stdout: '', stderr: expect.stringContaining('thalamus: ') });
  expect(Date.now() - started).toBeLessThan(30_000);
});

test('CLAUDE_CONFIG_DIR sets the folder; the error for broken settings says what to do', async () => {
  const elsewhere = join(home, 'elsewhere');
  await mkdir(elsewhere);
  settings = join(elsewhere, 'settings.json');
  await writeFile(settings, '{ "hooks": ');
  const { code, stderr } = await run(['hook', 'install', '--write'], { CLAUDE_CONFIG_DIR: elsewhere });
  expect([code, stderr]).toEqual([2, expect.stringContaining(`${settings} was not changed: it is not JSON`)]);
  expect(stderr).toContain('Fix it and run this again');
  expect(await readFile(settings, 'utf8')).toBe('{ "hooks": ');
});
