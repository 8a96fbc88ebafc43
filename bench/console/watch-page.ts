import { join } from 'node:path';
import type { Page } from '@playwright/test';

/** When something was done, as `Date.now()` tells it, and how long a person waited, in milliseconds. */
export type Timed = { at: number; took: number };

/** What a page did, in milliseconds. */
export type Seen = {
  /** From a key or a click until the browser painted next, by its own Event Timing; of 16 or more alone. */
  interactions: Timed[];
  /** From a key or a click until another draft was painted. */
  changes: Timed[];
  /** From one frame to the next. */
  frames: number[];
};

/** Frames are counted only when asked for: a page that draws each of them does more than one that rests. */
export type Watched = { begin(what?: 'frames'): Promise<void>; end(): Promise<Seen> };

/** Measures inside the page what a person waits for, from its next load on. */
export async function watchPage(page: Page): Promise<Watched> {
  await page.addInitScript({ path: join(import.meta.dirname, 'watched-page.js') });
  return {
    begin: (what) => page.evaluate(`watched.begin(${what === 'frames'})`),
    async end() {
      await page.waitForTimeout(150); // the browser tells of an event after it
      return page.evaluate<Seen>('watched.end()');
    },
  };
}
