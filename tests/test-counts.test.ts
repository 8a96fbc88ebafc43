import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { countTests, sumTestCounts } from '../scripts/test-run/counts.ts';
import { timesSetting } from '../scripts/test-run/file-times.ts';
import { listFailures } from '../scripts/test-run/failures.ts';
import { runStep } from '../scripts/test-run/run-step.ts';
import { checkRetryCount, tryAgain } from '../scripts/test-run/second-try.ts';
import { mostSeconds, listSlowFiles, formatTimes } from '../scripts/test-run/times.ts';
import type { Step } from '../scripts/test-run/steps.ts';

const step: Step = { name: 'a step', command: ['true'] };
const stop = new AbortController().signal;

function buildStepResult(hasPassed: boolean, tests?: { passed: number; failed: number }) {
  return { step, hasPassed, seconds: 0, output: '', tests };
}

test('the run sums tests over the steps that have any', () => {
  const results = [
    buildStepResult(true),
    buildStepResult(true, { passed: 3, failed: 0 }),
    buildStepResult(false, { passed: 4, failed: 2 }),
  ];
  expect(sumTestCounts(results)).toEqual({ passed: 7, failed: 2 });
});

test('a step that fails without a failed test is a failure of the run', () => {
  expect(sumTestCounts([buildStepResult(false), buildStepResult(false, { passed: 5, failed: 0 })])).toEqual({
    passed: 5,
    failed: 2,
  });
});

test('without any test the steps are counted', () => {
  expect(sumTestCounts([buildStepResult(true), buildStepResult(true), buildStepResult(false)])).toEqual({
    passed: 2,
    failed: 1,
  });
});

test('a runner may report its numbers in its own line', () => {
  expect(countTests(undefined, 'noise\n12 passed, 1 failed\nnoise')).toEqual({ passed: 12, failed: 1 });
  expect(countTests(undefined, 'it said 12 passed, 1 failed')).toBeUndefined();
});

test('a run ends with the names and reasons of its failures, with files that could not run among them', async () => {
  await withTests(
    {
      one: "import { expect, test } from 'vitest';\ntest('right', () => {});\ntest('wrong', () => expect(1).toBe(2));",
      two: "throw new Error('no such thing');",
    },
    async (failing) => {
      const [first, second, ...more] = listFailures(await runStep(failing, stop, () => {})).toSorted();
      expect(first).toMatch(/one\.ts wrong\nAssertionError: expected 1 to be 2/);
      expect(second).toMatch(/two\.ts[^]*no such thing/);
      expect(more).toEqual([]);
    },
  );
});

test('a failed file is retried once, and reported separately when it passes then', async () => {
  const onlyLater =
    "import { existsSync, writeFileSync } from 'node:fs';\nimport { expect, test } from 'vitest';\n" +
    "const mark = `${import.meta.dirname}/tried`;\ntest('right', () => {});\n" +
    "test('at times', () => { const was = existsSync(mark); writeFileSync(mark, ''); expect(was).toBe(true); });";
  await withTests({ one: onlyLater }, async (unsteady) => {
    const again = await tryAgain(await runStep(unsteady, stop, () => {}), stop, () => {});
    expect(again).toMatchObject({ hasPassed: true, tests: { passed: 2, failed: 0 } });
    expect(again.passedLater).toEqual({
      files: [expect.stringMatching(/one\.ts$/)],
      reasons: [expect.stringMatching(/one\.ts at times\nAssertionError/)],
    });
  });
});

test('a file that fails twice has failed, and counts once', async () => {
  const wrong =
    "import { expect, test } from 'vitest';\ntest('right', () => {});\ntest('wrong', () => expect(1).toBe(2));";
  await withTests({ one: wrong }, async (failing) => {
    const again = await tryAgain(await runStep(failing, stop, () => {}), stop, () => {});
    expect(again).toMatchObject({ hasPassed: false, tests: { passed: 1, failed: 1 } });
    expect(again.passedLater).toBeUndefined();
  });
});

test('a run with more than two retried files fails', () => {
  const later = (...files: string[]) => ({ ...buildStepResult(true), passedLater: { files, reasons: files } });
  expect(checkRetryCount([later('one.ts'), later('two.ts'), buildStepResult(true)])).toEqual([]);
  expect(checkRetryCount([later('one.ts', 'two.ts'), later('three.ts')])).toEqual([
    expect.stringContaining('one.ts, two.ts, three.ts'),
  ]);
});

test('the run prints the sum of each folder and the slowest files, with what their imports and hooks took', async () => {
  const slow =
    "import { setTimeout } from 'node:timers/promises';\nimport { beforeAll, test } from 'vitest';\n" +
    "beforeAll(async () => void (await setTimeout(300)));\ntest('right', () => {});";
  await withTests({ one: slow, two: "import { test } from 'vitest';\ntest('right', () => {});" }, async (passing) => {
    const done = await runStep(passing, stop, () => {});
    const [one, two] = readTimes(passing);
    expect(one?.file).toMatch(/one\.ts$/);
    expect(one?.seconds).toBeGreaterThanOrEqual(0.3);
    expect(two?.seconds).toBeLessThan(one?.seconds ?? 0);
    writeTimes(passing, { one: 6, two: 7.5 });
    expect(formatTimes([done])).toMatch(
      /The sum of each folder:\n +13\.5 s {2}.*\nThe slowest files:\n +7\.5 s {2}.*two\.ts\n +6\.0 s {2}.*one\.ts$/,
    );
    expect(listSlowFiles([done])).toEqual([]);
    writeTimes(passing, { one: mostSeconds + 1, two: 1 });
    expect(listSlowFiles([done])).toEqual([expect.stringMatching(/one\.ts took \d+ s.*slow-files\.ts/)]);
  });
});

function readTimes({ report }: Step): { file: string; seconds: number }[] {
  const times = JSON.parse(readFileSync(report?.times ?? '', 'utf8')) as { file: string; seconds: number }[];
  return times.toSorted((one, other) => one.file.localeCompare(other.file));
}

function writeTimes(step: Step, seconds: { one: number; two: number }): void {
  const [one, two] = readTimes(step);
  const times = [
    { file: one?.file, seconds: seconds.one },
    { file: two?.file, seconds: seconds.two },
  ];
  writeFileSync(step.report?.times ?? '', JSON.stringify(times));
}

/** A step that runs these files with vitest, by their names without `.ts`. */
async function withTests(files: Record<string, string>, use: (step: Step) => Promise<void>) {
  const folder = mkdtempSync(join(process.cwd(), 'tests', 'failing-'));
  try {
    writeFileSync(join(folder, 'vitest.config.ts'), "export default { test: { include: ['{one,two}.ts'] } };");
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, `${name}.ts`), text);
    await use({ name: 'a step', ...runVitest(folder, 'first'), again: runVitest(folder, 'again') });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function runVitest(folder: string, name: string) {
  const [file, times] = [join(folder, `${name}.json`), join(folder, `${name}-times.json`)];
  const reporters = ['json', join(process.cwd(), 'scripts/test-run/file-times.ts')].map((each) => `--reporter=${each}`);
  const command: Step['command'] = [
    'node_modules/.bin/vitest',
    'run',
    '--root',
    folder,
    ...reporters,
    `--outputFile.json=${file}`,
  ];
  return { command, report: { file, format: 'vitest' as const, times }, env: { [timesSetting]: times } };
}
