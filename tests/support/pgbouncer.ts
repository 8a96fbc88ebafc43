// A PgBouncer before the PostgreSQL of a test, in transaction mode, as operators run it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ensurePgBouncer } from '../../scripts/pgbouncer.ts';
import { isRoot, readNobodyAccount } from '../../src/platform/database/embedded/account.ts';
import { findFreePort } from './free-port.ts';
import type { TestConnection } from './postgres.ts';

export type PgBouncer = {
  /** The address of a database behind it, for a login. */
  buildUrl(database: string, login: string): string;
  close(): Promise<void>;
};

type Options = { logins: readonly string[]; ignoreStartup?: string; poolSize?: number };

/** Starts it on a free port. It runs as the account of PostgreSQL, who may enter the folder of the socket. */
export async function startPgBouncer(
  { host, port }: TestConnection,
  { logins, ignoreStartup = '', poolSize = 6 }: Options,
): Promise<PgBouncer> {
  const program = ensurePgBouncer();
  const folder = mkdtempSync(join(tmpdir(), 'pgbouncer-'));
  chmodSync(folder, 0o755);
  const ownPort = await findFreePort();
  writeFileSync(join(folder, 'users.txt'), logins.map((login) => `"${login}" ""\n`).join(''));
  writeFileSync(
    join(folder, 'pgbouncer.ini'),
    `[databases]
* = host=${host} port=${port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${ownPort}
unix_socket_dir =
auth_type = trust
auth_file = ${join(folder, 'users.txt')}
pool_mode = transaction
default_pool_size = ${poolSize}
max_client_conn = 500
ignore_startup_parameters = ${['extra_float_digits', ignoreStartup].filter(Boolean).join(', ')}
`,
  );
  const account = isRoot() ? readNobodyAccount() : {};
  const child = spawn(program, ['-q', join(folder, 'pgbouncer.ini')], { ...account, cwd: '/', stdio: 'ignore' });
  const ended = once(child, 'close');
  while (!(await canConnect(ownPort))) {
    if (child.exitCode !== null) throw new Error(`PgBouncer ended with status ${child.exitCode}.`);
    await sleep(20);
  }
  return {
    buildUrl: (database, login) => `postgresql://${login}@127.0.0.1:${ownPort}/${database}?sslmode=disable`,
    async close() {
      child.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
}

async function canConnect(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  return Promise.race([once(socket, 'connect').then(() => true), once(socket, 'error').then(() => false)])
    .catch(() => false)
    .finally(() => socket.destroy());
}
