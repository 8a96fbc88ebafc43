// Creates a new cluster with initdb: UTF-8, the same sort order on every machine, one superuser.
import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { giveTo, type Account } from './account.ts';
import type { Binaries } from './binaries.ts';
import { buildDraftFolderPath, publishCluster } from './cluster-location.ts';
import { hasCode } from './error-code.ts';
import { buildProgramEnvironment } from './program-environment.ts';

const run = promisify(execFile);

// Sorting and case use the builtin provider; this applies only to contrib modules that use libc, such as pg_trgm.
const characterLocales = process.platform === 'darwin' ? ['UTF-8', 'C'] : ['C.UTF-8', 'en_US.UTF-8', 'C'];

/** Makes the data folder's cluster and returns its folder. With `isDurable` false nothing is synced to disk (tests). */
export async function createCluster(options: {
  dataDir: string;
  outside: string;
  account: Account | undefined;
  binaries: Binaries;
  isDurable: boolean;
  log: (line: string) => void;
}): Promise<string> {
  const draft = buildDraftFolderPath(options.dataDir, options.outside);
  try {
    giveTo(options.account, draft);
    await initialize(draft, options);
  } catch (cause) {
    rmSync(draft, { recursive: true });
    throw new Error(
      `PostgreSQL could not create a database in ${dirname(draft)}: ${explainFailure(cause)}. ${advice}`,
      {
        cause,
      },
    );
  }
  return publishCluster(options.dataDir, draft, options.log);
}

async function initialize(
  dir: string,
  { binaries, account, isDurable }: { binaries: Binaries; account: Account | undefined; isDurable: boolean },
): Promise<void> {
  for (const locale of characterLocales) {
    const flags = [`--pgdata=${dir}`, '--username=thalamus', '--auth=trust', '--encoding=UTF8', '--no-instructions'];
    flags.push('--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C', `--lc-ctype=${locale}`);
    if (!isDurable) flags.push('--no-sync');
    try {
      await run(binaries.initdb, flags, { ...account, cwd: '/', env: buildProgramEnvironment() });
      return;
    } catch (error) {
      if (!/invalid locale/.test(explainFailure(error)) || locale === characterLocales.at(-1)) throw error;
    }
  }
}

function explainFailure(error: unknown): string {
  if (hasCode(error, 'ENOENT')) return 'its program does not run on this system (on Alpine Linux: another C library)';
  const output = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : '';
  // initdb needs a user name, while the server accepts a number.
  if (/user does not exist/.test(output)) return `user ${process.getuid?.()} has no entry in /etc/passwd`;
  return output || (error instanceof Error ? error.message : String(error));
}

/** The alternative to the embedded PostgreSQL, which works on every system. */
export const advice = 'Fix that, or set DATABASE_URL to a PostgreSQL of your own (16 or newer).';
