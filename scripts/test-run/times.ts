/** Where the time of a run went: its parts, its folders, its slowest files, and which of them take longer than a file may. */
import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname } from 'node:path';
import { z } from 'zod';
import { fileTimes } from './file-times.ts';
import type { StepResult } from './run-step.ts';
import { slowFiles } from './slow-files.ts';

type FileTime = { file: string; seconds: number };

/** As many test files run at once (vitest.config.ts): on fewer processors each of them takes as much longer. */
const atOnce = 3;
/** A file may take 20 s of a processor of its own. */
export const mostSeconds = 20 * Math.max(1, atOnce / availableParallelism());
const shownFiles = 15;
/** Folders that take less are summed up in one line. */
const shownSeconds = 5;

const attempt = z.object({ duration: z.number() });
const spec = z.object({ file: z.string(), tests: z.array(z.object({ results: z.array(attempt) })) });
const playwright = z.object({
  suites: z.array(z.object({ specs: z.array(spec), suites: z.array(z.object({ specs: z.array(spec) })).optional() })),
});

/** The seconds of each part of the run, the sum of each folder, and the slowest files. */
export function formatTimes(results: readonly StepResult[]): string {
  const parts = results.map(({ step, seconds }) => formatLine(seconds, step.name));
  const files = listFileTimes(results);
  if (!files.length) return parts.join('\n');
  const slowest = files.slice(0, shownFiles).map(({ file, seconds }) => formatLine(seconds, file));
  return [...parts, 'The sum of each folder:', ...formatFolders(files), 'The slowest files:', ...slowest].join('\n');
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

function formatLine(seconds: number, name: string): string {
  return `${seconds.toFixed(1).padStart(7)} s  ${name}`;
}

/** A module of `src` and a folder of tests each have a line; its deeper folders are part of it. */
function formatFolders(files: readonly FileTime[]): string[] {
  const sums = new Map<string, number>();
  for (const { file, seconds } of files) {
    const folder = dirname(file).split('/').slice(0, 3).join('/');
    sums.set(folder, (sums.get(folder) ?? 0) + seconds);
  }
  const all = [...sums].toSorted(([, one], [, other]) => other - one);
  const [shown, rest] = [all.filter(([, sum]) => sum >= shownSeconds), all.filter(([, sum]) => sum < shownSeconds)];
  const lines = shown.map(([folder, sum]) => formatLine(sum, folder));
  const left = rest.reduce((total, [, sum]) => total + sum, 0);
  return rest.length ? [...lines, formatLine(left, `${rest.length} other folders`)] : lines;
}

/** The slowest first. */
function listFileTimes(results: readonly StepResult[]): FileTime[] {
  return results.flatMap(readFileTimes).toSorted((one, other) => other.seconds - one.seconds);
}

function readFileTimes({ step: { report } }: StepResult): FileTime[] {
  if (report?.format === 'vitest')
    return report.times && existsSync(report.times) ? fileTimes.parse(readJson(report.times)) : [];
  if (!report || !existsSync(report.file)) return [];
  const seconds = new Map<string, number>();
  const specs = playwright.parse(readJson(report.file)).suites.flatMap((suite) => [suite, ...(suite.suites ?? [])]);
  for (const { file, tests } of specs.flatMap((suite) => suite.specs)) {
    const took = tests.flatMap((each) => each.results).reduce((sum, { duration }) => sum + duration, 0);
    const name = `tests/e2e/${file}`;
    seconds.set(name, (seconds.get(name) ?? 0) + took / 1_000);
  }
  return [...seconds].map(([file, sum]) => ({ file, seconds: sum }));
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'));
}
