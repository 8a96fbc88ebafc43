// The state of the search thread, readable by the main thread while the search thread does not answer.
import type { BrainIndexes } from './brain-indexes.ts';

const [ticksAt, numberAt, rowLengthAt] = [0, 1, 2];
const cellBytes = 3 * Int32Array.BYTES_PER_ELEMENT;
/** Space for the key of a row: a UUID and a transaction id. */
const rowBytes = 64;
const tickMs = 100;

export type Marks = {
  /** Increases while the thread is responsive. */
  readonly ticks: number;
  /** The number of the call that computes, 0 without one. */
  readonly number: number;
  /** The key of the row that is being indexed, if any. */
  readonly row: string | null;
};

/** Memory that both threads see. */
export function createMarks(): SharedArrayBuffer {
  return new SharedArrayBuffer(cellBytes + rowBytes);
}

export function readMarks(marks: SharedArrayBuffer): Marks {
  const cells = new Int32Array(marks, 0, 3);
  const length = Atomics.load(cells, rowLengthAt);
  // A copy, because shared memory cannot be decoded.
  const row = length > 0 ? Buffer.from(Uint8Array.from(new Uint8Array(marks, cellBytes, length))).toString() : null;
  return { ticks: Atomics.load(cells, ticksAt), number: Atomics.load(cells, numberAt), row };
}

/** Stores the key of the row that is being indexed; null when its indexing has ended. */
export function markRow(marks: SharedArrayBuffer, row: string | null): void {
  const cells = new Int32Array(marks, 0, 3);
  Atomics.store(cells, rowLengthAt, 0);
  if (row === null) return;
  const key = Buffer.from(row).subarray(0, rowBytes);
  new Uint8Array(marks, cellBytes).set(key);
  Atomics.store(cells, rowLengthAt, key.length);
}

/** Keeps the counter increasing, in the thread that the marks describe. */
export function keepTicking(marks: SharedArrayBuffer): void {
  const cells = new Int32Array(marks, 0, 3);
  Atomics.add(cells, ticksAt, 1);
  setInterval(() => Atomics.add(cells, ticksAt, 1), tickMs).unref();
}

/** The same indexes, with their use marked as work of a call. */
export function withUseMarks(number: number, indexes: BrainIndexes, marks: SharedArrayBuffer): BrainIndexes {
  const cells = new Int32Array(marks, 0, 3);
  const begin = () => void Atomics.store(cells, numberAt, number);
  const end = () => void Atomics.compareExchange(cells, numberAt, number, 0);
  return {
    forEach: (places, use, ...others) =>
      indexes.forEach(
        places,
        (brainId, index, getVectors) => {
          begin();
          const used = use(brainId, index, (space) => getVectors(space).finally(begin));
          if (!used) return end();
          return used.finally(end);
        },
        ...others,
      ),
  };
}
