import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

/** How one revision's requirement set came out, as names of scenarios. */
export type SuiteResult = {
  passed: string[];
  /** Failed as the list of expected failures says. */
  expected: string[];
  /** Failed and should not have, or passed and is still on the list. */
  failed: string[];
  /** Failed, of no consequence: extensions we do not offer, and scenarios that the suite itself holds as unfinished. */
  unscored: string[];
  output: string;
};

const program = fileURLToPath(
  new URL('dist/index.js', import.meta.resolve('@modelcontextprotocol/conformance/package.json')),
);

/** Runs what a revision of the protocol requires of a server. The suite writes its records into `folder`. */
export async function runSuite(options: { url: string; revision: string; folder: string }): Promise<SuiteResult> {
  const baseline = join(import.meta.dirname, `expected-failures-${options.revision}.yaml`);
  const settings = ['--requirements', options.revision, '--expected-failures', baseline, '-o', options.folder];
  const child = spawn(process.execPath, [program, 'server', '--url', options.url, ...settings], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [output, [exitCode]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  return readOutput(output, exitCode === 0);
}

function readOutput(output: string, hasPassed: boolean): SuiteResult {
  const summary = [...output.matchAll(/^([✓✗]) (\S+): (\d+) passed/gm)].map(([, mark, name = '', checks]) => ({
    name,
    isFine: mark === '✓',
    isEmpty: checks === '0',
  }));
  const expected = parseNames(output, '~');
  const failed = [...parseNames(output, '✗'), ...parseNames(output, '✓')];
  if (!hasPassed && !failed.length) failed.push('the suite itself');
  const isListed = (name: string) => expected.includes(name) || failed.includes(name);
  const others = summary.filter(({ name }) => !isListed(name));
  return {
    passed: others.filter(({ isFine, isEmpty }) => isFine && !isEmpty).map(({ name }) => name),
    expected,
    failed,
    unscored: others.filter(({ isFine }) => !isFine).map(({ name }) => name),
    output,
  };
}

/** The entries of the baseline report, which are indented. */
function parseNames(output: string, mark: string): string[] {
  return [...output.matchAll(new RegExp(`^  ${mark} (\\S+)$`, 'gm'))].map(([, name = '']) => name);
}
