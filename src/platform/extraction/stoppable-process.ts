// A process that does one task after another, and is killed when a task takes too long.
import type { ChildProcess } from 'node:child_process';

type WaitingTask<Task, Answer> = { task: Task; resolve(answer: Answer | null): void };
type Message<Answer> = { isReady: true } | { answer: Answer | null };

/** `idleMs`: after this long without a task the process ends; the next task starts another. */
export type ProcessTimes = { longestMs: number; idleMs: number };

/**
 * Null for a task that took longer than `longestMs`, crashed the process or cannot be done; a new process does the next
 * task. The process reports when it is ready, and then starts the first task.
 */
export function createStoppableProcess<Task extends object, Answer>(
  start: () => ChildProcess,
  { longestMs, idleMs }: ProcessTimes,
): (task: Task) => Promise<Answer | null> {
  const waiting: WaitingTask<Task, Answer>[] = [];
  let current: WaitingTask<Task, Answer> | null = null;
  let child: ChildProcess | null = null;
  let isReady = false;
  let deadline: NodeJS.Timeout | undefined;
  let idle: NodeJS.Timeout | undefined;

  function next(): void {
    if (current) return;
    if (!waiting.length) return rest();
    clearTimeout(idle);
    child ??= watch(start());
    keepReferenced(child, true);
    if (!isReady) return;
    current = waiting.shift() ?? null;
    deadline = setTimeout(() => void child?.kill('SIGKILL'), longestMs);
    if (current) child.send(current.task, () => {}); // the event reports the end of the process
  }

  function rest(): void {
    if (!child) return;
    keepReferenced(child, false);
    clearTimeout(idle);
    idle = setTimeout(() => void child?.kill('SIGKILL'), idleMs).unref();
  }

  function resolveTask(answer: Answer | null): void {
    clearTimeout(deadline);
    const task = current ?? waiting.shift(); // a process that never became ready has none
    current = null;
    task?.resolve(answer);
    next();
  }

  function watch(started: ChildProcess): ChildProcess {
    let isEnded = false;
    const end = () => {
      if (isEnded) return;
      isEnded = true;
      [child, isReady] = [null, false];
      clearTimeout(idle);
      if (current || waiting.length) resolveTask(null);
    };
    started.on('message', (message) => {
      const sent = message as Message<Answer>; // our own program sends it
      if ('answer' in sent) return resolveTask(sent.answer);
      isReady = true;
      next();
    });
    started.on('error', end);
    started.on('exit', end);
    return started;
  }

  return (task) =>
    new Promise((resolve) => {
      waiting.push({ task, resolve });
      next();
    });
}

/** An idle process does not keep the server running. */
function keepReferenced(child: ChildProcess, keepsAlive: boolean): void {
  if (keepsAlive) {
    child.ref();
    child.channel?.ref();
  } else {
    child.unref();
    child.channel?.unref();
  }
}
