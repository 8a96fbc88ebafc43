import { z } from 'zod';
import { googleScope } from './google-scope.ts';
import { gmailMessage, mailOf } from './gmail-message.ts';
import { pageOfThread } from './gmail-thread.ts';
import { readItems } from './read-items.ts';
import { defineSource, type Batch, type Reader } from './source.ts';

const base = 'https://gmail.googleapis.com/gmail/v1/users/me';
/** Threads that are read and stored together: whole mails are held in memory. */
const batchSize = 25;

const input = z.strictObject({
  query: z.string().trim().min(1).max(1_000).describe('As in the search box of Gmail: from:noah after:2026/04/01'),
  limit: z.number().int().min(1).max(250).default(50).describe('Threads, the newest first.'),
});

const threadList = z.object({
  threads: z.array(z.object({ id: z.string() })).default([]),
  nextPageToken: z.string().optional(),
});
const fullThread = z.object({ id: z.string(), messages: z.array(gmailMessage).min(1) });
const labelList = z.object({ labels: z.array(z.object({ id: z.string(), name: z.string() })).default([]) });

/** Gmail: a thread becomes a page of the type `email`. */
export const gmail = defineSource({
  name: 'gmail',
  label: 'Gmail',
  description: 'Mail threads become pages; mails are drafted here and sent once you confirm.',
  provider: 'google',
  scopes: [
    googleScope('gmail.readonly', 'Read your mail, to bring threads into your brain when you ask for it.'),
    googleScope('gmail.compose', 'Keep drafts and send those that you confirmed.'),
  ],
  supports: { fetch: true, act: true, adapter: false },
  input,
  hint: 'Pass input: {query, limit?}, or a request that is a Gmail query such as from:noah after:2026/04/01.',
  inputOf: (request) => ({ query: request }),

  async *read(reader, { query, limit }) {
    const ids = await listThreads(reader, query, limit);
    const { labels } = await reader.get(labelList, `${base}/labels`);
    const labelNames = new Map(labels.map((label) => [label.id, label.name]));
    for (let at = 0; at < ids.length; at += batchSize) {
      const read = (id: string) => readThread(reader, id, labelNames);
      const { results, errors } = await readItems(ids.slice(at, at + batchSize), (id) => `thread ${id}`, read);
      yield { pages: results, errors, total: ids.length } satisfies Batch;
    }
  },
});

async function listThreads(reader: Reader, query: string, limit: number): Promise<string[]> {
  const ids = new Set<string>();
  let pageToken: string | undefined;
  do {
    const maxResults = Math.min(100, limit - ids.size);
    const page = await reader.get(threadList, `${base}/threads`, { q: query, maxResults, pageToken });
    for (const thread of page.threads) ids.add(thread.id);
    pageToken = page.nextPageToken;
  } while (pageToken && ids.size < limit);
  return [...ids].slice(0, limit);
}

async function readThread(reader: Reader, id: string, labelNames: ReadonlyMap<string, string>) {
  const thread = await reader.get(fullThread, `${base}/threads/${encodeURIComponent(id)}`, { format: 'full' });
  const mails = thread.messages.filter((message) => !message.labelIds.includes('DRAFT')).map(mailOf);
  // A thread that is nothing but a draft is read as what it will be.
  const shown = mails.length ? mails : thread.messages.map(mailOf);
  return pageOfThread({ id: thread.id, mails: shown }, { account: reader.account, labelNames });
}
