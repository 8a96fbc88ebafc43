/** What `npm test` does, in order, as data. */
import { existsSync } from 'node:fs';

export type Report = { file: string; format: 'vitest' | 'playwright' };

export type Step = {
  name: string;
  command: readonly [string, ...string[]];
  /** Quick steps depend on nothing and may run two at a time. */
  isQuick?: boolean;
  /** A JSON report with the numbers of tests. */
  report?: Report;
  /** How the files that failed, which are added to the command, are tried once more. */
  again?: { command: Step['command']; report: Report };
  env?: Record<string, string>;
};

const tool = (name: string) => `node_modules/.bin/${name}`;
const node = process.execPath;
const reports = '.tmp/test';
const journeys = 'tests/e2e/playwright.config.ts';

/** The steps of a run. What has no file in the repository is left out. */
export function stepsOf(options: { isFast: boolean; vitestArgs: readonly string[] }): Step[] {
  return [...quickSteps(), testStep(options), ...(options.isFast ? [] : fullSteps())];
}

function quickSteps(): Step[] {
  const steps: [Step, boolean][] = [
    [{ name: 'format', command: [tool('oxfmt'), '--check'] }, true],
    [{ name: 'lint', command: [tool('oxlint'), '--deny-warnings'] }, true],
    [{ name: 'types', command: [tool('tsc'), '-p', '.'] }, true],
    [{ name: 'console types', command: [tool('tsc'), '-p', 'console'] }, existsSync('console/tsconfig.json')],
    [{ name: 'unused code', command: [tool('knip'), '--no-progress'] }, true],
    [
      { name: 'catalogue', command: [node, 'scripts/write-catalogue.ts', '--check'] },
      existsSync('scripts/write-catalogue.ts'),
    ],
  ];
  return present(steps).map((step) => ({ ...step, isQuick: true }));
}

/** The crash tests wait for leases to end, and the local model's installs a large package: the fast run leaves them out. */
const slow = ['tests/crash', 'tests/local-model'];

function testStep({ isFast, vitestArgs }: { isFast: boolean; vitestArgs: readonly string[] }): Step {
  const first = vitestRun(`${reports}/vitest.json`);
  const again = vitestRun(`${reports}/vitest-again.json`);
  const left = isFast ? slow.map((folder) => `--exclude=${folder}/**`) : [];
  return {
    name: 'unit, operation and contract tests',
    command: [...first.command, ...left, ...vitestArgs],
    report: first.report,
    ...(process.env.CI && { again: { ...again, command: [...again.command, '--maxWorkers=1'] } }),
  };
}

function vitestRun(file: string): { command: Step['command']; report: Report } {
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  return { command: [tool('vitest'), 'run', ...reporters], report: { file, format: 'vitest' } };
}

function fullSteps(): Step[] {
  const file = `${reports}/playwright.json`;
  const hasJourneys = existsSync(journeys);
  return present([
    [{ name: 'console build', command: [node, 'scripts/build-console.ts'] }, existsSync('console/index.html')],
    [{ name: 'MCP conformance', command: [node, 'scripts/conformance.ts'] }, existsSync('scripts/conformance.ts')],
    [{ name: 'Chromium', command: [node, 'scripts/chromium.ts'] }, hasJourneys],
    [
      {
        name: 'browser journeys',
        command: [tool('playwright'), 'test', '--config', journeys, '--reporter=list,json'],
        report: { file, format: 'playwright' },
        env: { PLAYWRIGHT_JSON_OUTPUT_FILE: file },
      },
      hasJourneys,
    ],
  ]);
}

function present(steps: [Step, boolean][]): Step[] {
  return steps.filter(([, isPresent]) => isPresent).map(([step]) => step);
}
