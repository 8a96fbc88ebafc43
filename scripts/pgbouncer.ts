/** Finds PgBouncer for the tests of a pooler, and installs the system's package when there is none. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The path of a PgBouncer. As root on Debian or Ubuntu it is installed first. Throws with what to do without one. */
export function ensurePgBouncer(): string {
  const path = findPgBouncer() ?? installPgBouncer();
  if (path) return path;
  throw new Error(
    'No PgBouncer for the tests of a pooler. Install it (apt-get install pgbouncer, brew install pgbouncer).',
  );
}

function findPgBouncer(): string | undefined {
  const folders = [
    ...(process.env['PATH'] ?? '').split(delimiter),
    '/usr/sbin',
    '/usr/local/sbin',
    '/opt/homebrew/bin',
  ];
  return folders.map((folder) => join(folder, 'pgbouncer')).find((file) => existsSync(file));
}

function installPgBouncer(): string | undefined {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return undefined;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' }; // its service need not start
  const aptGet = (...args: string[]) => spawnSync('apt-get', args, { env, stdio: 'ignore' });
  aptGet('update', '-qq');
  aptGet('install', '-y', '-qq', '--no-install-recommends', 'pgbouncer');
  return findPgBouncer();
}
