import { execFile, execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

const script = join(import.meta.dirname, 'check-commits.ts');
const long = `fix: ${'a'.repeat(68)}`;

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'thalamus-commits-'));
  runGit('init', '--initial-branch=main');
  addCommit('feat: begin; before the rule');
});

afterEach(() => rm(folder, { recursive: true }));

function runGit(...args: string[]): string {
  const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', '-c', 'commit.gpgsign=false'];
  return execFileSync('git', [...identity, ...args], { cwd: folder, encoding: 'utf8', stdio: 'pipe' }).trim();
}

const addCommit = (subject: string) => runGit('commit', '--allow-empty', '--message', subject);
const publish = () => runGit('update-ref', 'refs/remotes/origin/main', 'HEAD');

function check(cwd = folder): Promise<{ code: number; stderr: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [script], { cwd }, (error, _stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, stderr });
    });
  });
}

const passed = { code: 0, stderr: '' };

test('new commits with short subjects pass, whatever origin/main already has', async () => {
  publish();
  addCommit('fix(actions): refuse to confirm after expiry');
  addCommit(`fix: ${'a'.repeat(67)}`);
  expect(await check()).toEqual(passed);
});

test.for([
  ['of 73 characters', long, '73 characters'],
  ['with a semicolon', 'fix: refuse; and report', 'semicolon'],
] as const)('a new subject %s is refused with its commit', async ([, subject, message]) => {
  publish();
  addCommit(subject);
  addCommit('docs: explain it');
  const { code, stderr } = await check();
  expect(code).toBe(1);
  expect(stderr).toContain(`${runGit('rev-parse', '--short', 'HEAD~1')} ${subject}: `);
  expect(stderr).toContain(message);
  expect(stderr).not.toContain('docs: explain it');
});

test('the merge of a branch is not judged, and its own commits are', async () => {
  publish();
  runGit('checkout', '-b', 'side');
  addCommit('fix: one');
  runGit('checkout', 'main');
  addCommit('fix: two');
  runGit('merge', 'side', '--message', `Merge; ${long}`);
  expect(await check()).toEqual(passed);
});

test('commits from before this check are not judged', async () => {
  publish();
  addCommit(long);
  await mkdir(join(folder, 'scripts'));
  await writeFile(join(folder, 'scripts/check-commits.ts'), '');
  runGit('add', '.');
  addCommit('build: check the subjects of commits');
  expect(await check()).toEqual(passed);
  addCommit(long);
  expect((await check()).stderr.match(/characters/g)).toHaveLength(1);
});

test('without origin/main, or with an unrelated one, nothing is judged', async () => {
  addCommit(long);
  expect(await check()).toEqual(passed);
  runGit('checkout', '--orphan', 'other');
  addCommit('feat: another project');
  publish();
  runGit('checkout', 'main');
  expect(await check()).toEqual(passed);
});

test('in a shallow clone and outside a repository nothing is judged', async () => {
  publish();
  addCommit('fix: one');
  addCommit(long);
  const shallow = join(folder, 'shallow');
  runGit('clone', '--depth=1', `file://${folder}`, shallow);
  expect(await check(shallow)).toEqual(passed);
  await rm(join(folder, '.git'), { recursive: true });
  expect(await check()).toEqual(passed);
});
