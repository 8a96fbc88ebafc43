import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = dirname(import.meta.dirname);
const scripts = {
  'show-process.ts': `const shown: string = JSON.stringify([process.versions.node, process.argv.slice(2)]);
    console.log(shown);`,
  'exit-with.ts': `process.exit(Number(process.argv[2]));`,
  'stop-gracefully.ts': `for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => setTimeout(() => (console.log('stopped by ' + signal), process.exit(3)), 50));
    setInterval(() => {}, 1_000);
    console.log('ready');`,
  'die-of-signals.ts': `setInterval(() => {}, 1_000);
    console.log('ready');`,
};

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'thalamus-bootstrap-'));
  await Promise.all(Object.entries(scripts).map(([name, code]) => writeFile(join(folder, name), code)));
});

afterAll(() => rm(folder, { recursive: true }));

test('a script runs on Node 24 or newer and gets its arguments unchanged', async () => {
  const run = start('show-process.ts', 'one', '--two', 'with spaces');
  const [version, args] = JSON.parse((await run.ended).output.join(''));
  expect(Number.parseInt(version, 10)).toBeGreaterThanOrEqual(24);
  expect(args).toEqual(['one', '--two', 'with spaces']);
});

test.for([0, 1, 42])('the starter passes the exit code %i through', async (code) => {
  expect(await start('exit-with.ts', String(code)).ended).toMatchObject({ code, signal: null });
});

test.for(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  'the signal %s reaches the script, which may stop gracefully',
  async (signal) => {
    const run = start('stop-gracefully.ts');
    await run.isReady;
    run.child.kill(signal);
    expect(await run.ended).toEqual({ code: 3, signal: null, output: ['ready', `stopped by ${signal}`] });
  },
);

test('a script that dies of a signal makes the starter die of the same signal', async () => {
  const run = start('die-of-signals.ts');
  await run.isReady;
  run.child.kill('SIGTERM');
  expect(await run.ended).toMatchObject({ code: null, signal: 'SIGTERM' });
});

test('without a script the starter shows its usage and exits with an error', async () => {
  expect(await start().ended).toMatchObject({ code: 1 });
});

function start(script?: string, ...args: string[]) {
  const command = [join(root, 'bin/run.mjs'), ...(script ? [join(folder, script), ...args] : [])];
  const child = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'ignore'] });
  const lines = createInterface({ input: child.stdout });
  const output: string[] = [];
  lines.on('line', (line) => output.push(line));
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal, output }));
  return { child, ended, isReady: once(lines, 'line') };
}
