// Detects that the search thread computes too long without becoming responsive.
import { readMarks } from './marks.ts';

const lookEveryMs = 250;
/** A search takes milliseconds; thousands of times as long is an error. */
const mostOfCallMs = 5_000;
/** The longest row takes a tenth of a second. */
const mostOfRowMs = 10_000;
/** Work that belongs to no single call or row, such as reading a large brain. */
const mostOfOtherMs = 30_000;

export type StuckWatch = {
  /** Watches this thread from now on, while a call is waiting. */
  start(marks: SharedArrayBuffer): void;
  stop(): void;
};

/**
 * Calls `onStuck` with the number of the call that the thread computes, or 0. A thread that never ticked is not
 * watched.
 */
export function createStuckWatch(
  onStuck: (number: number) => void,
  budget = { ofCallMs: mostOfCallMs, ofRowMs: mostOfRowMs, ofOtherMs: mostOfOtherMs },
): StuckWatch {
  let timer: NodeJS.Timeout | null = null;

  function stop(): void {
    if (timer) clearInterval(timer);
    timer = null;
  }

  return {
    start(marks) {
      if (timer) return;
      let last = { ...readMarks(marks), since: performance.now() };
      timer = setInterval(() => {
        const now = readMarks(marks);
        if (now.ticks !== last.ticks || now.row !== last.row || now.ticks === 0) {
          last = { ...now, since: performance.now() };
          return;
        }
        // While a row is indexed, the call with the stored number does not compute.
        const number = now.row === null ? now.number : 0;
        const most = now.row !== null ? budget.ofRowMs : number === 0 ? budget.ofOtherMs : budget.ofCallMs;
        if (performance.now() - last.since < most) return;
        stop();
        onStuck(number);
      }, lookEveryMs).unref();
    },
    stop,
  };
}
