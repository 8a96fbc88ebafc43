// The process that reads HTML and mails from syncs, one after another.
import { readMailText } from './formats/mail.ts';
import { readHtml } from './html/read-html.ts';
import type { WordsTask } from './words.ts';

const send = (message: object) => process.send?.(message);
process.on('message', (task) => void answer(task as WordsTask)); // `words.ts` sends it
process.on('disconnect', () => process.exit(0));
process.on('unhandledRejection', () => {});
send({ isReady: true });

/** Null for content that cannot be read. */
async function answer({ kind, content }: WordsTask): Promise<void> {
  try {
    const read =
      kind === 'html' ? readHtml(content, { showsLinks: true }) : await readMailText(Buffer.from(content, 'base64'));
    send({ answer: read.text.toWellFormed() });
  } catch {
    send({ answer: null });
  }
}
