/**
 * `npm test`: every check of the repository, one line each; `--fast` leaves out what needs a browser or a build. Other
 * arguments go to vitest. All steps are attempted; the last line is `N passed, N failed`.
 */
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { totalCounts } from './test-run/counts.ts';
import { failuresOf } from './test-run/failures.ts';
import { showProgress, type Progress } from './test-run/progress.ts';
import { runStep } from './test-run/run-step.ts';
import { tryAgain, type TwiceTried } from './test-run/second-try.ts';
import { stepsOf, type Step } from './test-run/steps.ts';

const quickAtOnce = 2;

process.chdir(dirname(import.meta.dirname));
mkdirSync('.tmp/test', { recursive: true });
const args = process.argv.slice(2);
const steps = stepsOf({ isFast: args.includes('--fast'), vitestArgs: args.filter((arg) => arg !== '--fast') });
const results = await runAll(steps, stopOnSignal());
const failed = results.filter(({ hasPassed }) => !hasPassed);
for (const unsteady of results.flatMap(({ passedLater }) => passedLater ?? [])) {
  console.log(`\nPassed only when tried once more:\n${unsteady}\n`);
}
for (const failure of failed.flatMap(failuresOf)) console.log(`\n${failure}\n`);
if (failed.length > 0) console.log(`Failed: ${failed.map(({ step }) => step.name).join(', ')}`);
const total = totalCounts(results);
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exitCode ??= failed.length > 0 ? 1 : 0;

async function runAll(all: readonly Step[], stop: AbortSignal): Promise<TwiceTried[]> {
  const progress = showProgress();
  const quick = all.filter(({ isQuick }) => isQuick);
  const others = all.filter(({ isQuick }) => !isQuick);
  const first = await runPool(quick, quickAtOnce, stop, progress);
  const rest = await runPool(others, 1, stop, progress);
  progress.close();
  return [...first, ...rest];
}

async function runPool(all: readonly Step[], atOnce: number, stop: AbortSignal, progress: Progress) {
  const waiting = [...all];
  const done: TwiceTried[] = [];
  const work = async () => {
    for (let step = waiting.shift(); step && !stop.aborted; step = waiting.shift()) {
      const current = step;
      progress.begin(current);
      const tell = (line: string) => progress.line(current, line);
      const result = await tryAgain(await runStep(current, stop, tell), stop, tell);
      progress.end(result);
      done.push(result);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return done;
}

/** Ctrl-C and SIGTERM stop the running steps; what was not attempted is then not reported as passed. */
function stopOnSignal(): AbortSignal {
  const stop = new AbortController();
  const onSignal = (code: number) => () => {
    process.exitCode = code;
    stop.abort();
  };
  process.once('SIGINT', onSignal(130));
  process.once('SIGTERM', onSignal(143));
  return stop.signal;
}
