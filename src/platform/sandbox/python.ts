// Python in the sandbox: Pyodide in Deno. Deno may read Pyodide's own folder and nothing else.
import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { startChild, type Child } from './child.ts';
import { buildModuleUrl, buildInsideUrl, buildCommand, environment, SandboxUnavailable } from './deno.ts';

const mostBytes = 100_000_000;
const mostMs = 60_000;

/**
 * Takes a snapshot of Python's memory after its start, which takes a few seconds. Each process then starts from the
 * snapshot. Returns a function that starts a process. Throws `SandboxUnavailable` where Pyodide does not run.
 */
export async function preparePython(deno: string): Promise<() => Child> {
  const folder = dirname(createRequire(import.meta.url).resolve('pyodide/package.json'));
  const inside = buildInsideUrl(new URL('inside/python.ts', import.meta.url));
  const memory = await takeSnapshot(deno, folder, inside);
  const special = { mayRead: folder, args: [inside, folder, String(memory.length)] };
  return () => startChild(deno, special, memory);
}

async function takeSnapshot(deno: string, folder: string, inside: string): Promise<Buffer> {
  const main = buildModuleUrl(`
import { takeMemorySnapshot } from '${inside}';
const bytes = await takeMemorySnapshot(Deno.args[0]);
for (let at = 0; at < bytes.length; ) at += Deno.stdout.writeSync(bytes.subarray(at));`);
  const { file, args } = buildCommand(deno, { mayRead: folder, main, args: [folder] });
  const options = { cwd: '/', env: environment, encoding: 'buffer', maxBuffer: mostBytes, timeout: mostMs } as const;
  try {
    const { stdout } = await promisify(execFile)(file, args, { ...options, killSignal: 'SIGKILL' });
    return stdout;
  } catch (cause) {
    throw new SandboxUnavailable(`Python does not start here, so automations in Python cannot run. ${String(cause)}`, {
      cause,
    });
  }
}
