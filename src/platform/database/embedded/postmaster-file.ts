// Reads the postmaster.pid of a running PostgreSQL, and checks whether that process still exists.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hasCode } from './error-code.ts';

/** The lines of postmaster.pid that matter here; the socket is missing until the server has opened it. */
export type PostmasterFile = { pid: number; socket: { dir: string; port: number } | undefined; isReady: boolean };

/** Reads postmaster.pid (layout: PostgreSQL's src/include/utils/pidfile.h); undefined when there is none. */
export function readPostmasterFile(clusterDir: string): PostmasterFile | undefined {
  const [pid, dir, , port, socketDir, , , status] = readFileLines(join(clusterDir, 'postmaster.pid')) ?? [];
  if (!pid || !Number(pid)) return undefined;
  // In a copied folder the file describes the original's server, which must not be touched.
  const isCopy = dir !== clusterDir;
  return {
    pid: Math.abs(Number(pid)),
    socket: port && socketDir && !isCopy ? { dir: socketDir, port: Number(port) } : undefined,
    isReady: status?.trim() === 'ready' && !isCopy,
  };
}

/** Whether process `pid` is the server of this cluster, and not another process with the same number. */
export function isClusterPostmaster(clusterDir: string, pid: number): boolean {
  // Only the server itself has its command line; processes that it forks overwrite theirs.
  return isAlive(pid) && readCommandLine(pid).includes(` -D ${clusterDir} `);
}

/**
 * Lets PostgreSQL detect that a lock file is stale although its process number is in use again, as happens when a
 * container restarts: PostgreSQL ignores a file that names its own parent. The other lines stay, so PostgreSQL still
 * checks for surviving backends.
 */
export function invalidateStaleLocks(clusterDir: string, stalePid: number): void {
  if (!isAlive(stalePid)) return;
  const locks = readdirSync(clusterDir).filter(
    (name) => name === 'postmaster.pid' || /^\.s\.PGSQL\..*\.lock$/.test(name),
  );
  for (const path of locks.map((name) => join(clusterDir, name))) {
    const [pid, ...rest] = readFileLines(path) ?? [];
    if (Number(pid) === stalePid) writeFileSync(path, [process.pid, ...rest].join('\n'));
  }
}

/**
 * Removes the empty file that remains when the machine or disk fails while the server writes its lock file; PostgreSQL
 * never removes it.
 */
export function removeEmptyLock(clusterDir: string): void {
  const path = join(clusterDir, 'postmaster.pid');
  const stats = statSync(path, { throwIfNoEntry: false });
  // A starting server fills the file at once.
  if (stats?.size === 0 && Date.now() - stats.mtimeMs > 5_000) rmSync(path);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return hasCode(error, 'EPERM');
  }
}

function readCommandLine(pid: number): string {
  try {
    // Unlike the process's working folder, root can read this in a container, too.
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    return execFileSync('ps', ['-ww', '-p', String(pid), '-o', 'command='], { encoding: 'utf8' });
  } catch {
    // The process has just ended.
    return '';
  }
}

function readFileLines(path: string): string[] | undefined {
  try {
    return readFileSync(path, 'utf8').split('\n');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}
