import { join } from 'node:path';
import type { Page } from '@playwright/test';

/** When something was done, as `Date.now()` tells it, and how long a person waited, in milliseconds. */
export type TimedWait = { at: number; took: number };

/** What a page did, in milliseconds. */
export type PageActivity = {
  /** From a key or a click until the browser painted next, by its own Event Timing; only times of 16 ms or more. */
  interactions: TimedWait[];
  /** From a key or a click until another draft was painted. */
  changes: TimedWait[];
  /** From one frame to the next. */
  frames: number[];
};

/** Frames are counted only when asked for: a page that draws each of them does more than one that rests. */
export type PageWatch = { begin(what?: 'frames'): Promise<void>; end(): Promise<PageActivity> };

/** Measures inside the page what a person waits for, from its next load on. */
export async function watchPage(page: Page): Promise<PageWatch> {
  await page.addInitScript({ path: join(import.meta.dirname, 'watched-page.js') });
  return {
    begin: (what) => page.evaluate(`watched.begin(${what === 'frames'})`),
    async end() {
      await page.waitForTimeout(150); // the browser reports an event after it
      return page.evaluate<PageActivity>('watched.end()');
    },
  };
}
