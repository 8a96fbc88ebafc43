/** Shows a run while it works: one moving line on a terminal, plain lines elsewhere. */
import { stripVTControlCharacters } from 'node:util';
import type { StepResult } from './run-step.ts';
import type { Step } from './steps.ts';

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const clearLine = '\r\u001B[2K';

export type Progress = {
  begin: (step: Step) => void;
  line: (step: Step, line: string) => void;
  end: (result: StepResult) => void;
  close: () => void;
};

/** A live line with what is running and its last output on a terminal; streamed output of the tests otherwise. */
export function showProgress(): Progress {
  return process.stdout.isTTY ? showLive() : showPlain();
}

function showLive(): Progress {
  const running = new Map<Step, { since: number; last: string }>();
  const draw = () => process.stdout.write(clearLine + formatLiveLine(running, process.stdout.columns));
  const timer = setInterval(draw, 120);
  return {
    begin: (step) => running.set(step, { since: Date.now(), last: '' }),
    line: (step, line) => {
      const state = running.get(step);
      const text = stripVTControlCharacters(line).trim();
      if (state && text) state.last = text;
    },
    end: (result) => {
      running.delete(result.step);
      process.stdout.write(`${clearLine}${formatResultLine(result)}\n`);
      if (!result.hasPassed) process.stdout.write(`${indent(result.output)}\n`);
    },
    close: () => {
      clearInterval(timer);
      process.stdout.write(clearLine);
    },
  };
}

function showPlain(): Progress {
  const write = (text: string) => process.stdout.write(`${text}\n`);
  return {
    begin: (step) => step.isQuiet || write(`… ${step.name}`),
    line: (step, line) => step.isQuiet || write(indent(line)),
    end: (result) => {
      write(formatResultLine(result));
      if (result.step.isQuiet && !result.hasPassed) write(indent(result.output));
    },
    close: () => {},
  };
}

function formatLiveLine(running: ReadonlyMap<Step, { since: number; last: string }>, columns: number): string {
  const frame = frames[Math.floor(Date.now() / 120) % frames.length];
  const parts = [...running].map(([step, { since, last }]) => {
    const seconds = Math.floor((Date.now() - since) / 1_000);
    return `${step.name} ${seconds} s${last ? ` · ${last}` : ''}`;
  });
  return `${frame} ${parts.join('  |  ')}`.slice(0, (columns || 80) - 1);
}

function formatResultLine({ step, hasPassed, seconds, tests }: StepResult): string {
  const counts = tests ? `  ${tests.passed} passed, ${tests.failed} failed` : '';
  return `${hasPassed ? '✓' : '✗'} ${step.name}  ${seconds.toFixed(1)} s${counts}`;
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, '    ');
}
