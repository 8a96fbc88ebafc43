/** What `npm run check`, `npm test` and `npm run test:deep` do, as data. */
import { existsSync } from 'node:fs';
import { timesSetting } from './file-times.ts';

/** `times`: where Vitest writes how long each file took (file-times.ts); the report of Playwright says it itself. */
export type Report = { file: string; format: 'vitest' | 'playwright'; times?: string };

/** `check`: what a minute tells. `test`: what every change needs. `deep`: everything there is. */
export type Depth = 'check' | 'test' | 'deep';

export type Step = {
  name: string;
  command: readonly [string, ...string[]];
  /** Its output is shown only when it fails. */
  isQuiet?: boolean;
  /** A JSON report with the numbers of tests. */
  report?: Report;
  /** How the files that failed, which are added to the command, are tried once more. */
  again?: { command: Step['command']; report: Report };
  env?: Record<string, string>;
};

/** The steps of `beside` run in order while `first` runs; `last` waits for all of them. */
export type Plan = { first: Step[]; beside: Step[]; last: Step[] };

const getToolPath = (name: string) => `node_modules/.bin/${name}`;
const node = process.execPath;
const reports = '.tmp/test';
const journeys = 'tests/e2e/playwright.config.ts';

/** The steps of a run. What has no file in the repository is left out. */
export function buildPlan({ depth, vitestArgs }: { depth: Depth; vitestArgs: readonly string[] }): Plan {
  const env = { TEST_DEPTH: depth };
  const steps = (all: readonly [Step, boolean][]) =>
    all.filter(([, isPresent]) => isPresent).map(([step]) => ({ ...step, env: { ...step.env, ...env } }));
  if (depth === 'check') return { first: steps([testStep(vitestArgs)]), beside: steps(listQuickSteps()), last: [] };
  return {
    first: steps([testStep(vitestArgs)]),
    beside: steps([...listQuickSteps(), ...listBrowserSteps()]),
    last: steps([buildJourneyStep(), ...(depth === 'deep' ? [buildBenchStep()] : [])]),
  };
}

function listQuickSteps(): [Step, boolean][] {
  const steps: [Step, boolean][] = [
    [{ name: 'format', command: [getToolPath('oxfmt'), '--check'] }, true],
    [{ name: 'lint', command: [getToolPath('oxlint'), '--deny-warnings'] }, true],
    [{ name: 'types', command: [getToolPath('tsc'), '-p', '.'] }, true],
    [{ name: 'console types', command: [getToolPath('tsc'), '-p', 'console'] }, existsSync('console/tsconfig.json')],
    [{ name: 'unused code', command: [getToolPath('knip'), '--no-progress'] }, true],
    [
      { name: 'catalogue', command: [node, 'scripts/write-catalogue.ts', '--check'] },
      existsSync('scripts/write-catalogue.ts'),
    ],
    [
      { name: 'words of documents', command: [node, 'scripts/check-markdown.ts'] },
      existsSync('scripts/check-markdown.ts'),
    ],
    [{ name: 'commit subjects', command: [node, 'scripts/check-commits.ts'] }, existsSync('scripts/check-commits.ts')],
  ];
  return steps.map(([step, isPresent]) => [{ ...step, isQuiet: true }, isPresent]);
}

function listBrowserSteps(): [Step, boolean][] {
  return [
    [
      { name: 'console build', command: [node, 'scripts/build-console.ts'], isQuiet: true },
      existsSync('console/index.html'),
    ],
    [
      { name: 'MCP conformance', command: [node, 'scripts/conformance.ts'], isQuiet: true },
      existsSync('scripts/conformance.ts'),
    ],
    [{ name: 'Chromium', command: [node, 'scripts/chromium.ts'], isQuiet: true }, existsSync(journeys)],
  ];
}

function testStep(vitestArgs: readonly string[]): [Step, boolean] {
  const first = buildVitestRun('vitest');
  const again = buildVitestRun('vitest-again');
  const step: Step = {
    name: 'unit, operation and contract tests',
    command: [...first.command, ...vitestArgs],
    report: first.report,
    env: { [timesSetting]: first.report.times },
    ...(process.env.CI && { again: { ...again, command: [...again.command, '--maxWorkers=1'] } }),
  };
  return [step, true];
}

function buildVitestRun(name: string): { command: Step['command']; report: Report & { times: string } } {
  const [file, times] = [`${reports}/${name}.json`, `${reports}/${name}-times.json`];
  const chosen = ['default', 'json', './scripts/test-run/file-times.ts'].map((reporter) => `--reporter=${reporter}`);
  const command: Step['command'] = [getToolPath('vitest'), 'run', ...chosen, `--outputFile.json=${file}`];
  return { command, report: { file, format: 'vitest', times } };
}

function buildJourneyStep(): [Step, boolean] {
  const file = `${reports}/playwright.json`;
  const step: Step = {
    name: 'browser journeys',
    command: [getToolPath('playwright'), 'test', '--config', journeys, '--reporter=list,json'],
    report: { file, format: 'playwright' },
    env: { PLAYWRIGHT_JSON_OUTPUT_FILE: file },
  };
  return [step, existsSync(journeys)];
}

/** In its smallest size a benchmark measures nothing, and shows that it still runs. */
function buildBenchStep(): [Step, boolean] {
  return [{ name: 'benchmarks', command: [node, 'bench/run.ts', '--smallest'], isQuiet: true }, true];
}
