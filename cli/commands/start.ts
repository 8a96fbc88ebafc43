import type { Command } from 'commander';
import { isLoopbackName } from '#kernel/loopback-names';
import type { Server } from '../../src/server.ts';
import { UsageError } from '../failure.ts';

export function addStartCommand(program: Command): void {
  program
    .command('start')
    .description('Start the server. Settings are environment variables; the README lists them.')
    .action(start);
}

async function start(): Promise<void> {
  const stop = waitUntilStopped(); // before anything starts that would be left running
  const config = await readSettings();
  const { createLog } = await import('#platform/log');
  const { exportWhenAsked } = await import('#platform/telemetry');
  const { startServer } = await import('../../src/server.ts');
  const log = createLog(config.logLevel);
  const stopExport = await exportWhenAsked(process.env);
  const server = await startServer(config, log);
  process.stdout.write(formatBanner(server, config.publicUrl));
  await stop;
  log.info('stopping');
  await server.close();
  await stopExport();
}

async function readSettings() {
  const { ConfigError } = await import('#platform/config');
  const { readConfig } = await import('../../src/configuration.ts');
  try {
    return readConfig();
  } catch (error) {
    if (error instanceof ConfigError) throw new UsageError(error.message);
    throw error;
  }
}

/**
 * Ctrl-C and the end of a container reach the whole process group, and npm and the launcher pass signals on: within
 * this time several signals count as one.
 */
const sameSignalMs = 2_000;

/** Resolves at the first signal to stop; another signal some time later ends the process at once. */
function waitUntilStopped(): Promise<void> {
  return new Promise((resolve) => {
    let firstAt: number | null = null;
    const stop = () => {
      firstAt ??= performance.now();
      if (performance.now() - firstAt > sameSignalMs) process.exit(1);
      resolve();
    };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
  });
}

/** Whether both are names of this machine with the same port: the banner then shows only the address for a browser. */
function isOneServer(publicUrl: string, url: string): boolean {
  const [one, other] = [new URL(publicUrl), new URL(url)];
  return one.port === other.port && [one, other].every(({ hostname }) => isLoopbackName(hostname));
}

function formatBanner({ url, welcome }: Server, publicUrl: string): string {
  const { host } = new URL(url);
  const lines = [
    '',
    `  Thalamus is ready at ${publicUrl}${isOneServer(publicUrl, url) ? '' : ` (it listens on ${host})`}`,
    '',
  ];
  if (welcome) {
    lines.push('  Sign in to the console (once, within 15 minutes):', `    ${welcome.signIn.url}`, '');
    if (welcome.key) {
      lines.push(
        "The owner's key, shown only now. It has all your rights. Give it only to your own scripts, not to agents:",
        `    ${welcome.key}`,
        '',
        '  Store it for the command line (it asks for the key):',
        `    npx thalamus login --url ${publicUrl}`,
        '',
      );
    }
  } else {
    lines.push(
      '  Sign in to the console with a link from `npx thalamus sign-in`; without a key, on this machine, `npx thalamus sign-in --owner`.',
      '',
    );
  }
  lines.push(`  MCP for agents: ${publicUrl}/mcp    API reference: ${publicUrl}/docs`, '', '');
  return lines.join('\n');
}
