// Work that a process does again and again as long as it runs.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Background } from '#kernel/module';

type Options = {
  /** The pause after each round. */
  everyMs: number;
  /** The pause before the first round; none, unless told. */
  firstAfterMs?: number;
  /** Told of a round that threw; the next one comes all the same. */
  onError: (error: unknown) => void;
};

/** One round; it ends early when `stopped` says so. Answering a number makes the pause after it so many milliseconds long. */
type Round = (stopped: AbortSignal) => Promise<number | void>;

/** Makes work that begins with `start`, one round after the other. `stop` ends the pause and resolves after the round under way. */
export function background(
  round: Round,
  { everyMs, firstAfterMs, onError }: Options,
): Required<Background> & AsyncDisposable {
  const stopped = new AbortController();
  let running: Promise<void> = Promise.resolve();

  async function run(): Promise<void> {
    const { signal } = stopped;
    const pause = (ms: number) => sleep(ms, undefined, { signal, ref: false }).catch(() => {}); // stopped
    if (firstAfterMs) await pause(firstAfterMs);
    while (!signal.aborted) {
      const pauseMs = await round(signal).catch(onError);
      await pause(pauseMs ?? everyMs);
    }
  }

  async function stop(): Promise<void> {
    stopped.abort();
    await running;
  }

  return {
    start() {
      running = run();
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}
