// Starts the embedded PostgreSQL in processes of its own, and cleans up after each test by process number.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { inject, onTestFinished } from 'vitest';
import { findCluster } from '../../src/platform/database/embedded/cluster-location.ts';
import { startEmbeddedPostgres } from '../../src/platform/database/embedded/index.ts';
import { isClusterPostmaster, readPostmasterFile } from '../../src/platform/database/embedded/postmaster-file.ts';
import type { TestConnection } from './postgres.ts';

/** A process that was asked to run the embedded PostgreSQL, after it has said whether it does. */
export type EmbeddedPostgresProcess = {
  pid: number;
  connection: TestConnection | undefined;
  refusal: string | undefined;
  log: string[];
  ended: Promise<unknown>;
  /** Sends a signal and waits until the process has ended. */
  end(signal: NodeJS.Signals): Promise<void>;
};

const script = join(import.meta.dirname, 'run-embedded-postgres.ts');

/** A folder that every account may enter, removed after the test. */
export function createTemporaryFolder(): string {
  const folder = makeFolder();
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

// In the folder of the run's own cluster, which goes at the end of the run, whatever is left in it.
function makeFolder(): string {
  const folder = mkdtempSync(join(dirname(inject('postgres').host), 'test-'));
  chmodSync(folder, 0o755);
  return folder;
}

let ready: Promise<string> | undefined;

/** A data folder whose database exists already, shared by the tests of a worker, which take turns: much the quickest. */
export async function getReadyDataDir(): Promise<string> {
  return (ready ??= makeDataDir());
}

/** A copy of it, for a test that changes the folder itself. */
export async function copyDataDir(name = 'data'): Promise<string> {
  const dataDir = join(createTemporaryFolder(), name);
  execFileSync('cp', ['-a', await getReadyDataDir(), dataDir]);
  return dataDir;
}

async function makeDataDir(): Promise<string> {
  const dataDir = join(makeFolder(), 'data');
  const postgres = await startEmbeddedPostgres({ dataDir, settings: { fsync: 'off' } });
  await postgres.stop();
  return dataDir;
}

/** Runs it in a new process, as another account if told so, and waits for its answer. */
export async function runEmbeddedPostgres(
  dataDir: string,
  options: { uid?: number; systemDir?: string } = {},
): Promise<EmbeddedPostgresProcess> {
  const { uid, systemDir } = options;
  const child = spawn(process.execPath, [script, dataDir, ...(systemDir ? [systemDir] : [])], {
    ...(uid === undefined ? {} : { uid, gid: uid }),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  const running: EmbeddedPostgresProcess = {
    pid: child.pid ?? 0,
    connection: undefined,
    refusal: undefined,
    log: [],
    ended,
    async end(signal) {
      child.kill(signal);
      await ended;
    },
  };
  onTestFinished(async () => {
    await running.end('SIGTERM');
    await killServer(dataDir);
  });
  const answered = Promise.withResolvers<void>();
  createInterface({ input: child.stdout }).on('line', (text) => {
    // The script prints nothing else.
    const line = JSON.parse(text) as { log?: string; connection?: TestConnection; refusal?: string };
    if (line.log !== undefined) running.log.push(line.log);
    running.connection ??= line.connection;
    running.refusal ??= line.refusal;
    if (line.connection ?? line.refusal) answered.resolve();
  });
  await Promise.race([answered.promise, ended]);
  return running;
}

/** The process number of the folder's server, or undefined when none runs. */
export function findServerProcess(dataDir: string): number | undefined {
  const clusterDir = existsSync(dataDir) ? findCluster(dataDir) : undefined;
  const pid = clusterDir && readPostmasterFile(clusterDir)?.pid;
  return pid && isClusterPostmaster(clusterDir, pid) ? pid : undefined;
}

/** Kills the folder's server, if one runs, and waits until it has exited; another may run by then. */
export async function killServer(dataDir: string): Promise<void> {
  const pid = findServerProcess(dataDir);
  if (!pid) return;
  process.kill(pid, 'SIGKILL');
  await waitUntilTrue(() => findServerProcess(dataDir) !== pid);
}

/** Runs a statement on a new connection and returns its rows. */
export async function query(connection: TestConnection | undefined, statement: string): Promise<unknown[]> {
  const client = new Client(connection);
  client.on('error', () => {});
  try {
    await client.connect();
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}

/** Waits until something holds; a check that throws counts as "not yet". */
export async function waitUntilTrue(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (const giveUp = Date.now() + 10_000; ;) {
    const isSo = await check(holds).catch((error: unknown) => {
      if (Date.now() > giveUp) throw error;
      return false;
    });
    if (isSo) return;
    if (Date.now() > giveUp) throw new Error(`waited in vain for: ${holds}`);
    await sleep(10);
  }
}

async function check(holds: () => boolean | Promise<boolean>): Promise<boolean> {
  return holds();
}

/** The owner of a process, by its number. */
export function readProcessOwner(pid: number): number {
  return Number(/^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
}
