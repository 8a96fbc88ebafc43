import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { signInWith } from '../../tests/support/google.ts';
import { createTestDatabase } from '../../tests/support/postgres.ts';
import { buildServerSettings, startServerProcess, type ServerProcess } from '../../tests/support/server-process.ts';

const key = `cm_${'signsin1'.repeat(5)}`;
const command = `"${process.execPath}" "${join(import.meta.dirname, '../main.ts')}" sign-in`;

let server: ServerProcess;
let settings: Record<string, string>;
let dropDatabase: () => Promise<void>;
vi.setConfig({ testTimeout: 60_000 }); // each command is a separate process
beforeAll(async () => {
  const database = await createTestDatabase();
  dropDatabase = database.drop;
  settings = buildServerSettings(database.connectionString);
  server = await startServerProcess(settings, key);
});
afterAll(async () => {
  await server.stop();
  await dropDatabase();
});

/** Runs it in a separate shell, at a terminal where `typed` is the input. */
async function run(line: string, typed: string | null) {
  const [file, args] =
    typed === null ? ['sh', ['-c', line]] : ['script', ['-qec', `stty cols 200; ${line}`, '/dev/null']];
  const env = { PATH: process.env['PATH'], HOME: '/nonexistent', TERM: 'dumb', THALAMUS_KEY: key, ...settings };
  const reached = { THALAMUS_URL: server.url, THALAMUS_PUBLIC_URL: server.url };
  const child = spawn(file, args, { env: { ...env, ...reached }, stdio: ['pipe', 'pipe', 'pipe'] });
  const outputs = Promise.all([text(child.stdout), text(child.stderr)]);
  if (typed === null) child.stdin.end();
  // Typed when the command asks for it.
  else child.stdout.on('data', (said: Buffer) => void (said.includes('Create it?') && child.stdin.write(typed)));
  const code = await new Promise<number | null>((resolve) => child.on('exit', resolve));
  child.stdin.end();
  const [stdout, stderr] = await outputs;
  return { code, stdout, stderr };
}
const findLink = (stdout: string) => /http:\S+#tl_[\w-]+/.exec(stdout)?.[0] ?? '';
async function isPerson(link: string): Promise<unknown> {
  const browser = await signInWith(server, link);
  const { caller } = await browser.ok('who_am_i');
  return (caller as { is_human_surface: boolean }).is_human_surface;
}

test('a link that a key created opens a session that is not a person', async () => {
  const { code, stdout, stderr } = await run(command, null);
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('Valid once') });
  expect(await isPerson(findLink(stdout))).toBe(false);
});

test('at a terminal of the server the owner can sign in as a person, once', async () => {
  const { code, stdout } = await run(`${command} --owner`, 'y');
  expect(code, stdout).toBe(0);
  const link = findLink(stdout);
  expect(await isPerson(link)).toBe(true);
  await expect(signInWith(server, link)).rejects.toThrow('signing in answered 401');
});

test('without a confirmation, a terminal or the settings of the server no link is created', async () => {
  const declined = await run(`${command} --owner`, 'n');
  expect(declined).toMatchObject({ code: 2, stdout: expect.stringContaining('No link was created.') });
  expect(findLink(declined.stdout)).toBe('');
  expect(await run(`${command} --owner`, null)).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('Run it at a terminal'),
  });
  const elsewhere = await run(`DATABASE_URL=postgres://nobody@127.0.0.1:1/none ${command} --owner`, 'y');
  expect(elsewhere.code).not.toBe(0);
  expect(findLink(elsewhere.stdout)).toBe('');
});
