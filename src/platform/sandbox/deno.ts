// Finds Deno, and starts it so that its code has access to nothing.
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** Why nothing can run here, for `doctor` and for the error that callers get. */
export class SandboxUnavailable extends Error {}

const packages: Record<string, string> = {
  'linux-x64': '@deno/linux-x64-glibc',
  'linux-arm64': '@deno/linux-arm64-glibc',
  'darwin-x64': '@deno/darwin-x64',
  'darwin-arm64': '@deno/darwin-arm64',
};

/** The program of the installed package. Throws `SandboxUnavailable`, which says what to do, when there is none. */
export function findInstalledDeno(): string {
  const platform = `${process.platform}-${process.arch}`;
  const name = packages[platform];
  if (!name) throw new SandboxUnavailable(`Deno is not available for ${platform}, so automations cannot run here.`);
  try {
    const program = join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), 'deno');
    if (existsSync(program)) return program;
    throw new Error(`${program} is missing`);
  } catch (cause) {
    const how = 'Install again with optional dependencies.';
    throw new SandboxUnavailable(`The package ${name} is not installed, so automations cannot run. ${how}`, { cause });
  }
}

const noImports = ['--no-remote', '--no-npm', '--cached-only', '--deny-import'];
const flags = [...noImports, '--no-prompt', '--no-config', '--no-lock', '--no-check', '--quiet'];
/** Heap limits do not count ArrayBuffers; this is the limit of the whole process. */
const dataBytes = 800_000_000;
/** The latest time at which a process ends after its server was killed. */
const cpuSeconds = 900;

let bootstrap: string | null = null;

/**
 * The main module, with the modules that it imports, because the process may read no file. It is TypeScript, so that Deno
 * loads its translator before a process waits for code, which would otherwise take 150 ms of the first run.
 */
function getBootstrap(): string {
  bootstrap ??= buildInsideUrl(new URL('inside/bootstrap.ts', import.meta.url), {
    './brains-sdk.ts': buildInsideUrl(new URL('inside/brains-sdk.ts', import.meta.url)),
    './read-script.ts': buildInsideUrl(new URL('inside/read-script.ts', import.meta.url)),
  });
  return bootstrap;
}

/** The address of a module of the folder `inside` by its text, with the addresses of what it imports filled in. */
export function buildInsideUrl(file: URL, imported: Readonly<Record<string, string>> = {}): string {
  const source = readFileSync(file, 'utf8');
  return buildModuleUrl(Object.entries(imported).reduce((all, [from, to]) => all.replace(from, () => to), source));
}

/** A process that may read one folder, with its own main module and arguments. */
export type ProcessOptions = { mayRead: string; main?: string; args: readonly string[] };

/**
 * A command line: Deno without any permission except `special.mayRead`, under the limits that the system's tools can
 * set.
 */
export function buildCommand(deno: string, special?: ProcessOptions): { file: string; args: string[] } {
  const permissions = special ? [`--allow-read=${special.mayRead}`] : [];
  const main = special?.main ?? getBootstrap();
  const run = [
    deno,
    'run',
    ...flags,
    ...permissions,
    '--v8-flags=--max-old-space-size=64',
    main,
    ...(special?.args ?? []),
  ];
  const [file = deno, ...args] = [...buildLimitPrefix(), ...run];
  return { file, args };
}

/** A data URL of a module. */
export function buildModuleUrl(module: string): string {
  return `data:application/typescript;base64,${Buffer.from(module).toString('base64')}`;
}

/** With util-linux, where available: limits of the kernel, and the process dies together with the server. */
function buildLimitPrefix(): string[] {
  const tool = (name: string) => ['/usr/bin', '/bin', '/usr/sbin'].map((folder) => join(folder, name)).find(existsSync);
  const [setpriv, prlimit] = [tool('setpriv'), tool('prlimit')];
  const limits = [`--data=${dataBytes}`, `--cpu=${cpuSeconds}`, '--core=0', '--fsize=0'];
  return [
    ...(setpriv ? [setpriv, '--pdeathsig', 'KILL', '--no-new-privs'] : []),
    ...(prlimit ? [prlimit, ...limits] : []),
  ];
}

/** The complete environment of the process. With a cache folder, storage would outlive a run. */
export const environment = { DENO_DIR: '/dev/null', DENO_NO_UPDATE_CHECK: '1', NO_COLOR: '1', HOME: '/nonexistent' };
