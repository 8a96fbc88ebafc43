/** In CI what failed is tried once more with nothing beside it; what passes only then is named, and more than a few fail the run. */
import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { listFilesWithFailures, listFailures } from './failures.ts';
import { runStep, type StepResult } from './run-step.ts';
import type { Step } from './steps.ts';

/** Of more files than that it is not the machine that failed. */
const mostTried = 5;
/** How many files of a run may pass only at their second try. */
const mostPassedLater = 2;

export type TwiceTried = StepResult & {
  /** What passed only at the second try: its file, and what the first try said. */
  passedLater?: { files: readonly string[]; reasons: readonly string[] };
};

const playwrightSpecs = z.object({
  specs: z.array(z.object({ file: z.string(), title: z.string(), tests: z.array(z.object({ status: z.string() })) })),
});
const playwright = z.object({
  suites: z.array(playwrightSpecs.extend({ suites: z.array(playwrightSpecs).optional() })),
});

/** The result with what a second try changed; the same result for steps that have none and for what cannot be repeated. */
export async function tryAgain(
  result: StepResult,
  stop: AbortSignal,
  onLine: (line: string) => void,
): Promise<TwiceTried> {
  if (result.step.report?.format === 'playwright') return withFlaky(result);
  const files = listFilesWithFailures(result);
  const { step } = result;
  if (!step.again || result.tests === undefined || files.length === 0 || files.length > mostTried) return result;
  const reasons = listFailures(result);
  const second = await runStep(narrowStep(step, step.again, files), stop, onLine);
  if (!second.hasPassed) return { ...result, seconds: result.seconds + second.seconds };
  const { passed, failed } = result.tests;
  return {
    ...result,
    hasPassed: true,
    seconds: result.seconds + second.seconds,
    tests: { passed: passed + failed, failed: 0 },
    passedLater: { files, reasons },
  };
}

/** What passed only at the second try, each with the reason of the first. */
export function listRetryReasons(results: readonly TwiceTried[]): string[] {
  return results.flatMap(({ passedLater }) => passedLater?.reasons ?? []);
}

/** Says so when more files than a run may have passed only at the second try. */
export function checkRetryCount(results: readonly TwiceTried[]): string[] {
  const files = results.flatMap(({ passedLater }) => passedLater?.files ?? []);
  if (files.length <= mostPassedLater) return [];
  return [`${files.length} files passed only when tried once more, and ${mostPassedLater} may: ${files.join(', ')}`];
}

/** Playwright tries journeys again by itself, and calls them flaky then. */
function withFlaky(result: StepResult): TwiceTried {
  const { report } = result.step;
  if (!report || !existsSync(report.file)) return result;
  const { suites } = playwright.parse(JSON.parse(readFileSync(report.file, 'utf8')));
  const specs = suites.flatMap((suite) => [...suite.specs, ...(suite.suites ?? []).flatMap((inner) => inner.specs)]);
  const flaky = specs.filter(({ tests }) => tests.some(({ status }) => status === 'flaky'));
  if (!flaky.length) return result;
  const files = [...new Set(flaky.map(({ file }) => file))];
  return { ...result, passedLater: { files, reasons: flaky.map(({ file, title }) => `✗ ${file} ${title}`) } };
}

function narrowStep(step: Step, again: NonNullable<Step['again']>, files: readonly string[]): Step {
  const [command, ...args] = again.command;
  return { ...step, name: `${step.name}, once more`, command: [command, ...args, ...files], report: again.report };
}
