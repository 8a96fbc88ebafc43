// Checks the subjects of the commits that origin/main lacks. Silent in a shallow clone, or without a common history.
import { execFileSync } from 'node:child_process';

const longest = 72;

/** The output of a git command; null when it fails, such as outside a repository. */
function runGit(...args: string[]): string | null {
  try {
    return execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return null;
  }
}

/** The new commits as lines `hash subject`, without merges and without those older than this check. */
function listNewCommits(): string[] {
  if (runGit('rev-parse', '--is-shallow-repository') !== 'false') return [];
  if (runGit('merge-base', 'origin/main', 'HEAD') === null) return [];
  const added = runGit('log', '--diff-filter=A', '--format=%H', '--', 'scripts/check-commits.ts')?.split('\n').at(-1);
  const older = added ? [`^${added}^@`] : [];
  const lines = runGit('log', '--no-merges', '--format=%h %s', 'HEAD', '^origin/main', ...older);
  return (lines ?? '').split('\n').filter(Boolean);
}

const problems = listNewCommits().flatMap((line) => {
  const subject = line.slice(line.indexOf(' ') + 1);
  if (subject.length > longest) return [`${line}: ${subject.length} characters, but at most ${longest} are allowed.`];
  return subject.includes(';') ? [`${line}: a semicolon joins two ideas. Name one, or make two commits.`] : [];
});

if (problems.length) {
  process.stderr.write(`${problems.join('\n')}\nReword them with \`git rebase -i origin/main\`.\n`);
  process.exitCode = 1;
}
