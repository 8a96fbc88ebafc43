// Notices silence of the other side, while this server is waiting for it.

/** `heard` restarts the wait. Between `hold` and the next `heard` nothing is awaited. `end` must be called. */
export type Silence = { heard: () => void; hold: () => void; end: () => void };

/** Starts to wait; `onSilence` is called once after this long without data. */
export function watchSilence(ms: number, onSilence: () => void): Silence {
  let isHeld = false;
  const timer = setTimeout(() => {
    if (isHeld) timer.refresh();
    else onSilence();
  }, ms);
  return {
    heard() {
      isHeld = false;
      timer.refresh();
    },
    hold: () => void (isHeld = true),
    end: () => clearTimeout(timer),
  };
}
