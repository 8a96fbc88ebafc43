// Starts the server process and forwards its output.
import { spawn } from 'node:child_process';
import { Socket as Stream } from 'node:net';
import { createInterface } from 'node:readline';
import type { Account } from './account.ts';
import type { Binaries } from './binaries.ts';
import type { Socket } from './claim.ts';
import { buildProgramEnvironment } from './program-environment.ts';

/** A started server process; `ended` resolves with the reason of its end, once its last output is read. */
export type PostgresProcess = {
  pid: number | undefined;
  isRunning: () => boolean;
  ended: () => string | undefined;
  whenEnded: Promise<void>;
  stop: () => Promise<void>;
  /** Another process has taken over the server, which keeps running when this process ends. */
  disown: () => void;
};

const keptLines = 5;

/**
 * Starts PostgreSQL on a cluster, in its own process group so that Ctrl-C reaches only Thalamus. Does not wait until it
 * is ready.
 */
export function spawnPostgres(options: {
  binaries: Binaries;
  account: Account | undefined;
  clusterDir: string;
  socket: Socket;
  settings: Record<string, string>;
  log: (line: string) => void;
}): PostgresProcess {
  const settings = { ...defaultSettings, ...options.settings, ...buildSocketSettings(options.socket) };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const child = spawn(options.binaries.postgres, ['-D', options.clusterDir, ...flags], {
    ...options.account,
    cwd: '/',
    env: buildProgramEnvironment(),
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  });
  // The connection that holds the lock keeps this process running; a server of another process must not.
  child.unref();
  if (child.stderr instanceof Stream) child.stderr.unref();
  // For an end of this process before another process has taken over the server.
  const stopAtExit = (): void => void child.kill('SIGINT');
  const disown = (): void => void process.removeListener('exit', stopAtExit);
  process.once('exit', stopAtExit);
  const lastLines: string[] = [];
  let end: string | undefined;
  const { promise: whenEnded, resolve } = Promise.withResolvers<void>();
  createInterface({ input: child.stderr }).on('line', (line) => {
    options.log(line);
    if (lastLines.push(line) > keptLines) lastLines.shift();
  });
  const finish = (reason: string): void => {
    end ??= reason;
    disown();
    resolve();
  };
  child.on('error', (error) => finish(error.message));
  // Not `exit`: the lines with the reason arrive after it.
  child.on('close', (code, signal) => finish(lastLines.join(' ') || `it ended with ${signal ?? `status ${code}`}`));
  const stop = async (): Promise<void> => {
    child.kill('SIGINT');
    await whenEnded;
  };
  const isRunning = (): boolean => child.pid !== undefined && child.exitCode === null && child.signalCode === null;
  return { pid: child.pid, isRunning, ended: () => end, whenEnded, stop, disown };
}

// Errors and statements are left out of the log because they quote people's data; the caller of a failed query gets them.
const defaultSettings = {
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_line_prefix: '',
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
  cluster_name: 'thalamus',
};

function buildSocketSettings(socket: Socket): Record<string, string> {
  return {
    listen_addresses: '',
    port: String(socket.port),
    unix_socket_directories: `"${socket.dir.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
  };
}
