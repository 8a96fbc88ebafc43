// Thalamus as after a week of use, with every provider emulated: npm run demo
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { reachServer } from '../support/server.ts';
import { fill } from './fill.ts';
import { startServices } from '#emulators/services';

const port = process.env['PORT'] ?? '4747';
if (!(await isFree(Number(port)))) {
  process.stderr.write(
    `Port ${port} is taken. Stop what listens there, or choose another: PORT=${Number(port) + 1} npm run demo\n`,
  );
  process.exit(1);
}
const url = `http://localhost:${port}`;
const key = `cm_${randomBytes(24).toString('hex')}`;
const folder = mkdtempSync(join(tmpdir(), 'thalamus-demo-'));
chmodSync(folder, 0o711); // the account that runs PostgreSQL passes through
const services = await startServices(new Date());

const child = spawn(process.execPath, [join(import.meta.dirname, '../../bin/thalamus.mjs'), 'start'], {
  env: {
    ...withoutSettings(process.env),
    ...services.settings,
    PORT: port,
    THALAMUS_DATA_DIR: folder,
    THALAMUS_BOOTSTRAP_KEY: key,
  },
  stdio: ['ignore', 'inherit', 'inherit'],
  detached: true, // a terminal tells all of its group of Ctrl+C, and the server is to hear of it once
});
const ended = once(child, 'exit');
let isEnding = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, end);

try {
  await Promise.race([waitUntilReady(), ended.then(() => Promise.reject(new Error('The server did not start.')))]);
  await fill(reachServer(url, key), services, new Date());
  process.stdout.write(
    `${['', '  All of this is a demo: nothing leaves this machine, and all of it goes when you press Ctrl+C.', ...[...services.hints, `Your key, for the command line: ${key}`, `  npx thalamus login --url ${url}`].map((hint) => `  ${hint}`), ''].join('\n')}\n`,
  );
  await ended;
} finally {
  end();
  await ended;
  await services.close();
  rmSync(folder, { recursive: true, force: true });
}

function end(): void {
  if (!isEnding) child.kill('SIGTERM');
  isEnding = true;
}

/** The demo ignores settings such as mail servers and models of the environment. */
function withoutSettings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^(?:THALAMUS|OTEL)_|^DATABASE_URL$/.test(name)));
}

function isFree(wanted: number): Promise<boolean> {
  const probe = createServer();
  return new Promise((resolve) => {
    probe.once('error', () => resolve(false));
    probe.listen(wanted, () => probe.close(() => resolve(true)));
  });
}

async function waitUntilReady(): Promise<void> {
  while (!(await fetch(`${url}/readyz`).catch(() => null))?.ok) await new Promise((done) => setTimeout(done, 100));
}
