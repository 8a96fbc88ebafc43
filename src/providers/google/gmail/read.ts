import { z } from 'zod';
import { readGooglePages } from '../pages.ts';
import { createScope } from '../scope.ts';
import { readGmailChanges } from './changes.ts';
import { fetchGmailFile } from './file.ts';
import { gmailApi, readLabels, readThread, readThreads } from './threads.ts';
import { type Batch, defineSource, type Reader } from '#providers/reading';

const input = z.strictObject({
  query: z.string().trim().min(1).max(1_000).describe('As in the search box of Gmail: from:noah after:2026/04/01'),
  limit: z.number().int().min(1).max(250).default(50).describe('Threads, the newest first.'),
});

const threadList = z.object({
  threads: z.array(z.object({ id: z.string() })).default([]),
  nextPageToken: z.string().optional(),
});

/** Gmail: a thread becomes a page of the type `email`. */
export const gmail = defineSource({
  name: 'gmail',
  label: 'Gmail',
  icon: 'Mail',
  description: 'Mail threads become pages. Mails are sent, labelled and archived with your approval.',
  coverage: {
    goesBack: 'Threads with a mail of the chosen days; then every change of any thread.',
    notRead: [
      'Drafts, and messages in the trash and in spam.',
      'Quoted text in replies, and files of more than 25 MB.',
    ],
  },
  provider: 'google',
  scopes: [
    createScope('gmail.readonly', 'Read your mail, to store threads in your brain when you ask for it.'),
    createScope('gmail.compose', 'Store drafts, and send those that you approved.', 'act'),
    createScope('gmail.modify', 'Label, archive and trash the threads that you approved.', 'act'),
  ],
  supports: { fetch: true, act: true, adapter: false },
  input,
  hint: 'Pass input: {query, limit?}, or a request that is a Gmail query such as from:noah after:2026/04/01.',
  parseRequest: (request) => ({ query: request }),

  async *read(reader, { query, limit }) {
    const ids = await listThreads(reader, query, limit);
    const labelNames = await readLabels(reader);
    const read = (id: string) => readThread(reader, id, labelNames, { trashed: 'shown' });
    for await (const batch of readThreads(ids, read)) yield { ...batch, total: ids.length } satisfies Batch;
  },

  listMatches: listMails,

  changes: readGmailChanges,
  file: fetchGmailFile,
});

const mailList = z.object({ messages: z.array(z.object({ id: z.string() })).default([]) });

async function listMails(reader: Reader, { query, limit }: z.output<typeof input>): Promise<string[]> {
  const { messages } = await reader.get(mailList, `${gmailApi}/messages`, { q: query, maxResults: limit });
  return messages.map(({ id }) => id);
}

async function listThreads(reader: Reader, query: string, limit: number): Promise<string[]> {
  const ids = new Set<string>();
  const ask = (pageToken: string | undefined) => {
    const maxResults = Math.min(100, limit - ids.size);
    return reader.get(threadList, `${gmailApi}/threads`, { q: query, maxResults, pageToken });
  };
  for await (const { threads } of readGooglePages(ask)) {
    for (const thread of threads) ids.add(thread.id);
    if (ids.size >= limit) break;
  }
  return [...ids].slice(0, limit);
}
