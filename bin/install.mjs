/** Installs the locked packages when they are missing, incomplete or from another lock file. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join, sep } from 'node:path';
import { withLock } from './lock.mjs';
import { endLike, runChild } from './run-child.mjs';

const tooQuietAfter = 10_000;

/**
 * Runs `npm ci` unless what is installed is what package-lock.json says. Ends the process when npm fails.
 * @param {string} root
 */
export async function ensureInstalled(root) {
  if (isInstalled(root)) return;
  await withLock(root, 'install', async (own) => {
    if (!isInstalled(root)) await install(root, own);
  });
}

/** @param {string} root */
function isInstalled(root) {
  const stamp = formatStamp(root);
  if (readIfThere(stampFile(root)) === stamp) return true;
  if (!hasFinishedThisLock(root)) return false;
  writeFileSync(stampFile(root), stamp);
  return true;
}

/**
 * @param {string} root
 * @param {(pid: number) => void} own
 */
async function install(root, own) {
  // npm writes its own record last; when one of the files is missing, an earlier run was interrupted.
  rmSync(stampFile(root), { force: true });
  rmSync(readNpmRecord(root), { force: true });
  printLine(
    'Installing the packages of package-lock.json (npm ci). This happens once, and again when that file changes.',
  );
  const started = Date.now();
  const seconds = () => Math.round((Date.now() - started) / 1_000);
  const progress = setInterval(() => printLine(`… still installing, ${seconds()} s`), tooQuietAfter);
  const ending = await runNpmCi(root, own).finally(() => clearInterval(progress));
  if (ending.code !== 0) {
    printLine('npm ci did not finish; its message is above. The next start tries again.');
    return endLike(ending);
  }
  writeFileSync(stampFile(root), formatStamp(root));
  printLine(`Installed in ${seconds()} s.`);
}

/**
 * The machine's npm, on the Node that npm was started with: not the one in node_modules, which npm is about to delete.
 * Its output goes to stderr, so that a command's own output stays clean.
 * @param {string} root
 * @param {(pid: number) => void} own
 */
function runNpmCi(root, own) {
  const bin = join(root, 'node_modules') + sep;
  const path = (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.startsWith(bin));
  const env = { ...process.env, PATH: path.join(delimiter) };
  // No package may run code during installation. Node 20 only starts npm, so its warnings about packages that need a
  // newer Node are hidden.
  const args = ['ci', '--include=dev', '--include=optional', '--ignore-scripts', '--loglevel=error'];
  /** @type {import('node:child_process').SpawnOptions} */
  const options = { cwd: root, env, stdio: ['ignore', 2, 2] };
  const npm = process.env.npm_execpath;
  const node = [process.env.npm_node_execpath, process.execPath].find((file) => file && !file.startsWith(bin));
  if (node && npm?.endsWith('npm-cli.js') && existsSync(npm)) return runChild(node, [npm, ...args], options, own);
  return runChild('npm', args, options, own);
}

/**
 * Whether npm itself recorded a complete installation of this lock file, for example after `npm install <package>`.
 * @param {string} root
 */
function hasFinishedThisLock(root) {
  const record = readIfThere(readNpmRecord(root));
  if (record === undefined) return false;
  const installed = JSON.parse(record).packages;
  const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === '') return true;
    return installed[path] ? installed[path].version === entry.version : mayBeMissing(entry);
  });
}

/**
 * Whether a package may be missing: an optional one, unless it is a binary for exactly this machine.
 * @param {{ optional?: boolean, os?: string[], cpu?: string[], libc?: string[] }} entry
 */
function mayBeMissing({ optional, os, cpu, libc }) {
  const isForThisMachine = os?.includes(process.platform) && cpu?.includes(process.arch) && !libc;
  return optional === true && !isForThisMachine;
}

/** @param {string} root */
function formatStamp(root) {
  const lock = readFileSync(join(root, 'package-lock.json'));
  return `${createHash('sha256').update(lock).digest('hex')} ${process.platform}-${process.arch}\n`;
}

/** @param {string} root */
function stampFile(root) {
  return join(root, 'node_modules', '.thalamus-installed');
}

/** @param {string} root */
function readNpmRecord(root) {
  return join(root, 'node_modules', '.package-lock.json');
}

/** @param {string} file */
function readIfThere(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

/** @param {string} line */
function printLine(line) {
  process.stderr.write(`${line}\n`);
}
