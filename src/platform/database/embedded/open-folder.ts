// Creates the folders for PostgreSQL's files, so that the account that runs it can enter them.
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { isRoot } from './account.ts';

/** The place for clusters and programs when the account that runs PostgreSQL cannot enter their own folders. */
export const systemDir = '/var/lib/thalamus';

/** Creates the data folder if needed. As root, other users may pass through it but not list it. */
export function openDataDir(dataDir: string): void {
  try {
    makePassable(dataDir, isRoot() ? 0o711 : 0o700);
    // Creating a file is the only test that also detects read-only file systems.
    const probe = join(dataDir, `.write-test-${randomUUID()}`);
    writeFileSync(probe, '');
    rmSync(probe);
  } catch (cause) {
    throw new Error(
      `The data folder ${dataDir} is not writable (${getReason(cause)}). Give user ${process.getuid?.()} write access, or set THALAMUS_DATA_DIR to another folder.`,
      { cause },
    );
  }
}

/** Creates a folder for files that PostgreSQL's account cannot reach in their usual place. */
export function openSystemDir(dir: string): void {
  try {
    makePassable(dir, 0o755);
  } catch (cause) {
    throw new Error(
      `PostgreSQL does not run as root, its account cannot enter the folder of Thalamus, and ${dir} cannot be created (${getReason(cause)}). Start Thalamus as a user other than root, let others pass through its folders (chmod o+x), or set DATABASE_URL to a PostgreSQL of your own (16 or newer).`,
      { cause },
    );
  }
}

function makePassable(dir: string, mode: number): void {
  const first = mkdirSync(dir, { recursive: true });
  if (first === undefined) return;
  // Set afterwards, because the umask reduces the mode that mkdir is given.
  for (let made = dir; made.length >= first.length; made = dirname(made)) chmodSync(made, mode);
}

function getReason(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
