// The folder of the server's Unix socket: the cluster's own, which only its account can enter, unless its path is too long.
import { mkdtempSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { giveTo, type Account } from './account.ts';

// Addresses of Unix sockets have at most 104 bytes on macOS and 108 on Linux.
const longestPath = 100;

// Not the system's temporary folder: its path can be too long, or closed to PostgreSQL's account.
const prefix = '/tmp/thalamus-socket-';

/** The folder of the socket: the cluster's, or a new one with a short path. */
export function makeSocketFolder(clusterDir: string, port: number, account: Account | undefined): string {
  if (Buffer.byteLength(join(clusterDir, `.s.PGSQL.${port}`)) <= longestPath) return clusterDir;
  const dir = mkdtempSync(prefix);
  giveTo(account, dir);
  return dir;
}

/** Removes a folder of `makeSocketFolder` with the files of a killed server. The cluster's own folder stays. */
export function removeSocketFolder(dir: string): void {
  if (dir.startsWith(prefix) && dirname(dir) === dirname(prefix)) rmSync(dir, { recursive: true, force: true });
}
