import { spawn, type ChildProcess } from 'node:child_process';
import { expect, test } from 'vitest';
import { createStoppableProcess } from './stoppable-process.ts';

const program = `
  process.on('message', ({ text }) => {
    if (text === 'hang') for (;;);
    if (text === 'throw') throw new Error('out of order');
    process.send({ answer: text.toUpperCase() });
  });
  process.send({ isReady: true });`;

function startProcess(source: string) {
  return spawn(process.execPath, ['-e', source], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
}

function createProcess({ source = program, idleMs = 60_000 } = {}) {
  const started: ChildProcess[] = [];
  const start = () => {
    const child = startProcess(source);
    started.push(child);
    return child;
  };
  const ask = createStoppableProcess<{ text: string }, string>(start, { longestMs: 300, idleMs });
  return { convert: (text: string) => ask({ text }), started };
}

test('one process does the tasks one after another', async () => {
  const { convert, started } = createProcess();
  expect(await Promise.all(['a', 'b', 'c'].map(convert))).toEqual(['A', 'B', 'C']);
  expect(started).toHaveLength(1);
});

test.each(['hang', 'throw'])('a task that makes the process %s is cancelled, and the others are done', async (bad) => {
  const { convert } = createProcess();
  expect(await Promise.all(['a', bad, 'b', bad, 'c'].map(convert))).toEqual(['A', null, 'B', null, 'C']);
});

test('a process that cannot start fails each task', async () => {
  const { convert } = createProcess({ source: 'throw new Error()' });
  expect(await Promise.all(['a', 'b'].map(convert))).toEqual([null, null]);
});

test('a process without a task ends, and the next task starts another', async () => {
  const { convert, started } = createProcess({ idleMs: 1 });
  expect(await convert('a')).toBe('A');
  await new Promise((resolve) => void started[0]!.once('exit', resolve));
  expect(await convert('b')).toBe('B');
  expect(started).toHaveLength(2);
});
