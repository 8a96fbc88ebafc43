// Workers: a process looks for due work in the database, does a limited number of tasks at once, and stops in time.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Background } from '#kernel/module';
import { createBackground } from '#platform/background';

/**
 * Does a task. `ending` aborts when the worker has stopped and the time for finishing has passed. Returns
 * false if its end makes nothing due, so that the next check comes at its usual time.
 */
type Task = (ending: AbortSignal) => Promise<unknown>;

/** The current tasks of a worker. */
export type Tasks = {
  /** The number of tasks: all, or those of a group. */
  count(group?: string): number;
  /** The groups that have tasks, and the number of each. */
  groups(): ReadonlyMap<string, number>;
  /**
   * Begins a task beside the others. It counts in its groups until it ends. Then the worker looks again at once, unless the task failed
   * or answered false.
   */
  begin(groups: readonly string[], task: Task): void;
};

type Options = {
  /**
   * Leases due work as far as there is room, and begins a task for each. It stops early when `stopped` aborts. A
   * returned number sets the pause until the next look, in milliseconds.
   */
  look(tasks: Tasks, stopped: AbortSignal): Promise<number | void>;
  /** The pause after each look. */
  everyMs: number;
  /** How long a stopping worker lets its tasks continue before it aborts them. */
  finishWithinMs: number;
  /** Stopping waits no longer than this. Other processes take over unfinished tasks when their leases end. */
  longestStopMs?: number;
  /** Called with the error of a look or a task; the next look still takes place. */
  onError: (error: unknown) => void;
};

export type Worker = Background & {
  start(): void;
  /** Makes the worker look at once, or after a number of milliseconds. */
  wake(inMs?: number): void;
  /** Begins a task that was not found by looking. Stopping waits for it, too. */
  begin: Tasks['begin'];
};

/** Creates a worker that begins with `start`. Any number of processes may have one: they share the work by leases. */
export function createWorker({ look, everyMs, finishWithinMs, longestStopMs, onError }: Options): Worker {
  const running = new Set<Promise<void>>();
  const counts = new Map<string, number>();
  const ending = new AbortController();
  const looking = createBackground((stopped) => look(tasks, stopped), { everyMs, onError });
  const tasks: Tasks = {
    count: (group) => (group === undefined ? running.size : (counts.get(group) ?? 0)),
    groups: () => counts,
    begin(groups, task) {
      for (const group of groups) counts.set(group, tasks.count(group) + 1);
      const done: Promise<void> = task(ending.signal).then(
        (outcome) => end(groups, done, outcome !== false),
        (error: unknown) => {
          onError(error);
          end(groups, done, false); // what fails at once would otherwise be tried without a pause
        },
      );
      running.add(done);
    },
  };

  function end(groups: readonly string[], done: Promise<void>, mayMakeDue: boolean): void {
    running.delete(done);
    for (const group of groups) {
      const left = tasks.count(group) - 1;
      if (left) counts.set(group, left);
      else counts.delete(group);
    }
    if (mayMakeDue) looking.wake(0);
  }

  async function finish(): Promise<void> {
    await looking.stop();
    while (running.size) await Promise.all(running);
  }

  return {
    start: looking.start,
    wake: (inMs = 0) => looking.wake(inMs),
    begin: tasks.begin,
    async [Symbol.asyncDispose]() {
      const timer = setTimeout(() => ending.abort(), finishWithinMs);
      const finished = finish().finally(() => clearTimeout(timer));
      await (longestStopMs ? Promise.race([finished, sleep(longestStopMs, undefined, { ref: false })]) : finished);
    },
  };
}
