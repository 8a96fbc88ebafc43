// Finds the cluster's running server or starts one, and takes charge of it.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import type { Account } from './account.ts';
import type { Binaries } from './binaries.ts';
import { claim, type Claim, type Socket } from './claim.ts';
import { advice } from './create-cluster.ts';
import {
  invalidateStaleLocks,
  isClusterPostmaster,
  readPostmasterFile,
  removeEmptyLock,
  type PostmasterFile,
} from './postmaster-file.ts';
import { removeSocketFolder } from './socket-folder.ts';
import { spawnPostgres, type PostgresProcess } from './spawn-postgres.ts';

/** What is needed to run one data folder's server. */
export type Cluster = {
  dataDir: string;
  clusterDir: string;
  binaries: Binaries;
  account: Account | undefined;
  socket: Socket;
  settings: Record<string, string>;
  log: (line: string) => void;
};

/** A running server that this process is in charge of, by the connection `lock`. */
export type Charge = { pid: number; socket: Socket; lock: Client; isRunning: () => boolean };

const pollEvery = 10;
const logEveryMs = 10_000;
const waitForOther = 60_000;
const waitForRemains = 30_000;

// Temporary failures: another server is starting or stopping, or sessions of a killed process still exist.
const passing = [/lock file "[^"]*" already exists/, /lock file "[^"]*" is empty/, /pre-existing shared memory block/];

/**
 * Takes charge of the cluster's server: one that a killed process left running, or a new one. Throws when another
 * process is in charge, when PostgreSQL does not start, and when `signal` aborts.
 */
export async function takeCharge(cluster: Cluster, signal: AbortSignal): Promise<Charge> {
  for (const giveUp = Date.now() + waitForRemains; ;) {
    const adopted = await adopt(cluster, signal);
    if (adopted) return adopted;
    const child = spawnPostgres(cluster);
    const charge = await claimOwn(cluster, child, signal);
    if (charge) return charge;
    const reason = child.ended() ?? '';
    if (!passing.some((pattern) => pattern.test(reason)) || Date.now() > giveUp) throw startFailure(cluster, reason);
    removeEmptyLock(cluster.clusterDir);
    await sleep(50, undefined, { signal });
  }
}

async function adopt(cluster: Cluster, signal: AbortSignal): Promise<Charge | undefined> {
  const giveUp = Date.now() + waitForOther;
  for (;;) {
    const found = readPostmasterFile(cluster.clusterDir);
    if (!found) return undefined;
    // Checked before the process number, which may belong to another container that shares this folder.
    const answer = await ask(found, signal);
    if (answer.state === 'taken') throw createFolderInUseError(cluster, answer.holder);
    const isRunning = (): boolean => isClusterPostmaster(cluster.clusterDir, found.pid);
    if (answer.state === 'ours') {
      if (isRunning() && found.socket) {
        cluster.log(`Connected to the PostgreSQL (process ${found.pid}) that was already running.`);
        return { pid: found.pid, socket: found.socket, lock: answer.lock, isRunning };
      }
      await answer.lock.end();
      throw createUnseenServerError(cluster, found.pid);
    }
    if (!isRunning()) {
      invalidateStaleLocks(cluster.clusterDir, found.pid);
      if (found.socket && found.socket.dir !== cluster.socket.dir) removeSocketFolder(found.socket.dir);
      return undefined;
    }
    if (Date.now() > giveUp) throw createUnansweringServerError(cluster, found.pid);
    await sleep(pollEvery, undefined, { signal });
  }
}

/** Waits until the started server is ready. Returns undefined when it ended instead. */
async function claimOwn(cluster: Cluster, child: PostgresProcess, signal: AbortSignal): Promise<Charge | undefined> {
  let emitEvent = Date.now() + logEveryMs;
  while (child.ended() === undefined) {
    const found = readPostmasterFile(cluster.clusterDir);
    const answer = await ask(found, signal).catch(async (error: unknown) => {
      await child.stop();
      throw error;
    });
    // The process with the lock may have taken over our child: then it keeps running for that process.
    if (answer.state === 'taken') {
      child.disown();
      throw createFolderInUseError(cluster, answer.holder);
    }
    if (answer.state === 'ours' && found?.socket)
      return createCharge(cluster, child, found.pid, found.socket, answer.lock);
    if (Date.now() > emitEvent) {
      emitEvent += logEveryMs;
      cluster.log('PostgreSQL is still getting ready, perhaps recovering after a crash.');
    }
    await Promise.race([sleep(pollEvery), child.whenEnded]);
  }
  return undefined;
}

function createCharge(cluster: Cluster, child: PostgresProcess, pid: number, socket: Socket, lock: Client): Charge {
  const isRunning = pid === child.pid ? child.isRunning : (): boolean => isClusterPostmaster(cluster.clusterDir, pid);
  return { pid, socket, lock, isRunning };
}

async function ask(found: PostmasterFile | undefined, signal: AbortSignal): Promise<Claim> {
  signal.throwIfAborted();
  return found?.socket && found.isReady ? claim(found.socket) : { state: 'not_ready' };
}

function createFolderInUseError({ dataDir }: Cluster, holder: string): Error {
  return new Error(
    `Another Thalamus (process ${holder}) is running on the data folder ${dataDir}. Stop it first, or set THALAMUS_DATA_DIR to another folder.`,
  );
}

function createUnseenServerError({ clusterDir }: Cluster, pid: number): Error {
  return new Error(
    `A PostgreSQL (process ${pid}) that this process cannot see runs on ${clusterDir}, perhaps in another container. Stop it first.`,
  );
}

function createUnansweringServerError({ clusterDir }: Cluster, pid: number): Error {
  return new Error(
    `The PostgreSQL (process ${pid}) that runs on ${clusterDir} has not answered for ${waitForOther / 1_000} s. Stop it with: kill -INT ${pid}`,
  );
}

function startFailure({ clusterDir }: Cluster, reason: string): Error {
  return new Error(`PostgreSQL did not start on ${clusterDir}: ${reason.replace(/\.$/, '')}. ${advice}`);
}
