// The command of a process that reads files from outside. The process can read the code, but start nothing, write
// nothing and see no setting.
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));
/** What the process maps before it reads a file; the kernel counts that, too. */
const baseBytes = 300_000_000;

/** `reads` and `writes`: further folders. Without `cpuSeconds` the process may live as long as its parent. */
export type ChildProgram = {
  main: string;
  args?: readonly string[];
  reads?: readonly string[];
  writes?: readonly string[];
  memoryBytes: number;
  cpuSeconds?: number;
};

/** The command that starts a program under its limits. */
export function buildChildCommand({ main, args = [], reads = [], writes = [], ...limits }: ChildProgram): {
  file: string;
  args: string[];
} {
  const heapMb = Math.floor(limits.memoryBytes / 1_500_000);
  // Only code and packages: the data folder, which may be beside them, contains the master key.
  const code = [join(root, 'src'), join(root, 'package.json'), join(root, 'node_modules'), findPackages()];
  const node = [
    process.execPath,
    '--permission',
    ...[...code, ...reads].map((path) => `--allow-fs-read=${path}`),
    ...writes.map((path) => `--allow-fs-write=${path}`),
    `--max-old-space-size=${heapMb}`,
    '--disable-warning=ExperimentalWarning',
    '--disable-warning=SecurityWarning',
    main,
    ...args,
  ];
  const [file = process.execPath, ...rest] = [...limitTools(limits), ...node];
  return { file, args: rest };
}

/** The real path of the packages: their folder may be a link. */
function findPackages(): string {
  return dirname(dirname(dirname(realpathSync(fileURLToPath(import.meta.resolve('unpdf'))))));
}

/** With util-linux, where available: limits of the kernel, and the process dies together with the server. */
function limitTools({ memoryBytes, cpuSeconds }: Pick<ChildProgram, 'memoryBytes' | 'cpuSeconds'>): string[] {
  const tool = (name: string) => ['/usr/bin', '/bin', '/usr/sbin'].map((folder) => join(folder, name)).find(existsSync);
  const [setpriv, prlimit] = [tool('setpriv'), tool('prlimit')];
  const cpu = cpuSeconds === undefined ? [] : [`--cpu=${cpuSeconds}`];
  return [
    ...(setpriv ? [setpriv, '--pdeathsig', 'KILL', '--no-new-privs'] : []),
    ...(prlimit ? [prlimit, `--data=${memoryBytes + baseBytes}`, ...cpu, '--core=0'] : []),
  ];
}
