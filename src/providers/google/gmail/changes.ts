// Syncs Gmail: first the whole window, then its history
// (https://developers.google.com/workspace/gmail/api/guides/sync).
import type { NewPage } from '#kernel/page';
import { z } from 'zod';
import { readGooglePages } from '../pages.ts';
import { ProviderError } from '#providers/http';
import { type Changes, continueOrRestart, createGonePage, type Reader, type ChangesSince } from '#providers/reading';
import { gmailApi, readLabels, readThread, readThreads } from './threads.ts';

const threadsPerPage = 100;
const historyPerPage = 500;

/**
 * While the window is listed, `history_id` is from before the listing began: changes in between are read afterwards.
 */
const cursor = z.discriminatedUnion('phase', [
  z.object({ phase: z.literal('listing'), history_id: z.string(), page: z.string().nullable(), done: z.number() }),
  z.object({ phase: z.literal('history'), history_id: z.string(), page: z.string().nullable() }),
]);
type Cursor = z.output<typeof cursor>;
type GmailListingCursor = Extract<Cursor, { phase: 'listing' }>;
type History = Extract<Cursor, { phase: 'history' }>;

const profile = z.object({ historyId: z.string(), threadsTotal: z.number().optional() });
const threadList = z.object({
  threads: z.array(z.object({ id: z.string() })).default([]),
  nextPageToken: z.string().optional(),
  resultSizeEstimate: z.number().optional(),
});
const message = z.object({ threadId: z.string() });
const historyList = z.object({
  history: z.array(z.object({ messages: z.array(message).default([]) })).default([]),
  nextPageToken: z.string().optional(),
  historyId: z.string(),
});

/** Reads the window first, then threads whose messages were added, removed or moved. */
export async function* readGmailChanges(reader: Reader, since: ChangesSince): AsyncGenerator<Changes> {
  const labelNames = await readLabels(reader);
  const read = (id: string) => readThread(reader, id, labelNames, { trashed: 'gone' });
  // Gmail keeps its history for about a week, and a page token for less.
  yield* continueOrRestart<Cursor>(
    cursor.safeParse(since.cursor).data,
    () => startListing(reader),
    async function* readFrom(start) {
      yield* follow(reader, start.phase === 'listing' ? yield* list(reader, start, since, read) : start, since, read);
    },
  );
}

type ReadThreads = (id: string) => Promise<NewPage>;

async function startListing(reader: Reader): Promise<GmailListingCursor> {
  const { historyId } = await reader.get(profile, `${gmailApi}/profile`);
  return { phase: 'listing', history_id: historyId, page: null, done: 0 };
}

async function* list(
  reader: Reader,
  start: GmailListingCursor,
  { from, isSkippable }: ChangesSince,
  read: ReadThreads,
): AsyncGenerator<Changes, History> {
  let { done } = start;
  let isFirst = start.page === null;
  const whole = { part: '', from, until: null, isLast: false };
  const q = from ? `after:${Math.floor(from.getTime() / 1000)}` : undefined;
  const ask = (pageToken: string | undefined) =>
    reader.get(threadList, `${gmailApi}/threads`, { q, maxResults: threadsPerPage, pageToken });
  for await (const { threads, page, resultSizeEstimate } of readGooglePages(ask, start.page)) {
    const total = resultSizeEstimate === undefined ? null : Math.max(resultSizeEstimate, done + threads.length);
    const ids = threads.map(({ id }) => id);
    // An interrupted page is read again from its beginning.
    for await (const batch of readThreads(ids, read, isSkippable)) {
      yield { ...batch, total, cursor: { ...start, page, done }, whole: { ...whole, isFirst } };
      isFirst = false;
    }
    done += ids.length;
  }
  const history: History = { phase: 'history', history_id: start.history_id, page: null };
  yield { pages: [], errors: [], total: null, cursor: history, whole: { ...whole, isFirst, isLast: true } };
  return history;
}

async function* follow(
  reader: Reader,
  start: History,
  { isSkippable }: ChangesSince,
  read: ReadThreads,
): AsyncGenerator<Changes> {
  const ask = (pageToken: string | undefined) => {
    const query = { startHistoryId: start.history_id, maxResults: historyPerPage, pageToken };
    return reader.get(historyList, `${gmailApi}/history`, query);
  };
  for await (const { history, historyId, page, next } of readGooglePages(ask, start.page)) {
    const ids = new Set(history.flatMap(({ messages }) => messages.map(({ threadId }) => threadId)));
    const readOrGone = (id: string) => read(id).catch((error: unknown) => createGoneThread(error, reader, id));
    const here = { ...start, page };
    for await (const batch of readThreads([...ids], readOrGone, isSkippable))
      yield { ...batch, total: null, cursor: here };
    const cursor = next === null ? { ...start, history_id: historyId, page: next } : { ...start, page: next };
    yield { pages: [], errors: [], total: null, cursor };
  }
}

function createGoneThread(error: unknown, reader: Reader, id: string): NewPage {
  if (!(error instanceof ProviderError) || error.status !== 404) throw error;
  return createGonePage({ source: `gmail:${reader.account}`, ref: id, type: 'email' });
}
