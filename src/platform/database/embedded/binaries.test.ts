import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, lstatSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTemporaryFolder } from '../../../../tests/support/embedded-postgres-process.ts';
import { isRoot, readNobodyAccount } from './account.ts';
import { findInstalledPackage, prepareBinaries } from './binaries.ts';

const links = JSON.parse(readFileSync(join(findInstalledPackage(), 'native', 'pg-symlinks.json'), 'utf8')) as {
  target: string;
}[];

const shelf = mkdtempSync(join(tmpdir(), 'thalamus-package-'));
const packageRoot = join(shelf, 'package');

beforeAll(() => cpSync(findInstalledPackage(), packageRoot, { recursive: true, verbatimSymlinks: true }));
afterAll(() => rmSync(shelf, { recursive: true }));

// The package as npm installs it with --ignore-scripts: without its library links.
beforeEach(() => {
  chmodSync(shelf, 0o755);
  for (const { target } of links) rmSync(join(packageRoot, target), { force: true });
});

test('links that the install script would have created are created at the start', async () => {
  const copyTo = createTemporaryFolder();
  const { initdb, majorVersion } = await prepareBinaries({ account: undefined, copyTo, log: () => {}, packageRoot });
  expect(initdb.startsWith(packageRoot)).toBe(true);
  expect(links.every(({ target }) => lstatSync(join(packageRoot, target)).isSymbolicLink())).toBe(true);
  expect(execFileSync(initdb, ['--version'], { encoding: 'utf8' })).toContain(`PostgreSQL) ${majorVersion}.`);
});

test.runIf(isRoot())(
  'programs in a folder that their account cannot enter are copied once, and the log says so',
  async () => {
    chmodSync(shelf, 0o700);
    const copyTo = join(createTemporaryFolder(), 'lib');
    const log: string[] = [];
    const options = { account: readNobodyAccount(), copyTo, log: (line: string) => log.push(line), packageRoot };
    const [one, two] = await Promise.all([prepareBinaries(options), prepareBinaries(options)]);
    expect(one).toEqual(two);
    expect(execFileSync(one.postgres, ['--version'], { ...readNobodyAccount(), cwd: '/', encoding: 'utf8' })).toContain(
      'PostgreSQL',
    );
    expect(log[0]).toContain(`from ${packageRoot} to ${copyTo}`);
    const { ino } = statSync(one.postgres);
    await prepareBinaries(options);
    expect(statSync(one.postgres).ino).toBe(ino);
  },
);

test.runIf(isRoot())('programs in a read-only folder are copied, and the folder stays unchanged', async () => {
  const copyTo = createTemporaryFolder();
  chmodSync(copyTo, 0o777);
  const script = `
    import { prepareBinaries } from ${JSON.stringify(join(import.meta.dirname, 'binaries.ts'))};
    const options = { account: undefined, copyTo: process.argv[2], log: () => {}, packageRoot: process.argv[1] };
    console.log((await prepareBinaries(options)).initdb);`;
  const run = ['--input-type=module', '--eval', script, packageRoot, copyTo];
  const initdb = execFileSync(process.execPath, run, { ...readNobodyAccount(), encoding: 'utf8' }).trim();
  expect(initdb.startsWith(copyTo)).toBe(true);
  expect(execFileSync(initdb, ['--version'], { encoding: 'utf8' })).toContain('PostgreSQL');
  expect(links.some(({ target }) => existsSync(join(packageRoot, target)))).toBe(false);
});

test("a platform without PostgreSQL's programs gets the advice to set DATABASE_URL", () => {
  const script = `
    Object.defineProperty(process, 'arch', { value: 'riscv64' });
    const { findInstalledPackage } = await import(${JSON.stringify(join(import.meta.dirname, 'binaries.ts'))});
    try { findInstalledPackage() } catch (error) { console.log(error.message) }`;
  const said = execFileSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' });
  expect(said).toMatch(/riscv64 .* is not installed.* set DATABASE_URL/);
});
