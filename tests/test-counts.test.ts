import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { countTests, totalCounts } from '../scripts/test-run/counts.ts';
import { failuresOf } from '../scripts/test-run/failures.ts';

const step = { name: 'a step', command: ['true'] as const };

function result(hasPassed: boolean, tests?: { passed: number; failed: number }) {
  return { step, hasPassed, seconds: 0, output: '', tests };
}

test('tests are summed over the steps that have any', () => {
  const results = [result(true), result(true, { passed: 3, failed: 0 }), result(false, { passed: 4, failed: 2 })];
  expect(totalCounts(results)).toEqual({ passed: 7, failed: 2 });
});

test('a step that fails without a failed test is a failure of the run', () => {
  expect(totalCounts([result(false), result(false, { passed: 5, failed: 0 })])).toEqual({ passed: 5, failed: 2 });
});

test('without any test the steps are counted', () => {
  expect(totalCounts([result(true), result(true), result(false)])).toEqual({ passed: 2, failed: 1 });
});

test('a runner may say its numbers in a line of its own', () => {
  expect(countTests(undefined, 'noise\n12 passed, 1 failed\nnoise')).toEqual({ passed: 12, failed: 1 });
  expect(countTests(undefined, 'it said 12 passed, 1 failed')).toBeUndefined();
});

test('a run ends with the names and reasons of what failed, a file that cannot be run among them', async () => {
  const folder = mkdtempSync(join(process.cwd(), 'tests', 'failing-'));
  try {
    const file = join(folder, 'report.json');
    writeFileSync(join(folder, 'vitest.config.ts'), "export default { test: { include: ['{one,two}.ts'] } };");
    writeFileSync(
      join(folder, 'one.ts'),
      "import { expect, test } from 'vitest';\ntest('right', () => {});\ntest('wrong', () => expect(1).toBe(2));",
    );
    writeFileSync(join(folder, 'two.ts'), "throw new Error('no such thing');");
    const arguments_ = ['run', '--root', folder, '--reporter=json', `--outputFile.json=${file}`];
    await new Promise((resolve) => execFile('node_modules/.bin/vitest', arguments_, resolve));
    const report = { file, format: 'vitest' as const };
    const [first, second, ...more] = failuresOf({ ...result(false), step: { ...step, report } }).toSorted();
    expect(first).toMatch(/one\.ts wrong\nAssertionError: expected 1 to be 2/);
    expect(second).toMatch(/two\.ts[^]*no such thing/);
    expect(more).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
