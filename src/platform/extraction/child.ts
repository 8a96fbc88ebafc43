// The process that reads one file from outside, writes its result into another file, and ends.
import { readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { createDamagedFileError, FileError } from './file-error.ts';
import { readText } from './read-text.ts';
import type { Answer, Task } from './task.ts';

const task = JSON.parse(process.argv[2] ?? '') as Task; // written by `run-child.ts`
const out = await open(task.out, 'w');
const write = (answers: readonly Answer[]) => out.write(answers.map(formatAnswerLine).join(''));
const perWrite = 200;
/** Libraries leave some promise rejections of broken files unhandled. Only their result counts. */
process.on('unhandledRejection', () => {});

try {
  await answer();
} catch (error) {
  const isOurs = error instanceof FileError;
  const { code, message } = isOurs ? error : createDamagedFileError();
  await write([{ kind: 'error', code, message }]);
}
await out.close();
process.exit(0);

async function answer(): Promise<void> {
  const { text, ...about } = await readText(readFileSync(task.path), task.file, task.limits);
  if (!task.language) {
    const beginning = text.slice(0, task.mostText);
    await write([{ kind: 'text', ...about, characters: text.length, text: beginning.toWellFormed() }]);
    return;
  }
  const [{ createAnalyser }, { scan }, { buildScannedPassage }] = await Promise.all([
    import('#platform/search'),
    import('./scan.ts'),
    import('./task.ts'),
  ]);
  const { lines, passages, constellations } = await scan(text, createAnalyser(task.language));
  await write([
    { kind: 'document', ...about, characters: text.length, lines, passages: passages.length, constellations },
  ]);
  for (let from = 0; from < passages.length; from += perWrite) {
    const part = passages.slice(from, from + perWrite);
    await write(
      part.map((passage, at) => ({ kind: 'passage' as const, ...buildScannedPassage(text, passage, from + at) })),
    );
  }
}

/** These two characters also end a line for line readers. */
function formatAnswerLine(answer: Answer): string {
  return `${JSON.stringify(answer).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')}\n`;
}
