/** Determines whether the built console is up to date, from names, sizes and times only: no file is read. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const notSources = new Set(['dist', 'node_modules']);

/**
 * Whether `console/dist` has to be built. Without a console (no index.html) there is nothing to build.
 * @param {string} root
 */
export function isConsoleStale(root) {
  if (!existsSync(join(root, 'console/index.html'))) return false;
  const file = getConsoleStampFile(root);
  return !existsSync(file) || readFileSync(file, 'utf8') !== computeConsoleStamp(root);
}

/** @param {string} root */
export function getConsoleStampFile(root) {
  return join(root, 'console/dist/.stamp');
}

/**
 * What the build was made of, as one hash.
 * @param {string} root
 */
export function computeConsoleStamp(root) {
  const hash = createHash('sha256');
  // The console also reads the server's list of permissions.
  const others = [join(root, 'package-lock.json'), join(root, 'src/kernel/scopes.ts')].filter(existsSync);
  for (const file of [...others, ...listSources(join(root, 'console'))]) {
    const { size, mtimeMs } = statSync(file);
    hash.update(`${file} ${size} ${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

/**
 * @param {string} folder
 * @returns {string[]}
 */
function listSources(folder) {
  const entries = readdirSync(folder, { withFileTypes: true }).filter(
    ({ name }) => !notSources.has(name) && !name.startsWith('.'),
  );
  const files = entries.map((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? listSources(path) : [path];
  });
  return files.flat().toSorted();
}
