// HTML and mails from syncs are untrusted and many: one separate process reads them all, and can be killed.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { buildChildCommand } from './child-command.ts';
import { createStoppableProcess } from './stoppable-process.ts';

/** What the process reads: HTML, or the bytes of a mail in base64. */
export type WordsTask = { kind: 'html' | 'mail'; content: string };

const main = fileURLToPath(new URL('words-child.ts', import.meta.url));
/** A mail takes milliseconds. */
const times = { longestMs: 3_000, idleMs: 60_000 };
const memoryBytes = 600_000_000;
/** Of longer HTML only the beginning is read: no mail, event or page is that long. */
const longestHtml = 1_000_000;

const ask = createStoppableProcess<WordsTask, string>(() => {
  const { file, args } = buildChildCommand({ main, memoryBytes });
  return spawn(file, args, { cwd: '/', env: {}, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
}, times);

/**
 * The visible words of HTML, with the addresses of links. Nothing is loaded: images, styles, scripts and hidden parts
 * are left out. Null when it takes too long or too much memory.
 */
export function readWordsOfHtml(html: string): Promise<string | null> {
  return ask({ kind: 'html', content: html.slice(0, longestHtml) });
}

/** The words of a mail file, with its headers and the names of its files. Null when it cannot be read. */
export function readWordsOfMail(bytes: Uint8Array): Promise<string | null> {
  return ask({ kind: 'mail', content: Buffer.from(bytes).toString('base64') });
}
