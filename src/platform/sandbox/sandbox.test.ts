import { decodeHeader } from '#platform/mime';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { startChild, type Child } from './child.ts';
import { findInstalledDeno } from './deno.ts';
import { createSandbox, SandboxUnavailable } from './index.ts';
import { createPool } from './pool.ts';

const turn = { kind: 'run' as const, of: 'ada' };
const sandbox = createSandbox();
afterAll(() => sandbox.close());

test('the sandbox runs TypeScript with top-level await and return, arguments and calls to the host', async () => {
  const result = await sandbox.run({
    turn,
    source: `
import { brains, env as e } from "https://brains/sdks/automation-sdk-v1.ts";
import type { Board } from "https://example.com/sdks/automation-sdk-v1.ts";
type Row = { n: number };
const row: Row = { n: (args as any).n };
console.log("hello", row);
console.error("careful");
const board = await brains.get_board({ name: "CRM" });
if (board.id) return { id: board.id, name: e.NAME, n: row.n };
throw new Error("not reached");`,
    args: { n: 3 },
    variables: { NAME: 'sec_1' },
    host: { operation: async (params) => ({ id: 'b1', asked: params }) },
  });
  expect(result).toMatchObject({
    status: 'succeeded',
    reason: null,
    exitCode: 0,
    value: { id: 'b1', name: 'sec_1', n: 3 },
  });
  expect(result.stdout).toBe('hello { n: 3 }\n');
  expect(result.stderr).toBe('careful\n');
});

test('an error has its message and line, and no address', async () => {
  const result = await sandbox.run({ turn, source: 'const a = 1;\n\nthrow new TypeError("bad " + a);', host: {} });
  expect(result).toMatchObject({
    status: 'failed',
    reason: null,
    exitCode: 1,
    error: { name: 'TypeError', message: 'bad 1' },
  });
  expect(result.error?.stack).toContain('main.ts:3:');
  expect(JSON.stringify(result)).not.toContain('base64');
});

test('a syntax error, or an import other than the SDK, is reported as an error of the code', async () => {
  expect(await sandbox.run({ turn, source: 'const = 1', host: {} })).toMatchObject({ status: 'failed' });
  const other = await sandbox.run({ turn, source: 'import x from "npm:left-pad";', host: {} });
  expect(other.error?.message).toContain('only the SDK');
});

test('errors of the host reach the code with their code', async () => {
  const refused = Object.assign(new Error('No such board.'), { code: 'not_found' });
  const { value } = await sandbox.run({
    turn,
    source: 'try { await brains.get_board({}) } catch (e) { return [e.code, e.message] }',
    host: { operation: () => Promise.reject(refused) },
  });
  expect(value).toEqual(['not_found', 'No such board.']);
});

test('a run waits for calls that its code did not await', async () => {
  const asked: unknown[] = [];
  await sandbox.run({
    turn,
    source: 'brains.note({ n: 1 });',
    host: { operation: async (params) => void asked.push(params) },
  });
  expect(asked).toEqual([{ name: 'note', input: { n: 1 } }]);
});

test('processes are shared within a trust domain and never between two', async () => {
  const leave = { source: 'globalThis.left = (globalThis.left ?? 0) + 1; return globalThis.left', host: {} };
  expect((await sandbox.run({ turn, ...leave, domain: 'a' })).value).toBe(1);
  expect((await sandbox.run({ turn, ...leave, domain: 'a' })).value).toBe(2);
  expect((await sandbox.run({ turn, ...leave, domain: 'b' })).value).toBe(1);
  expect((await sandbox.run({ turn, ...leave })).value).toBe(1);
  expect((await sandbox.run({ turn, ...leave })).value).toBe(1);
});

test('fetch goes through the host', async () => {
  const { value } = await sandbox.run({
    turn,
    source: `const r = await fetch("https://api.example.com/x", { method: "POST", headers: { a: "b" }, body: "hi" });
return [r.status, await r.json(), r.url];`,
    host: { fetch: async (params) => ({ status: 201, headers: {}, json: params }) },
  });
  const asked = {
    method: 'POST',
    url: 'https://api.example.com/x',
    body: 'hi',
    headers: expect.objectContaining({ a: 'b' }),
  };
  expect(value).toEqual([201, asked, 'https://api.example.com/x']);
});

test('helpers encode as their names say', async () => {
  const { value } = await sandbox.run({
    turn,
    source:
      'const h = env.helpers; return [h.base64utf8("é?"), h.base64url("é?>"), h.rfc2047("é"), h.escapeHtml("<a>")]',
    host: {},
  });
  expect(value).toEqual(['w6k/', 'w6k_Pg', '=?utf-8?B?w6k=?=', '&#60;a&#62;']);
});

test('a header is encoded in words of at most 75 characters, each of whole characters, and plain text stays', async () => {
  const texts = ['two  words', '\u{1f389} ä'.repeat(30), '=?utf-8?Q?as_written?='];
  const { value } = await sandbox.run({
    turn,
    source: `return ${JSON.stringify(texts)}.map(env.helpers.rfc2047)`,
    host: {},
  });
  const headers = value as string[]; // the program answers with text
  expect(headers[0]).toBe('two  words');
  expect(headers.map(decodeHeader)).toEqual(texts);
  const words = headers.slice(1).flatMap((header) => header.split(' '));
  expect(words.every((word) => word.length <= 75 && /^=\?utf-8\?B\?[\w+/=]+\?=$/.test(word))).toBe(true);
  expect(words.some((word) => decodeHeader(word).includes('\ufffd'))).toBe(false);
});

