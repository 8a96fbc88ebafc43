// A server in a process of its own, which a test can kill.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { reachServer, type ReachedServer } from './server.ts';
import { findFreePort } from './free-port.ts';

export type ServerProcess = ReachedServer & {
  /** SIGSTOP: it stands still, as a machine that is suspended does, and holds what it holds. */
  freeze(): void;
  /** SIGKILL: nothing of the process gets to run any more. */
  kill(): Promise<void>;
  /** SIGTERM, as an operator stops it; answers the exit code. */
  stop(): Promise<number | null>;
};

/** A busy machine is not a failure. */
const readyWithinMs = 180_000;
/** Nothing of a test outlives it, however it ends. */
const running = new Set<ChildProcess>();
process.on('exit', () => running.forEach((child) => child.kill('SIGKILL')));

/** What a server needs to start on a database; processes with equal values belong to one server. */
export function buildServerSettings(connectionString: string): Record<string, string> {
  const masterKey = Buffer.alloc(32, 3).toString('base64');
  return { NODE_ENV: 'test', DATABASE_URL: connectionString, THALAMUS_MASTER_KEY: masterKey };
}

/** The setting of a server process whose clock is wrong by so much. */
export function withWrongClock(aheadSeconds: number): Record<string, string> {
  const wrongClock = join(import.meta.dirname, 'wrong-clock.mjs');
  return { NODE_OPTIONS: `--import ${wrongClock}`, CLOCK_AHEAD_SECONDS: String(aheadSeconds) };
}

/** Starts `thalamus start` with these settings and waits until it is ready. */
export async function startServerProcess(settings: Record<string, string>, key: string): Promise<ServerProcess> {
  const port = await findFreePort();
  const main = join(import.meta.dirname, '../../cli/main.ts');
  const child = spawn(process.execPath, [main, 'start'], {
    env: {
      PATH: process.env['PATH'],
      PORT: String(port),
      THALAMUS_BOOTSTRAP_KEY: key,
      THALAMUS_LOG_LEVEL: 'error',
      THALAMUS_TELEGRAM_POLL_SECONDS: '0.3',
      // Compiled code is kept between starts, as `npm start` does.
      ...(process.env['NODE_COMPILE_CACHE'] && { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] }),
      ...settings,
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const url = `http://127.0.0.1:${port}`;
  const exited = once(child, 'exit').then(() => running.delete(child));
  running.add(child);
  await waitUntilServing(child, url).catch((error: unknown) => {
    child.kill('SIGKILL');
    throw error;
  });
  return {
    ...reachServer(url, key),
    freeze: () => void child.kill('SIGSTOP'),
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
    async stop() {
      child.kill('SIGTERM');
      await exited;
      return child.exitCode;
    },
  };
}

async function waitUntilServing(child: ChildProcess, url: string): Promise<void> {
  const giveUpAt = Date.now() + readyWithinMs;
  while (Date.now() < giveUpAt) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}`);
    const response = await fetch(`${url}/readyz`).catch(() => null);
    if (response?.ok) return;
    await sleep(50);
  }
  throw new Error('the server is not ready in time');
}
