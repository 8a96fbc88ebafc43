// HTML of mails, events and files is untrusted, so it is read in a thread that can be stopped.
import { Worker } from 'node:worker_threads';
import { createStoppableThread } from './stoppable-thread.ts';

/** A mail takes milliseconds. */
const longestMs = 2_000;
const mostHeapMb = 512;

/** Replaces HTML that took too long or too much memory. */
const unreadable = '(This HTML could not be read. Open it at its source.)';

const convert = createStoppableThread(
  () =>
    new Worker(new URL('./html-worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: mostHeapMb },
    }),
  longestMs,
);

/**
 * The words of HTML as a reader sees them. Nothing is loaded: images, styles, scripts and hidden parts are left out. Text without
 * markup needs no thread.
 */
export async function textOfHtml(html: string): Promise<string> {
  if (/^[\w.,:;!?'"()/-]*( [\w.,:;!?'"()/-]+)*$/.test(html)) return html;
  return (await convert(html)) ?? unreadable;
}
