// Notices that nothing comes any more, where it is this server that waits and not the one that it asked.

/** `heard` has the wait begin anew. Between `hold` and the next `heard` nothing is awaited. `end` must be called. */
export type Silence = { heard: () => void; hold: () => void; end: () => void };

/** Starts to wait; `onSilence` is called once when nothing was heard for so long. */
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
