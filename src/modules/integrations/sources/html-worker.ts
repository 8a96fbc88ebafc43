// The thread in which HTML of others becomes text.
import { parentPort } from 'node:worker_threads';
import { wordsOfHtml } from './html-words.ts';

const port = parentPort;
if (!port) throw new Error('This file runs as a worker thread.');

port.on('message', (html: string) => port.postMessage({ text: textOf(html) }));
port.postMessage({ isReady: true });

/** Null for HTML that the parser cannot take. */
function textOf(html: string): string | null {
  try {
    return wordsOfHtml(html);
  } catch {
    return null;
  }
}
