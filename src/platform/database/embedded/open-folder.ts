// Makes the folders that PostgreSQL's files go into, passable for the account that runs it.
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { isRoot } from './account.ts';

/** The place for clusters and programs when the account that runs PostgreSQL cannot enter their own folders. */
export const systemDir = '/var/lib/thalamus';

/** Makes the data folder if need be. As root others may pass through it, but not list it. */
export function openDataDir(dataDir: string): void {
  try {
    makePassable(dataDir, isRoot() ? 0o711 : 0o700);
    // Creating something is the only test that also notices read-only file systems.
    const probe = join(dataDir, `.write-test-${randomUUID()}`);
    writeFileSync(probe, '');
    rmSync(probe);
  } catch (cause) {
    throw new Error(
      `The data folder ${dataDir} cannot be written (${getReason(cause)}). Give user ${process.getuid?.()} the right to write there, or set THALAMUS_DATA_DIR to another folder.`,
      { cause },
    );
  }
}

/** Makes the folder for what PostgreSQL's account cannot reach where it is. */
export function openSystemDir(dir: string): void {
  try {
    makePassable(dir, 0o755);
  } catch (cause) {
    throw new Error(
      `PostgreSQL does not run as root, its account cannot enter the folder of Thalamus, and ${dir} cannot be made (${getReason(cause)}). Start Thalamus as another user than root, let others pass through its folders (chmod o+x), or set DATABASE_URL to a PostgreSQL of your own (16 or newer).`,
      { cause },
    );
  }
}

function makePassable(dir: string, mode: number): void {
  const first = mkdirSync(dir, { recursive: true });
  if (first === undefined) return;
  // Set afterwards because the umask takes away from what mkdir is given.
  for (let made = dir; made.length >= first.length; made = dirname(made)) chmodSync(made, mode);
}

function getReason(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
