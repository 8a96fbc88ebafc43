// Detects when the other side sends nothing while this server waits.

/** `heard` restarts the wait. Between `hold` and the next `heard` the wait is suspended. `end` must be called. */
export type Silence = { restart: () => void; pause: () => void; end: () => void };

/** Starts to wait; `onSilence` is called once after this long without data. */
export function watchSilence(ms: number, onSilence: () => void): Silence {
  let isPaused = false;
  const timer = setTimeout(() => {
    if (isPaused) timer.refresh();
    else onSilence();
  }, ms);
  return {
    restart() {
      isPaused = false;
      timer.refresh();
    },
    pause: () => void (isPaused = true),
    end: () => clearTimeout(timer),
  };
}
