// Work that a process does again and again as long as it runs.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Background } from '#kernel/module';

/** One round; it ends early when `stopped` says so. Answering a number makes the pause after it so many milliseconds long. */
type Round = (stopped: AbortSignal) => Promise<number | void>;

/** A round that goes over workspaces, one after the other; in one that fails, the others have their turn all the same. */
type EachWorkspace = {
  /** Those that have something to do. */
  workspaces(): Promise<readonly string[]>;
  perWorkspace(workspaceId: string, stopped: AbortSignal): Promise<unknown>;
};

type Options = {
  /** The pause after each round. */
  everyMs: number;
  /** The pause before the first round; none, unless told. */
  firstAfterMs?: number;
  /** Stopping waits no longer than this for the round under way. */
  longestStopMs?: number;
  /** Done after the last round. */
  lastly?: () => Promise<void>;
  /** Told of what a round threw, and in which workspace; the next round comes all the same. */
  onError: (error: unknown, workspaceId?: string) => void;
};

export type Running = Background & {
  start(): void;
  /** Has the next round come after a pause of no more than this. */
  wake(inMs: number): void;
  stop(): Promise<void>;
};

/** Makes work that begins with `start`, one round after the other. Stopping ends the pause and resolves after the round under way. */
export function background(work: Round | EachWorkspace, options: Options): Running {
  const { everyMs, firstAfterMs, longestStopMs, lastly, onError } = options;
  const stopped = new AbortController();
  const { signal } = stopped;
  let running: Promise<void> = Promise.resolve();
  let pausing = new AbortController();
  let waking: NodeJS.Timeout | null = null;

  async function pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: AbortSignal.any([signal, pausing.signal]), ref: false }).catch(() => {}); // woken or stopped
  }

  const round = typeof work === 'function' ? work : () => each(work, signal, onError);

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
      waking ??= setTimeout(() => {
        waking = null;
        pausing.abort();
      }, inMs).unref();
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

async function each(
  { workspaces, perWorkspace }: EachWorkspace,
  stopped: AbortSignal,
  onError: Options['onError'],
): Promise<void> {
  for (const workspaceId of await workspaces()) {
    if (stopped.aborted) return;
    await perWorkspace(workspaceId, stopped).catch((error: unknown) => onError(error, workspaceId));
  }
}
