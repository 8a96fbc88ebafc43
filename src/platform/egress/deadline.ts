// One time limit for a whole call, including look-up, redirects and body, combined with the caller's own stop signal.
import { Failure } from './egress-error.ts';

/** `listen` replaces the listener; if time is already up, it is called at once. `end` must be called. */
export type Deadline = {
  listen: (listener: (failure: Failure) => void) => void;
  end: () => void;
};

/** Starts the clock. The listener is called once, by whichever happens first. */
export function startDeadline(timeoutMs: number, signal: AbortSignal | undefined): Deadline {
  let stopped: Failure | undefined;
  let current: ((failure: Failure) => void) | undefined;
  function stop(failure: Failure): void {
    stopped ??= failure;
    current?.(stopped);
  }
  function onTimeout(): void {
    stop(new Failure('timeout', `There was no complete answer within ${timeoutMs / 1000} s.`));
  }
  function onAbort(): void {
    stop(new Failure('cancelled', 'The call was stopped before there was a complete answer.'));
  }

  const timer = setTimeout(onTimeout, timeoutMs);
  signal?.addEventListener('abort', onAbort);
  if (signal?.aborted) onAbort();
  return {
    listen(listener) {
      current = listener;
      if (stopped) listener(stopped);
    },
    end() {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    },
  };
}
