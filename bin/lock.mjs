/** A lock between processes on one checkout: a folder, created atomically, that names the id of its owner process. */
import { mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const abandonedAfter = 10 * 60_000;
const beat = 5_000;

/**
 * Runs `work` while no other process holds the lock of that name. A lock whose owner has died is taken over.
 * `own` names another process (a child) as the owner, which keeps the lock valid when this one is killed.
 * @template T
 * @param {string} root
 * @param {string} name
 * @param {(own: (pid: number) => void) => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(root, name, work) {
  const folder = join(root, '.tmp', `${name}.lock`);
  mkdirSync(join(root, '.tmp'), { recursive: true });
  await takeLock(folder, name);
  const own = (/** @type {number} */ pid) => writeFileSync(join(folder, 'pid'), String(pid));
  const release = () => rmSync(folder, { recursive: true, force: true });
  own(process.pid);
  process.once('exit', release);
  const heartbeat = setInterval(() => utimesSync(folder, new Date(), new Date()), beat);
  try {
    return await work(own);
  } finally {
    clearInterval(heartbeat);
    process.off('exit', release);
    release();
  }
}

/**
 * @param {string} folder
 * @param {string} name
 */
async function takeLock(folder, name) {
  for (let tries = 0; !create(folder); tries += 1) {
    if (isStale(folder)) rmSync(folder, { recursive: true, force: true });
    else if (tries === 0)
      process.stderr.write(`Another process is busy with the same step (${name}); waiting for it.\n`);
    await sleep(200);
  }
}

/** @param {string} folder */
function create(folder) {
  try {
    mkdirSync(folder);
    return true;
  } catch (error) {
    if (getErrorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

/** @param {string} folder */
function isStale(folder) {
  const age = Date.now() - (statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
  const pid = readOwner(folder);
  return age > abandonedAfter || (pid === undefined ? age > beat : !isAlive(pid));
}

/** @param {string} folder */
function readOwner(folder) {
  try {
    return Number(readFileSync(join(folder, 'pid'), 'utf8')) || undefined;
  } catch {
    return undefined;
  }
}

/** @param {number} pid */
function isAlive(pid) {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return getErrorCode(error) === 'EPERM';
  }
}

/** @param {unknown} error */
function getErrorCode(error) {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
