// Runs the data folder's own PostgreSQL, so that the product needs no database to be installed.
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { chooseClusterAccount, canReach, giveTo, isRoot, type Account } from './account.ts';
import { prepareBinaries, type Binaries } from './binaries.ts';
import { findCluster } from './cluster-location.ts';
import { createCluster } from './create-cluster.ts';
import { openDataDir, systemDir } from './open-folder.ts';
import { makeSocketFolder, removeSocketFolder } from './socket-folder.ts';
import { supervise } from './supervise.ts';
import { takeCharge } from './take-charge.ts';

/** A running PostgreSQL: how to connect (`host` is the folder of its Unix socket) and how to stop it. */
export type EmbeddedPostgres = {
  connection: { host: string; port: number; user: string; database: string; password?: string; ssl: false };
  /** Ends all sessions and stops the server. May be called more than once. */
  stop(): Promise<void>;
};

/** The options of `startEmbeddedPostgres`. */
export type EmbeddedPostgresOptions = {
  /** The product's data folder; created if needed. The cluster is in its folder `postgres`. */
  dataDir: string;
  /** Called with messages for operators: PostgreSQL's own log, and every decision made here. */
  log?: (line: string) => void;
  /** PostgreSQL settings, such as `{ fsync: 'off' }` in tests. */
  settings?: Record<string, string>;
  /** Where the files go, as root, when the account that runs PostgreSQL cannot enter their own folder. */
  systemDir?: string;
};

// Only part of the socket's file name: the server has no network port.
const port = 5432;

/**
 * Starts PostgreSQL on the data folder, creating the database on first use, and keeps it running until `stop()`. Takes
 * over a server that a killed process left running. Throws an error that says what to do when another process runs on
 * the folder or PostgreSQL cannot run here.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { log = () => undefined, settings = {} } = options;
  const outside = resolve(options.systemDir ?? systemDir);
  openDataDir(resolve(options.dataDir));
  // One spelling for all processes, because a server is recognised by the folder in its command line.
  const dataDir = realpathSync(options.dataDir);
  const existing = findCluster(dataDir);
  const account = chooseClusterAccount(existing);
  const binaries = await prepareBinaries({ account, copyTo: isRoot() ? outside : dataDir, log });
  const clusterDir =
    existing ??
    (await createCluster({ dataDir, outside, account, binaries, isDurable: settings.fsync !== 'off', log }));
  if (existing) checkCluster(clusterDir, binaries, account);
  const socket = { dir: makeSocketFolder(clusterDir, port, account), port };
  try {
    const cluster = { dataDir, clusterDir, binaries, account, socket, settings, log };
    const charge = await takeCharge(cluster, new AbortController().signal);
    if (charge.socket.dir !== socket.dir) removeSocketFolder(socket.dir);
    const stop = supervise({ ...cluster, socket: charge.socket }, charge);
    return {
      connection: {
        host: charge.socket.dir,
        port: charge.socket.port,
        user: 'thalamus',
        database: 'thalamus',
        ssl: false,
      },
      stop: () => stop().finally(() => removeSocketFolder(charge.socket.dir)),
    };
  } catch (error) {
    removeSocketFolder(socket.dir);
    throw error;
  }
}

function checkCluster(clusterDir: string, binaries: Binaries, account: Account | undefined): void {
  const version = readFileSync(join(clusterDir, 'PG_VERSION'), 'utf8').trim();
  if (version !== String(binaries.majorVersion)) {
    throw new Error(
      `The database in ${clusterDir} was made by PostgreSQL ${version}, and this Thalamus brings PostgreSQL ${binaries.majorVersion}, which cannot open it. Run a PostgreSQL ${version} on that folder and point DATABASE_URL at it, or move its contents over with pg_dumpall.`,
    );
  }
  if (!canReach(account, dirname(clusterDir))) {
    throw new Error(
      `PostgreSQL must run as user ${account?.uid} here, who cannot enter a folder above ${clusterDir}. Let others pass through those folders (chmod o+x), or start Thalamus as a user who can.`,
    );
  }
  // A folder that root restored belongs to root, and PostgreSQL refuses to run as root.
  if (statSync(clusterDir).uid === 0) giveTo(account, clusterDir);
}
