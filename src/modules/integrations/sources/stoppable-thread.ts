// A thread that converts one text after the other, and is ended when a text takes too long.
import type { Worker } from 'node:worker_threads';

type Task = { text: string; resolve(converted: string | null): void };
type Answer = { isReady: true } | { text: string | null };

/**
 * Null for a text that took longer than `longestMs`, ended the thread or cannot be converted; the next one is then converted by a new
 * thread. The thread says that it is ready, and starts with the first text.
 */
export function createStoppableThread(
  start: () => Worker,
  longestMs: number,
): (text: string) => Promise<string | null> {
  const waiting: Task[] = [];
  let current: Task | null = null;
  let thread: Worker | null = null;
  let isReady = false;
  let deadline: NodeJS.Timeout | undefined;

  function next(): void {
    if (current) return;
    if (!waiting.length) return thread?.unref();
    thread ??= watched(start());
    thread.ref();
    if (!isReady) return;
    current = waiting.shift() ?? null;
    deadline = setTimeout(() => void thread?.terminate(), longestMs);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    thread.postMessage(current?.text);
  }

  function settle(converted: string | null): void {
    clearTimeout(deadline);
    const task = current ?? waiting.shift(); // a thread that never became ready has none
    current = null;
    task?.resolve(converted);
    next();
  }

  function watched(started: Worker): Worker {
    started.on('message', (answer: Answer) => {
      if ('text' in answer) return settle(answer.text);
      isReady = true;
      next();
    });
    started.on('error', () => {}); // it ends then
    started.on('exit', () => {
      [thread, isReady] = [null, false];
      settle(null);
    });
    return started;
  }

  return (text) =>
    new Promise((resolve) => {
      waiting.push({ text, resolve });
      next();
    });
}
