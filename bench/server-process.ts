// `thalamus start` in a process of its own, with a probe on its main thread.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { nodeFlags } from '../bin/node-flags.mjs';
import { findFreePort } from '../tests/support/free-port.ts';
import { connectTo, type Client } from './client.ts';
import type { MainThreadReport } from './main-thread-probe.ts';

export type BenchServer = Client & {
  pid: number;
  /** The owner's. */
  key: string;
  /** Does some work and reports how long it blocked the server's main thread. */
  watch<T>(work: () => Promise<T>): Promise<{ value: T; mainThread: MainThreadReport }>;
  stop(): Promise<void>;
  /** Ends it as a power cut would. */
  kill(): Promise<void>;
};

const key = `cm_${'benchmark'.repeat(5)}`;
const readyWithinMs = 60_000;

/** Starts a server on a database and waits until it is ready. It ends with this process. */
export async function startBenchServer(
  databaseUrl: string,
  options: { execArgv?: readonly string[]; settings?: Record<string, string> } = {},
): Promise<BenchServer> {
  const port = await findFreePort();
  const probe = pathToFileURL(join(import.meta.dirname, 'main-thread-probe.ts')).href;
  const main = join(import.meta.dirname, '../cli/main.ts');
  const child = spawn(process.execPath, [...nodeFlags, '--import', probe, ...(options.execArgv ?? []), main, 'start'], {
    env: {
      PATH: process.env['PATH'],
      PORT: String(port),
      DATABASE_URL: databaseUrl,
      THALAMUS_BOOTSTRAP_KEY: key,
      THALAMUS_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
      THALAMUS_LOG_LEVEL: 'error',
      ...(options.settings ?? { THALAMUS_RATE_LIMIT: '10000000' }),
    },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const client = connectTo(`http://127.0.0.1:${port}`, key);
  await waitUntilServerReady(child, client.url);
  return {
    ...client,
    pid: child.pid!, // it has answered
    key,
    async watch(work) {
      await ask(child, 'begin');
      const value = await work();
      // The probe gets every message except a report request.
      return { value, mainThread: (await ask(child, 'report')) as MainThreadReport };
    },
    async stop() {
      await client.close();
      await end(child, 'SIGTERM');
    },
    kill: () => end(child, 'SIGKILL'),
  };
}

async function end(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  child.kill(signal);
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

async function ask(child: ChildProcess, what: 'begin' | 'report'): Promise<unknown> {
  const answer = once(child, 'message');
  child.send(what);
  return (await answer)[0];
}

async function waitUntilServerReady(child: ChildProcess, url: string): Promise<void> {
  const giveUpAt = Date.now() + readyWithinMs;
  while (Date.now() < giveUpAt) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}`);
    const response = await fetch(`${url}/readyz`).catch(() => null);
    if (response?.ok) return;
    await sleep(50);
  }
  throw new Error('the server is not ready in time');
}
