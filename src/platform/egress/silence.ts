// Notices silence of the other side, while this server is waiting for it.

/** `heard` restarts the wait. Between `hold` and the next `heard` nothing is awaited. `end` must be called. */
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
