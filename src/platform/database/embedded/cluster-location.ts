// Where a data folder's cluster is: inside the folder or, when PostgreSQL's account cannot enter it, at the path in a
// small file.
import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { chooseClusterAccount, canReach, isRoot } from './account.ts';
import { hasCode } from './error-code.ts';
import { openSystemDir } from './open-folder.ts';

/** The folder of the data folder's cluster; undefined when there is none yet. */
export function findCluster(dataDir: string): string | undefined {
  const pointer = buildPointerPath(dataDir);
  const inside = join(dataDir, 'postgres');
  const dir = existsSync(pointer) ? readFileSync(pointer, 'utf8').trim() : inside;
  refuseForeign(dir);
  if (existsSync(join(dir, 'PG_VERSION'))) return dir;
  if (dir !== inside) {
    throw new Error(
      `The database of ${dataDir} should be in ${dir}, as ${pointer} says, but is not there. Put it back, or delete that file to start with an empty database.`,
    );
  }
  if (existsSync(inside) && readdirSync(inside).length > 0) {
    throw new Error(
      `The folder ${inside} is not empty and contains no PostgreSQL database. Move it away, or set THALAMUS_DATA_DIR to another folder.`,
    );
  }
  return undefined;
}

/** The folder for a new cluster, until `publishCluster` moves it into place. */
export function buildDraftFolderPath(dataDir: string, outside: string): string {
  const isInside = canReach(chooseClusterAccount(undefined), dataDir);
  if (!isInside) openSystemDir(outside);
  const parent = isInside ? dataDir : outside;
  removeAbandonedDrafts(parent);
  const draft = join(parent, `postgres.new-${randomUUID()}`);
  mkdirSync(draft, { mode: 0o700 });
  return draft;
}

/**
 * Moves a finished cluster into place in one step, so that no start sees an incomplete one. Of two concurrent processes
 * the first succeeds. Returns the folder of the successful one.
 */
export function publishCluster(dataDir: string, draft: string, log: (line: string) => void): string {
  const isInside = dirname(draft) === dataDir;
  try {
    if (isInside) renameSync(draft, join(dataDir, 'postgres'));
    else publishOutside(dataDir, draft, log);
  } catch (error) {
    if (!hasCode(error, 'ENOTEMPTY', 'EEXIST')) throw error;
    rmSync(draft, { recursive: true });
  }
  const dir = findCluster(dataDir);
  if (!dir) throw new Error(`The new database of ${dataDir} has disappeared. Is another program removing files there?`);
  return dir;
}

function publishOutside(dataDir: string, draft: string, log: (line: string) => void): void {
  const dir = draft.replace('.new-', '-');
  const pointer = buildPointerPath(dataDir);
  renameSync(draft, dir);
  const unfinished = `${pointer}.new-${randomUUID()}`;
  writeFileSync(unfinished, `${dir}\n`);
  chmodSync(unfinished, 0o644);
  try {
    // Unlike a rename, a link fails when another process was first.
    linkSync(unfinished, pointer);
    log(
      `The database is in ${dir}, because the account that runs PostgreSQL cannot enter ${dataDir}. ${pointer} stores the path.`,
    );
  } catch (error) {
    rmSync(dir, { recursive: true });
    if (!hasCode(error, 'EEXIST')) throw error;
  } finally {
    rmSync(unfinished);
  }
}

// Checked first, because another account's cluster cannot even be listed.
function refuseForeign(dir: string): void {
  const owner = statSync(dir, { throwIfNoEntry: false })?.uid;
  const self = process.getuid?.();
  if (owner === undefined || owner === self || isRoot()) return;
  throw new Error(
    `The database in ${dir} belongs to user ${owner}, and this process is user ${self}. Start Thalamus as that user or as root, or change the owner: sudo chown -R ${self} ${dir}`,
  );
}

function removeAbandonedDrafts(parent: string): void {
  const tenMinutesAgo = Date.now() - 600_000;
  for (const name of readdirSync(parent)) {
    if (!name.startsWith('postgres.new-')) continue;
    const path = join(parent, name);
    // Another process may move its own cluster into place between the listing and this check.
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats && stats.mtimeMs < tenMinutesAgo) rmSync(path, { recursive: true, force: true });
  }
}

function buildPointerPath(dataDir: string): string {
  return join(dataDir, 'postgres-location');
}
