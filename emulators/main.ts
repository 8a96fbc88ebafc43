// Runs emulators until they are ended: npm run emulators -- google slack --port 4800
import { parseArgs } from 'node:util';
import { services, buildEmulatorSettings, type ServiceName } from './services.ts';

const usage = `Usage: npm run emulators -- <name>… [--port <first port>]

Starts emulators with the demo's data, the first on the port, the next on the one after it; on free ports without --port.
Names: ${Object.keys(services).join(', ')}, or all.
`;

const { port, names } = read();
const running: { close(): Promise<void> }[] = [];
for (const [index, name] of names.entries()) {
  const emulator = await services[name](new Date(), { ...(port !== null && { port: port + index }) });
  running.push(emulator);
  const settings = Object.entries(buildEmulatorSettings(name, emulator)).map(([key, value]) => `  ${key}=${value}\n`);
  process.stdout.write(`${name} listens at ${emulator.url}\n${settings.join('')}`);
}
process.stdout.write('Start Thalamus with these settings. Ctrl+C ends the emulators, and what they hold goes.\n');
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end);

async function end(): Promise<void> {
  await Promise.all(running.map((emulator) => emulator.close()));
}

function read(): { port: number | null; names: ServiceName[] } {
  try {
    const options = { port: { type: 'string' }, help: { type: 'boolean', short: 'h' } } as const;
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    const named = positionals.includes('all') ? Object.keys(services) : positionals;
    const unknown = named.filter((name) => !(name in services));
    if (values.help || !named.length) stop(usage, values.help ? 0 : 1);
    if (unknown.length) stop(`There is no emulator ${unknown.join(', ')}.\n\n${usage}`, 1);
    const first = values.port === undefined ? null : Number(values.port);
    if (first !== null && !(Number.isInteger(first) && first > 0 && first < 65_536))
      stop(`--port: ${values.port} is not a port.\n`, 1);
    return { port: first, names: named as ServiceName[] }; // each was looked up
  } catch (error) {
    return stop(`${(error as Error).message}\n\n${usage}`, 1);
  }
}

function stop(words: string, code: number): never {
  (code === 0 ? process.stdout : process.stderr).write(words);
  process.exit(code);
}
