/** Where the time of a run went: its parts, its slowest files, and which of them take longer than a file may. */
import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { relative } from 'node:path';
import { z } from 'zod';
import type { StepResult } from './run-step.ts';
import { slowFiles } from './slow-files.ts';

type FileTime = { file: string; seconds: number };

/** As many test files run at once (vitest.config.ts): on fewer processors each of them takes as much longer. */
const atOnce = 3;
/** A file may take 20 s of a processor of its own. */
export const mostSeconds = 20 * Math.max(1, atOnce / availableParallelism());
const shownFiles = 10;

const vitest = z.object({
  testResults: z.array(z.object({ name: z.string(), startTime: z.number(), endTime: z.number() })),
});
const attempt = z.object({ duration: z.number() });
const spec = z.object({ file: z.string(), tests: z.array(z.object({ results: z.array(attempt) })) });
const playwright = z.object({
  suites: z.array(z.object({ specs: z.array(spec), suites: z.array(z.object({ specs: z.array(spec) })).optional() })),
});

/** The seconds of each part of the run, and its slowest files. */
export function formatTimes(results: readonly StepResult[]): string {
  const parts = results.map(({ step, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${step.name}`);
  const files = listFileTimes(results).slice(0, shownFiles);
  const slowest = files.map(({ file, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${file}`);
  return [...parts, ...(slowest.length ? ['The slowest files:', ...slowest] : [])].join('\n');
}

/** Files that take longer than a file may and are not on the list of those that may. */
export function listSlowFiles(results: readonly StepResult[]): string[] {
  return listFileTimes(results)
    .filter(({ file, seconds }) => seconds > mostSeconds && !(file in slowFiles))
    .map(
      ({ file, seconds }) =>
        `${file} took ${seconds.toFixed(0)} s, and a file may take ${mostSeconds.toFixed(0)} s. Make it faster, move what another ` +
        'level proves to `npm run test:deep`, or name it in scripts/test-run/slow-files.ts with the reason.',
    );
}

/** The slowest first. */
function listFileTimes(results: readonly StepResult[]): FileTime[] {
  return results.flatMap(readFileTimes).toSorted((one, other) => other.seconds - one.seconds);
}

function readFileTimes({ step: { report } }: StepResult): FileTime[] {
  if (!report || !existsSync(report.file)) return [];
  const data: unknown = JSON.parse(readFileSync(report.file, 'utf8'));
  if (report.format === 'vitest') {
    return vitest.parse(data).testResults.map(({ name, startTime, endTime }) => ({
      file: relative(process.cwd(), name),
      seconds: (endTime - startTime) / 1_000,
    }));
  }
  const seconds = new Map<string, number>();
  const specs = playwright.parse(data).suites.flatMap((suite) => [suite, ...(suite.suites ?? [])]);
  for (const { file, tests } of specs.flatMap((suite) => suite.specs)) {
    const took = tests.flatMap((each) => each.results).reduce((sum, { duration }) => sum + duration, 0);
    const name = `tests/e2e/${file}`;
    seconds.set(name, (seconds.get(name) ?? 0) + took / 1_000);
  }
  return [...seconds].map(([file, sum]) => ({ file, seconds: sum }));
}
