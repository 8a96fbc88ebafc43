import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { createStoppableThread } from './stoppable-thread.ts';

const program = `
  const { parentPort } = require('node:worker_threads');
  parentPort.on('message', (text) => {
    if (text === 'hang') for (;;);
    if (text === 'throw') throw new Error('out of order');
    if (text === 'fill') for (const all = [];;) all.push(new Array(1e5).fill(text));
    parentPort.postMessage({ text: text.toUpperCase() });
  });
  parentPort.postMessage({ isReady: true });`;

function started() {
  const threads: Worker[] = [];
  const start = () => {
    const thread = new Worker(program, { eval: true, resourceLimits: { maxOldGenerationSizeMb: 32 } });
    threads.push(thread);
    return thread;
  };
  return { convert: createStoppableThread(start, 300), threads };
}

test('one thread converts the texts one after the other', async () => {
  const { convert, threads } = started();
  expect(await Promise.all(['a', 'b', 'c'].map(convert))).toEqual(['A', 'B', 'C']);
  expect(threads).toHaveLength(1);
});

test.each(['hang', 'throw', 'fill'])(
  'a text that makes the thread %s is given up, and the others are converted',
  async (bad) => {
    const { convert } = started();
    expect(await Promise.all(['a', bad, 'b', bad, 'c'].map(convert))).toEqual(['A', null, 'B', null, 'C']);
  },
);

test('a thread that cannot start fails each text', async () => {
  const convert = createStoppableThread(() => new Worker('throw new Error()', { eval: true }), 300);
  expect(await Promise.all(['a', 'b'].map(convert))).toEqual([null, null]);
});
