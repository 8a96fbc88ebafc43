/**
 * `npm test`: what every change needs; `--check` is what a minute or two tell, `--deep` everything there is. Other arguments go to vitest. All
 * steps are attempted; the last line is `N passed, N failed`.
 */
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { sumTestCounts } from './test-run/counts.ts';
import { listFailures } from './test-run/failures.ts';
import { showProgress, type Progress } from './test-run/progress.ts';
import { runStep } from './test-run/run-step.ts';
import { checkRetryCount, tryAgain, listRetryReasons, type TwiceTried } from './test-run/second-try.ts';
import { listSlowFiles, formatTimes } from './test-run/times.ts';
import { buildPlan, type Depth, type Plan, type Step } from './test-run/steps.ts';

process.chdir(dirname(import.meta.dirname));
mkdirSync('.tmp/test', { recursive: true });
const args = process.argv.slice(2);
const depths: Record<string, Depth> = { '--check': 'check', '--deep': 'deep' };
const depth = args.flatMap((arg) => depths[arg] ?? [])[0] ?? 'test';
const results = await runPlan(buildPlan({ depth, vitestArgs: args.filter((arg) => !(arg in depths)) }), stopOnSignal());
const failed = results.filter(({ hasPassed }) => !hasPassed);

console.log(`\n${formatTimes(results)}\n`);
for (const unsteady of listRetryReasons(results)) console.log(`\nPassed only when tried once more:\n${unsteady}\n`);
for (const failure of failed.flatMap(listFailures)) console.log(`\n${failure}\n`);
const slow = depth === 'deep' ? [] : listSlowFiles(results);
// A machine may be slow or busy, so that time is a hint and fails nothing.
for (const file of slow) console.log(`Slow: ${file}`);
const tries = checkRetryCount(results);
for (const problem of tries) console.log(`✗ ${problem}`);
if (failed.length > 0) console.log(`Failed: ${failed.map(({ step }) => step.name).join(', ')}`);
const total = sumTestCounts(results);
const failures = total.failed + tries.length;
console.log(`${total.passed} passed, ${failures} failed`);
process.exitCode ??= failures > 0 ? 1 : 0;

async function runPlan({ first, beside, last }: Plan, stop: AbortSignal): Promise<TwiceTried[]> {
  const progress = showProgress();
  const both = await Promise.all([first, beside].map((steps) => runAll(steps, stop, progress)));
  const rest = await runAll(last, stop, progress);
  progress.close();
  return [...both.flat(), ...rest];
}

async function runAll(steps: readonly Step[], stop: AbortSignal, progress: Progress): Promise<TwiceTried[]> {
  const done: TwiceTried[] = [];
  for (const step of steps) {
    if (stop.aborted) break;
    progress.begin(step);
    const emitEvent = (line: string) => progress.line(step, line);
    const result = await tryAgain(await runStep(step, stop, emitEvent), stop, emitEvent);
    progress.end(result);
    done.push(result);
  }
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
