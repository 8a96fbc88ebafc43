/**
 * Runs a TypeScript file on the pinned Node, after installing the packages of package-lock.json if they are missing.
 * Plain JavaScript without dependencies: it must work on Node 20, before anything is installed.
 */
import { existsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureInstalled } from './install.mjs';
import { endLike, runChild } from './run-child.mjs';

const oldestNode = 20;
const neededNode = 24;

/** The repository's folder; the entry points may be started from any folder. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * Prepares the machine: refuses unsupported systems, installs packages when needed, and returns the Node to run. Exits
 * with a message when that Node is not available.
 */
export async function prepare() {
  refuseUnsupported();
  await ensureInstalled(root);
  const node = findPinnedNode() ?? findOwnNode();
  if (!node) {
    fail(
      `Node ${neededNode} is needed and its npm package is not available for ${process.platform}-${process.arch}. ` +
        `Install Node ${neededNode} or newer (https://nodejs.org), or delete node_modules to try its package again.`,
    );
  }
  return node;
}

/**
 * Runs a file on that Node and answers how it ended. Signals sent to this process reach the child.
 * @param {string} node
 * @param {string[]} args the file and its arguments
 */
export function runOn(node, args) {
  const path = [dirname(node), process.env.PATH].filter(Boolean).join(delimiter);
  // Compiled code is kept between starts: the second start takes half the time to load.
  const cache = process.env.NODE_COMPILE_CACHE ?? join(root, 'node_modules', '.cache', 'compiled');
  return runChild(node, args, { stdio: 'inherit', env: { ...process.env, PATH: path, NODE_COMPILE_CACHE: cache } });
}

/**
 * Runs a file and ends this process as the file ended: same exit code, or same signal.
 * @param {string} node
 * @param {string[]} args
 */
export async function replaceProcess(node, args) {
  endLike(await runOn(node, args));
}

/**
 * @param {string} message
 * @returns {never}
 */
export function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

function refuseUnsupported() {
  if (process.platform === 'win32') fail('Windows is not supported natively. Run this inside WSL 2 (wsl --install).');
  if (getOwnMajor() < oldestNode) {
    fail(
      `Node ${oldestNode} or newer is needed to start; this is ${process.version}. Get one from https://nodejs.org.`,
    );
  }
}

function findPinnedNode() {
  const binary = join(root, 'node_modules', `node-linux-${process.arch}`, 'bin', 'node');
  return process.platform === 'linux' && existsSync(binary) && canRunHere() ? binary : undefined;
}

/** The packaged Node is built for glibc; a musl system (Alpine) cannot run it. */
function canRunHere() {
  return !existsSync('/etc/alpine-release');
}

function findOwnNode() {
  return getOwnMajor() >= neededNode ? process.execPath : undefined;
}

function getOwnMajor() {
  return Number(process.versions.node.split('.')[0]);
}
