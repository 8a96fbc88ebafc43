/** Runs one step as a child process and keeps what it printed. */
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { countTests, type TestCounts } from './counts.ts';
import type { Step } from './steps.ts';

/** So long what a step printed at its end is waited for. */
const drainMs = 2_000;

export type StepResult = {
  step: Step;
  hasPassed: boolean;
  seconds: number;
  output: string;
  /** How many tests ran, or undefined for a step that is not made of tests. */
  tests: TestCounts | undefined;
};

/** Runs the step; `onLine` is told every line it prints. Aborting stops the child, never leaves it behind. */
export async function runStep(step: Step, stop: AbortSignal, onLine: (line: string) => void): Promise<StepResult> {
  const started = performance.now();
  const lines: string[] = [];
  const keep = (line: string) => {
    lines.push(line);
    onLine(line);
  };
  for (const old of [step.report?.file, step.report?.times]) if (old) rmSync(old, { force: true });
  const code = await spawnAndRead(step, stop, keep);
  const output = lines.join('\n');
  const seconds = (performance.now() - started) / 1_000;
  return { step, hasPassed: code === 0, seconds, output, tests: countTests(step.report, output) };
}

function spawnAndRead(step: Step, stop: AbortSignal, onLine: (line: string) => void): Promise<number> {
  const [command, ...args] = step.command;
  const color = process.stdout.isTTY && !process.env.NO_COLOR ? { FORCE_COLOR: '1' } : {};
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      env: { ...process.env, ...color, ...step.env },
      stdio: ['ignore', 'pipe', 'pipe'],
      signal: stop,
    });
    const read = (stream: Readable) => createInterface({ input: stream }).on('line', onLine);
    read(child.stdout);
    read(child.stderr);
    child.once('error', (error) => onLine(`${command}: ${error.message}`));
    // What a step leaves behind may hold its output open: that ends with it, and holds nothing up.
    child.once('exit', (code) => setTimeout(() => resolve(code ?? 1), drainMs));
    child.once('close', (code) => resolve(code ?? 1));
  });
}
