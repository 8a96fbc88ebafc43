// PostgreSQL refuses to run as root, so a server started as root runs it under an account without rights.
import { chownSync, lstatSync, readFileSync, readdirSync, realpathSync, statSync, type Stats } from 'node:fs';
import { dirname, join } from 'node:path';

/** The account of a child process, as numeric ids. */
export type Account = { uid: number; gid: number };

const execute = 0b001;
const readAndExecute = 0b101;

/** Whether this process is root, as which PostgreSQL refuses to run. */
export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/** The numeric ids of the account `nobody` on this machine. */
export function readNobodyAccount(): Account {
  const entry = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((line) => line.startsWith('nobody:'));
  const [, , uid, gid] = (entry ?? 'nobody:x:65534:65534').split(':');
  return { uid: Number(uid), gid: Number(gid) };
}

/**
 * The account that must run the cluster in `dir`, or undefined for this process's own. As root, an existing cluster
 * runs as its owner, so one start with sudo does not change the owner of a user's folder.
 */
export function chooseClusterAccount(dir: string | undefined): Account | undefined {
  if (!isRoot()) return undefined;
  const owner = dir === undefined ? undefined : statSync(dir);
  return owner && owner.uid !== 0 ? { uid: owner.uid, gid: owner.gid } : readNobodyAccount();
}

/** Whether `account` can reach `path`, by the mode bits of every folder above it. */
export function canReach(account: Account | undefined, path: string): boolean {
  if (!account) return true;
  const real = realpathSync(path);
  const parents: string[] = [];
  for (let folder = dirname(real); ; folder = dirname(folder)) {
    parents.push(folder);
    if (folder === dirname(folder)) break;
  }
  const last = statSync(real).isDirectory() ? [real] : [];
  return [...parents, ...last].every((folder) => canAccess(statSync(folder), account, execute));
}

/** Whether `account` can read and run (or list) `path` itself. */
export function canUse(account: Account | undefined, path: string): boolean {
  return !account || (canReach(account, path) && canAccess(statSync(path), account, readAndExecute));
}

/** Gives a folder and everything in it to `account`. Links themselves are changed, never their targets. */
export function giveTo(account: Account | undefined, path: string): void {
  if (!account) return;
  const stats = lstatSync(path);
  if (stats.isSymbolicLink()) return;
  chownSync(path, account.uid >>> 0, account.gid >>> 0);
  if (!stats.isDirectory()) return;
  for (const name of readdirSync(path)) giveTo(account, join(path, name));
}

function canAccess(stats: Stats, account: Account, bits: number): boolean {
  const shift = stats.uid === account.uid >>> 0 ? 6 : stats.gid === account.gid >>> 0 ? 3 : 0;
  return ((stats.mode >> shift) & bits) === bits;
}
