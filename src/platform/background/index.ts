// Work that a process repeats as long as it runs.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Background } from '#kernel/module';

/** One round; it stops early when `stopped` aborts. A returned number sets the pause after it, in milliseconds. */
type Round = (stopped: AbortSignal) => Promise<number | void>;

/** A round over workspaces, one after another. When one fails, the round continues with the others. */
type EachWorkspace = {
  /** The workspaces with work to do. */
  workspaces(): Promise<readonly string[]>;
  perWorkspace(workspaceId: string, stopped: AbortSignal): Promise<unknown>;
};

type Options = {
  /** The pause after each round. */
  everyMs: number;
  /** The pause before the first round; by default none. */
  firstAfterMs?: number;
  /** Stopping waits no longer than this for the current round. */
  longestStopMs?: number;
  /** Runs after the last round. */
  lastly?: () => Promise<void>;
  /** Called with the error of a round, and its workspace; the next round still takes place. */
  onError: (error: unknown, workspaceId?: string) => void;
};

export type RunningTask = Background & {
  start(): void;
  /** Starts the next round after a pause of at most this long. */
  wake(inMs: number): void;
  stop(): Promise<void>;
};

/**
 * Makes background work that begins with `start`, one round after the other. Stopping ends the pause and resolves after
 * the current round.
 */
export function createBackground(work: Round | EachWorkspace, options: Options): RunningTask {
  const { everyMs, firstAfterMs, longestStopMs, lastly, onError } = options;
  const stopped = new AbortController();
  const { signal } = stopped;
  let running: Promise<void> = Promise.resolve();
  let pausing = new AbortController();
  let waking: { timer: NodeJS.Timeout; at: number } | null = null;

  async function pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: AbortSignal.any([signal, pausing.signal]), ref: false }).catch(() => {}); // woken or stopped
  }

  const round = typeof work === 'function' ? work : () => runEachWorkspace(work, signal, onError);

  async function run(): Promise<void> {
    if (firstAfterMs) await pause(firstAfterMs);
    while (!signal.aborted) {
      pausing = new AbortController();
      const pauseMs = await round(signal).catch((error: unknown) => onError(error));
      await pause(pauseMs ?? everyMs);
    }
    await lastly?.();
  }

  async function stop(): Promise<void> {
    stopped.abort();
    await (longestStopMs ? Promise.race([running, sleep(longestStopMs, undefined, { ref: false })]) : running);
  }

  return {
    start() {
      running = run();
    },
    wake(inMs) {
      const at = performance.now() + inMs;
      if (waking && waking.at <= at) return;
      clearTimeout(waking?.timer);
      const timer = setTimeout(() => {
        waking = null;
        pausing.abort();
      }, inMs).unref();
      waking = { timer, at };
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

async function runEachWorkspace(
  { workspaces, perWorkspace }: EachWorkspace,
  stopped: AbortSignal,
  onError: Options['onError'],
): Promise<void> {
  for (const workspaceId of await workspaces()) {
    if (stopped.aborted) return;
    await perWorkspace(workspaceId, stopped).catch((error: unknown) => onError(error, workspaceId));
  }
}
