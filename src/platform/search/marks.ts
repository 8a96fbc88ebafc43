// The state of the search thread, for the main thread to see while the search thread does not answer.
import type { BrainIndexes } from './brain-indexes.ts';

const [ticksAt, numberAt] = [0, 1];
const tickMs = 100;

/** Memory that both threads see. */
export function createMarks(): SharedArrayBuffer {
  return new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT);
}

/** `ticks` grows while the thread takes turns; `number` is that of the computing call, 0 without one. */
export function readMarks(marks: SharedArrayBuffer): { ticks: number; number: number } {
  const cells = new Int32Array(marks);
  return { ticks: Atomics.load(cells, ticksAt), number: Atomics.load(cells, numberAt) };
}

/** Lets the marks grow, in the thread that they are about. */
export function keepTicking(marks: SharedArrayBuffer): void {
  const cells = new Int32Array(marks);
  Atomics.add(cells, ticksAt, 1);
  setInterval(() => Atomics.add(cells, ticksAt, 1), tickMs).unref();
}

/** The same indexes, whose use is marked as work of a call. */
export function markedFor(number: number, indexes: BrainIndexes, marks: SharedArrayBuffer): BrainIndexes {
  const cells = new Int32Array(marks);
  const begin = () => void Atomics.store(cells, numberAt, number);
  const end = () => void Atomics.compareExchange(cells, numberAt, number, 0);
  return {
    forEach: (places, use, ...others) =>
      indexes.forEach(
        places,
        (brainId, index, vectorsOf) => {
          begin();
          const used = use(brainId, index, (space) => vectorsOf(space).finally(begin));
          if (!used) return end();
          return used.finally(end);
        },
        ...others,
      ),
  };
}
