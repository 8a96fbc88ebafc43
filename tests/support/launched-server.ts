// `npm start` as a terminal or a container runs it: npm, the launcher, the server and its PostgreSQL, in a process group of their own.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { copyDataDir, killServer, createTemporaryFolder } from './embedded-postgres-process.ts';
import { findFreePort } from './free-port.ts';

const root = join(import.meta.dirname, '../..');

/** As bin/thalamus.mjs begins a server; what it installs and builds before is left out. */
const launcher = `import { replaceProcess } from ${JSON.stringify(join(root, 'bin/bootstrap.mjs'))};
import { nodeFlags } from ${JSON.stringify(join(root, 'bin/node-flags.mjs'))};
await replaceProcess(process.execPath, [...nodeFlags, ${JSON.stringify(join(root, 'cli/main.ts'))}, 'start']);`;

export type LaunchedServer = {
  url: string;
  key: string;
  dataDir: string;
  /** All that was said until now, line by line. */
  lines(): string[];
  /** Sends a signal to every process of the group at once, as Ctrl-C does. */
  signal(name: NodeJS.Signals): void;
  /** Resolves once npm has ended. */
  ended: Promise<unknown>;
  /** Whether any process of the group is left. */
  isRunning(): boolean;
};

/** Starts it; does not wait until it is ready. */
export async function launchServer(): Promise<LaunchedServer> {
  const folder = createTemporaryFolder();
  const dataDir = await copyDataDir();
  const port = await findFreePort();
  const key = `cm_${'launched'.repeat(5)}`;
  writeFileSync(join(folder, 'launcher.mjs'), launcher);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ scripts: { start: 'exec node launcher.mjs' } }));
  const child = spawn('npm', ['start'], {
    cwd: folder,
    detached: true, // a group of its own
    env: {
      PATH: `${join(process.execPath, '..')}:${process.env['PATH']}`,
      HOME: folder,
      NODE_ENV: 'test',
      PORT: String(port),
      THALAMUS_DATA_DIR: dataDir,
      THALAMUS_BOOTSTRAP_KEY: key,
      THALAMUS_MASTER_KEY: Buffer.alloc(32, 3).toString('base64'),
      THALAMUS_LOG_LEVEL: 'debug',
      npm_config_update_notifier: 'false',
      ...(process.env['NODE_COMPILE_CACHE'] && { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] }),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const { pid = 0 } = child;
  const ended = once(child, 'close');
  const signal = (name: NodeJS.Signals) => {
    if (hasProcesses(pid)) process.kill(-pid, name);
  };
  onTestFinished(async () => {
    signal('SIGKILL');
    await killServer(dataDir);
  });
  const lines = () => said.split('\n');
  return { url: `http://127.0.0.1:${port}`, key, dataDir, lines, signal, ended, isRunning: () => hasProcesses(pid) };
}

/** Waits until it answers. Throws at once when its processes have ended. */
export async function waitUntilReady({ url, lines, isRunning }: LaunchedServer): Promise<void> {
  for (const giveUpAt = Date.now() + 180_000; Date.now() < giveUpAt && isRunning(); await sleep(50)) {
    const response = await fetch(`${url}/readyz`).catch(() => null);
    if (response?.ok) return;
  }
  throw new Error(`the server is not ready in time: ${lines().slice(-10).join('\n')}`);
}

function hasProcesses(group: number): boolean {
  try {
    process.kill(-group, 0);
    return true;
  } catch {
    return false;
  }
}
