// Finds the running PostgreSQL of a data folder, for a command that runs beside the server.
import { existsSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { findCluster } from './cluster-location.ts';
import { isClusterPostmaster, readPostmasterFile } from './postmaster-file.ts';
import type { EmbeddedPostgres } from './start.ts';

/** Whether a database was ever created there. */
export function hasCluster(dataDir: string): boolean {
  return findClusterInFolder(dataDir) !== undefined;
}

function findClusterInFolder(folder: string): string | undefined {
  const dataDir = resolve(folder);
  return existsSync(dataDir) ? findCluster(realpathSync(dataDir)) : undefined;
}

/** How to connect to it; null when it does not run. */
export function findRunningPostgres(dataDir: string): EmbeddedPostgres['connection'] | null {
  const cluster = findClusterInFolder(dataDir);
  const found = cluster ? readPostmasterFile(cluster) : undefined;
  if (!cluster || !found?.socket || !found.isReady || !isClusterPostmaster(cluster, found.pid)) return null;
  return { host: found.socket.dir, port: found.socket.port, user: 'thalamus', database: 'thalamus', ssl: false };
}
