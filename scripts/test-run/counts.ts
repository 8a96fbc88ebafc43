/** Reads how many tests passed and failed, from a runner's report or from the line it ends with. */
import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import type { StepResult } from './run-step.ts';
import type { Step } from './steps.ts';

export type TestCounts = { passed: number; failed: number };

const readers = {
  vitest: z
    .object({ numPassedTests: z.number(), numFailedTests: z.number() })
    .transform(({ numPassedTests, numFailedTests }) => ({ passed: numPassedTests, failed: numFailedTests })),
  playwright: z
    .object({ stats: z.object({ expected: z.number(), flaky: z.number(), unexpected: z.number() }) })
    .transform(({ stats }) => ({ passed: stats.expected + stats.flaky, failed: stats.unexpected })),
};

/** The numbers of one step, or undefined when it has none. */
export function countTests(report: Step['report'], output: string): TestCounts | undefined {
  if (!report) return countFromOutput(output);
  if (!existsSync(report.file)) return undefined;
  return readers[report.format].parse(JSON.parse(readFileSync(report.file, 'utf8')));
}

/**
 * The numbers of a whole run: tests where any were counted, otherwise steps. A step that failed without a failed test
 * counts as one failure, so that nothing failed means exactly that the run passed.
 */
export function sumTestCounts(results: readonly StepResult[]): TestCounts {
  const counted = results.flatMap(({ tests }) => tests ?? []);
  const passedSteps = results.filter(({ hasPassed }) => hasPassed).length;
  const otherFailures = results.filter(({ hasPassed, tests }) => !hasPassed && !tests?.failed).length;
  return {
    passed: counted.length > 0 ? sum(counted.map(({ passed }) => passed)) : passedSteps,
    failed: sum(counted.map(({ failed }) => failed)) + otherFailures,
  };
}

function countFromOutput(output: string): TestCounts | undefined {
  const line = /^(\d+) passed, (\d+) failed$/m.exec(output);
  return line ? { passed: Number(line[1]), failed: Number(line[2]) } : undefined;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
