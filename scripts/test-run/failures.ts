/** Names the tests that failed, so that a run ends with them instead of leaving them far above. */
import { existsSync, readFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import { z } from 'zod';
import type { StepResult } from './run-step.ts';

const longestReason = 2_000;
const longestEnd = 6_000;
/** As Vitest names the file that ran when an error came which nobody handled. */
const unhandledIn = /^This error originated in "(.+?)" test file/gm;

/** A file that could not be run at all carries its reason itself. */
const vitest = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string(),
      assertionResults: z.array(
        z.object({ fullName: z.string(), status: z.string(), failureMessages: z.array(z.string()).nullish() }),
      ),
    }),
  ),
});

/** The failed tests of a step, each with its file and reason; how the step ended where it failed without a failed test. */
export function listFailures(result: StepResult): string[] {
  const named = listNamedFailures(result);
  if (result.hasPassed || named.length > 0 || result.tests?.failed) return named;
  return [
    stripVTControlCharacters(`✗ ${result.step.name}, which ended with\n${result.output.slice(-longestEnd)}`).trim(),
  ];
}

function listNamedFailures(result: StepResult): string[] {
  return readFailedFiles(result).flatMap(({ name, status, message, assertionResults }) => {
    const failed = assertionResults.filter((test) => test.status === 'failed');
    if (failed.length === 0) return status === 'failed' ? [formatFailure(name, '', message)] : [];
    return failed.map((test) => formatFailure(name, test.fullName, test.failureMessages?.join('\n') ?? ''));
  });
}

/** The paths of the files in which a test failed, which could not be run at all, or during which an error was left unhandled. */
export function listFilesWithFailures(result: StepResult): string[] {
  const origins = result.hasPassed ? [] : stripVTControlCharacters(result.output).matchAll(unhandledIn);
  const unhandled = [...origins].flatMap(([, file]) => file ?? []);
  return [...new Set([...readFailedFiles(result).map(({ name }) => name), ...unhandled])];
}

function readFailedFiles({ step, hasPassed }: StepResult) {
  if (hasPassed || step.report?.format !== 'vitest' || !existsSync(step.report.file)) return [];
  const { testResults } = vitest.parse(JSON.parse(readFileSync(step.report.file, 'utf8')));
  return testResults.filter(({ status }) => status === 'failed');
}

function formatFailure(file: string, name: string, reason: string): string {
  return stripVTControlCharacters(`✗ ${file} ${name}\n${reason.slice(0, longestReason)}`).trim();
}
