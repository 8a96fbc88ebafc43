// Reads whole threads of Gmail as pages.
import { z } from 'zod';
import { gmailMessage, readMail } from './message.ts';
import { buildThreadPage } from './thread.ts';
import { type Batch, type IsSkippable, type Reader, readItems } from '#providers/reading';

export const gmailApi = 'https://gmail.googleapis.com/gmail/v1/users/me';
/** How many threads are read and stored together: whole mails are held in memory. */
const batchSize = 25;

const fullThread = z.object({ id: z.string(), messages: z.array(gmailMessage).min(1) });
const labelList = z.object({ labels: z.array(z.object({ id: z.string(), name: z.string() })).default([]) });

type LabelNames = ReadonlyMap<string, string>;

/** The names of the account's labels by their ids. */
export async function readLabels(reader: Reader): Promise<LabelNames> {
  const { labels } = await reader.get(labelList, `${gmailApi}/labels`);
  return new Map(labels.map((label) => [label.id, label.name]));
}

/** Threads by their ids, in batches. `read` turns one of them into a page. */
export async function* readThreads(
  ids: readonly string[],
  read: (id: string) => ReturnType<typeof readThread>,
  isSkippable?: IsSkippable,
): AsyncGenerator<Omit<Batch, 'total'>> {
  for (let at = 0; at < ids.length; at += batchSize) {
    const { results, errors } = await readItems(
      ids.slice(at, at + batchSize),
      (id) => `thread ${id}`,
      read,
      isSkippable,
    );
    yield { pages: results, errors };
  }
}

/**
 * One thread as a page, without its trashed and spam messages. If all its messages are trashed or spam, the thread
 * counts as deleted with `trashed: 'gone'`, else it is shown.
 */
export async function readThread(
  reader: Reader,
  id: string,
  labelNames: LabelNames,
  { trashed }: { trashed: 'gone' | 'shown' },
) {
  const thread = await reader.get(fullThread, `${gmailApi}/threads/${encodeURIComponent(id)}`, { format: 'full' });
  const kept = thread.messages.filter((message) => !isBinned(message));
  const there = kept.length ? kept : thread.messages;
  const sent = there.filter((message) => !message.labelIds.includes('DRAFT'));
  // A thread that has only a draft is read as the mail that the draft will be.
  const mails = await Promise.all((sent.length ? sent : there).map(readMail));
  const page = buildThreadPage({ id: thread.id, mails }, { account: reader.account, labelNames });
  return trashed === 'gone' && !kept.length ? { ...page, isGone: true } : page;
}

function isBinned({ labelIds }: { labelIds: readonly string[] }): boolean {
  return labelIds.includes('TRASH') || labelIds.includes('SPAM');
}
