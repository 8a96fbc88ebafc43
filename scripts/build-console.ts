/** Builds the console into console/dist when its sources have changed; `--force` builds in any case. */
import { spawnSync } from 'node:child_process';
import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { computeConsoleStamp, getConsoleStampFile, isConsoleStale } from '../bin/console-stamp.mjs';
import { withLock } from '../bin/lock.mjs';

const root = dirname(import.meta.dirname);
const app = join(root, 'console');
const isForced = process.argv.includes('--force');

if (!existsSync(join(app, 'index.html'))) console.error('There is no console to build yet.');
else
  await withLock(root, 'console', async () => void (process.exitCode = isForced || isConsoleStale(root) ? build() : 0));

/** Vite writes beside the old build, which a running server may be serving; then the folders change places. */
function build(): number {
  const started = Date.now();
  const stamp = computeConsoleStamp(root);
  const [next, dist, old] = ['.dist-next', 'dist', '.dist-old'].map((name) => join(app, name)) as [
    string,
    string,
    string,
  ];
  console.error('Building the console: its sources have changed.');
  const vite = join(root, 'node_modules/vite/bin/vite.js');
  const args = [vite, 'build', app, '--outDir', next, '--emptyOutDir', '--logLevel', 'warn'];
  // A test that starts a server must not leave the console as it is built for development.
  const env = { ...process.env, NODE_ENV: 'production' };
  const { status } = spawnSync(process.execPath, args, { cwd: root, env, stdio: ['ignore', 2, 2] });
  if (status !== 0) return status ?? 1;
  rmSync(old, { recursive: true, force: true });
  if (existsSync(dist)) renameSync(dist, old);
  renameSync(next, dist);
  rmSync(old, { recursive: true, force: true });
  writeFileSync(getConsoleStampFile(root), stamp);
  console.error(`Built in ${((Date.now() - started) / 1_000).toFixed(1)} s.`);
  return 0;
}
