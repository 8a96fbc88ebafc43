/** In CI what failed is tried once more with nothing beside it; what passes only then is told apart, never kept silent. */
import { filesWithFailures, failuresOf } from './failures.ts';
import { runStep, type StepResult } from './run-step.ts';
import type { Step } from './steps.ts';

/** Of more files than that it is not the machine that failed. */
const mostFiles = 5;

export type TwiceTried = StepResult & {
  /** Each with its file and the reason of the first try. */
  passedLater?: string[];
};

/** The result with what a second try changed; the same result for steps that have none and for what cannot be repeated. */
export async function tryAgain(
  result: StepResult,
  stop: AbortSignal,
  onLine: (line: string) => void,
): Promise<TwiceTried> {
  const files = filesWithFailures(result);
  const { step } = result;
  if (!step.again || result.tests === undefined || files.length === 0 || files.length > mostFiles) return result;
  const passedLater = failuresOf(result);
  const second = await runStep(onlyFiles(step, step.again, files), stop, onLine);
  if (!second.hasPassed) return { ...result, seconds: result.seconds + second.seconds };
  const { passed, failed } = result.tests;
  return {
    ...result,
    hasPassed: true,
    seconds: result.seconds + second.seconds,
    tests: { passed: passed + failed, failed: 0 },
    passedLater,
  };
}

function onlyFiles(step: Step, again: NonNullable<Step['again']>, files: readonly string[]): Step {
  const [command, ...args] = again.command;
  return { ...step, name: `${step.name}, once more`, command: [command, ...args, ...files], report: again.report };
}
