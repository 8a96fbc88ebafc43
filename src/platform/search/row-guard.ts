// Keeps a row that ended the search thread from ending it again.
import { markRow } from './marks.ts';

/** What an index asks and reports about each row that it adds, by a key of the row's content, in the search thread. */
export type RowGuard = {
  /** Whether this row ended a thread before. */
  isSkipped(key: string): boolean;
  begin(key: string): void;
  end(): void;
};

/** Accepts every row, and reports nothing. */
export const noGuard: RowGuard = { isSkipped: () => false, begin: () => {}, end: () => {} };

/** Marks the row that is indexed for the main thread, and skips rows that the main thread names. */
export function createRowGuard(marks: SharedArrayBuffer, skipped: readonly string[]): RowGuard {
  const keys = new Set(skipped);
  return {
    isSkipped: (key) => keys.has(key),
    begin: (key) => markRow(marks, key),
    end: () => markRow(marks, null),
  };
}

const skippedMs = 60 * 60 * 1_000;

/** The rows that ended threads of this process, for an hour each. `now`: ms. */
export function createSkippedRows(now: () => number = () => performance.now()) {
  const until = new Map<string, number>();
  return {
    add: (row: string) => void until.set(row, now() + skippedMs),
    list(): string[] {
      for (const [row, end] of until) if (end <= now()) until.delete(row);
      return [...until.keys()];
    },
  };
}