test('an aborted run ends at once', async () => {
  const stop = new AbortController();
  const result = await sandbox.run({
    turn,
    source: 'console.log("on"); for (;;);',
    host: {},
    signal: stop.signal,
    onOutput: () => stop.abort(),
  });
  expect(result).toMatchObject({ status: 'killed', reason: 'aborted', stdout: 'on\n' });
});

test('without Deno a run and the check give the reason', async () => {
  const without = createSandbox({ findDeno: () => '/nonexistent/deno' });
  await expect(without.run({ turn, source: '', host: {} })).rejects.toThrow(SandboxUnavailable);
  await expect(without.check()).rejects.toThrow('cannot run');
  expect(await sandbox.check()).toContain('Deno runs');
});

test.for([
  ['cpu_limit', 'for (;;);', { cpuMs: 100 }],
  [
    'memory_limit',
    'const kept = []; for (;;) { kept.push(new Uint8Array(4_000_000).fill(1)); await null; }',
    { memoryMb: 200 },
  ],
  ['memory_limit', 'const kept = []; for (;;) kept.push(Array(1_000).fill(kept.length));', {}],
  ['call_limit', 'for (;;) await brains.note({});', { calls: 3 }],
] as const)('a run that exceeds a limit is killed for %s: %s', async ([reason, source, limits]) => {
  const result = await sandbox.run({
    turn,
    source,
    host: { operation: async () => 1 },
    limits: { wallMs: 60_000, ...limits },
  });
  expect(result).toMatchObject({ status: 'killed', reason, exitCode: null });
});

test('output beyond its limit is cut with a mark, in each of the two streams', async () => {
  const parts: string[] = [];
  const { status, stdout, stderr } = await sandbox.run({
    turn,
    source: 'console.log("x".repeat(30)); console.log("never"); console.error("few"); return 1',
    host: {},
    limits: { outputBytes: 20 },
    onOutput: (_stream, text) => parts.push(text),
  });
  expect({ status, stdout, stderr }).toEqual({
    status: 'succeeded',
    stdout: `${'x'.repeat(20)}\n… cut after 20 characters\n`,
    stderr: 'few\n',
  });
  expect(parts.join('')).toBe(stdout + stderr);
});

test('the pool keeps as many processes as ran at once, and empties when nothing runs', async () => {
  const started: Child[] = [];
  let at = 0;
  const start = () => {
    const child = startChild(findInstalledDeno());
    started.push(child);
    return child;
  };
  const pool = createPool(start, { mostFresh: 2, mostUsed: 1, now: () => at });
  const running = [pool.take(null), pool.take('a'), pool.take('a')];
  await expect.poll(() => started.length).toBe(5); // three run, and two wait
  const [alone, first, second] = running;
  if (!alone || !first || !second) throw new Error('three were taken');
  await pool.end(alone);
  pool.giveBack(first, 'a');
  pool.giveBack(second, 'a');
  await expect.poll(() => second.hasEnded()).toBe(true); // one more than is kept for domains
  const left = () => started.filter((child) => !child.hasEnded()).length;
  expect(left()).toBe(3);
  at += 16_000;
  pool.sweep();
  await expect.poll(left).toBe(1); // the domain's process and an unused one have ended
  at += 60_000;
  pool.sweep();
  await expect.poll(left).toBe(0);
  await pool.close();
});

test.runIf(existsSync('/usr/bin/setpriv') && existsSync('/usr/bin/prlimit'))(
  'a process has limits of the kernel, and ends with its server',
  async () => {
    const start = `import { startChild } from '${new URL('child.ts', import.meta.url).href}';
import { findInstalledDeno } from '${new URL('deno.ts', import.meta.url).href}';

setInterval(() => {}, 1_000);
const child = startChild(findInstalledDeno());
await child.ready;
console.log(child.pid);`;
    const server = spawn(process.execPath, ['--input-type=module', '--eval', start]);
    const [line] = (await once(server.stdout, 'data')) as [Buffer];
    const folder = `/proc/${line.toString().trim()}`;
    const limits = readFileSync(`${folder}/limits`, 'utf8');
    for (const limit of [
      /Max data size +800000000 /,
      /Max cpu time +900 /,
      /Max file size +0 /,
      /Max core file size +0 /,
    ])
      expect(limits).toMatch(limit);
    server.kill('SIGKILL');
    await expect.poll(() => existsSync(folder)).toBe(false);
  },
);

test('idle runs of one person delay neither the tests nor the translations of another', async () => {
  const own = createSandbox({ mostAtOnce: 2 });
  const ended = new AbortController();
  const idle = { source: 'await new Promise(() => {})', host: {}, signal: ended.signal };
  const runs = Array.from({ length: 6 }, () => own.run({ ...idle, turn }));
  const tests = Array.from({ length: 2 }, () => own.run({ ...idle, turn: { kind: 'test', of: 'ada' } }));
  for (const kind of ['test', 'translation'] as const) {
    const others = await own.run({ turn: { kind, of: 'grace' }, source: 'return 1', host: {} });
    expect(others.value).toBe(1);
  }
  ended.abort();
  await Promise.all([...runs, ...tests]);
  await own.close();
}, 30_000);
