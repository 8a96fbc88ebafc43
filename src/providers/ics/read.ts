// A calendar published as a file (RFC 5545), for example by Google, Apple, Outlook, a school or a club.
import { createHash } from 'node:crypto';
import type { NewPage } from '#kernel/page';
import { z } from 'zod';
import {
  type Batch,
  betweenDays,
  computeBounds,
  type CalendarEvent,
  type CalendarOfEvent,
  type Changes,
  defineSource,
  createGonePage,
  buildEventPage,
  type Reader,
  type ChangesSince,
  readHtmlText,
  parseDateWindow,
} from '#providers/reading';
import { readFile, type CalendarFile } from './file.ts';
import { type Window } from './occurrences.ts';
import { readEventGroups } from './read-events.ts';
import { findKnownZone, utc } from './zones.ts';

const limits = { maxBytes: 20_000_000 };
const batchSize = 250;
const dayMs = 24 * 60 * 60_000;
/** A series may have no end: this much of the future is stored, and renewed before half of it has passed. */
const futureDays = 366;
const renewedAfterDays = 180;

const cursor = z.object({
  from: z.string(),
  until: z.string(),
  read_at: z.string(),
  version: z.object({ url: z.string(), etag: z.string().optional(), modified: z.string().optional() }).optional(),
  /** The hash of the file, for servers that send no version. */
  digest: z.string(),
  /** The former events: missing ones count as deleted. */
  known: z.array(z.string()),
});

/** The address of a calendar: each event, or occurrence of a series, becomes a page of the type `calendar_event`. */
export const ics = defineSource({
  name: 'ics',
  label: 'Calendar address (iCal)',
  icon: 'CalendarRange',
  description: 'Events of any calendar that has an address (.ics) become pages.',
  coverage: {
    goesBack: 'Events from the chosen days until a year ahead; then the whole file whenever it changes.',
    notRead: ['Tasks, journals and free/busy times.', 'Attachments of events.'],
  },
  provider: 'ics',
  scopes: [],
  supports: { fetch: true, act: false, adapter: false },
  input: betweenDays,
  hint: 'Pass input: {start, end} as ISO dates, such as {"start": "2026-06-01", "end": "2026-06-07"}, or a request that names days.',
  parseRequest: (request, moment) => parseDateWindow(request, moment),

  async *read(reader, { start, end, time_zone }, { timeZone }) {
    const { from, to } = computeBounds({ start, end }, time_zone ?? timeZone);
    const zone = findKnownZone(time_zone ?? timeZone) ?? utc;
    const answer = await reader.own(undefined, limits);
    if (answer)
      yield* readEventPages(reader, readFile(answer.text), { from: from.getTime(), until: to.getTime(), zone });
  },

  changes: readChanges,
});

/** One request when nothing has changed; otherwise the whole file, because a file has no list of changes. */
async function* readChanges(reader: Reader, since: ChangesSince): AsyncGenerator<Changes> {
  const known = cursor.safeParse(since.cursor).data;
  const isDue = !known || since.now.getTime() - Date.parse(known.read_at) >= renewedAfterDays * dayMs;
  const answer = await reader.own(isDue ? undefined : known.version, limits);
  if (!answer) return;
  const digest = createHash('sha256').update(answer.text).digest('base64url');
  if (!isDue && known.digest === digest) return;
  const window = isDue ? createWindow(since) : { from: known.from, until: known.until, read_at: known.read_at };
  const refs: string[] = [];
  const unread: string[] = [];
  const between = { from: Date.parse(window.from), until: Date.parse(window.until) };
  for await (const batch of readEventPages(reader, readFile(answer.text), between)) {
    refs.push(...batch.pages.flatMap(({ sourceRef, isGone }) => (isGone ? [] : [sourceRef])));
    unread.push(...batch.unread);
    yield { ...batch, cursor: since.cursor };
  }
  const kept = (known?.known ?? []).filter((ref) => unread.some((uid) => isOccurrence(reader, ref, uid)));
  const there = new Set([...refs, ...kept]);
  const missingRefs = (known?.known ?? []).filter((ref) => !there.has(ref));
  const { version } = answer;
  yield {
    pages: missingRefs.map((ref) => ({
      ...createGonePage({ source: formatSource(reader), ref: '', type: 'calendar_event' }),
      sourceRef: ref,
    })),
    errors: [],
    total: null,
    cursor: { ...window, digest, known: [...there], ...(version && { version }) },
  };
}

function createWindow({ from, now }: ChangesSince): { from: string; until: string; read_at: string } {
  const until = new Date(now.getTime() + futureDays * dayMs);
  return { from: (from ?? new Date(0)).toISOString(), until: until.toISOString(), read_at: now.toISOString() };
}

/** The pages of a file, batch by batch; `unread` names the events that could not be read. */
async function* readEventPages(
  reader: Reader,
  file: CalendarFile,
  window: Window,
): AsyncGenerator<Batch & { unread: string[] }> {
  const calendar = { id: 'ics', summary: file.name ?? reader.account };
  let batch: Batch & { unread: string[] } = { pages: [], errors: [], total: null, unread: [] };
  for await (const { uid, events, message } of readEventGroups(file, window)) {
    batch.pages.push(...(await Promise.all(events.map((event) => buildPage(event, calendar, reader)))));
    if (message) batch.errors.push({ item: `event ${uid}`, message });
    if (message) batch.unread.push(uid);
    if (batch.pages.length < batchSize && batch.errors.length < batchSize) continue;
    yield batch;
    batch = { pages: [], errors: [], total: null, unread: [] };
  }
  yield batch;
}

async function buildPage(
  { description = '', ...event }: CalendarEvent,
  calendar: CalendarOfEvent,
  reader: Reader,
): Promise<NewPage> {
  const page = await buildEventPage(event, calendar, reader.account);
  // RFC 5545 allows only plain text, but many clients write HTML.
  const text = /<\/?[a-z][^<>]*>/i.test(description)
    ? await readHtmlText(description.replaceAll('\n', '<br>'))
    : description.trim();
  const body = text ? `${page.body}\n\n${text}` : page.body;
  return { ...page, body, source: formatSource(reader), sourceRef: `${formatSource(reader)}:${event.id}` };
}

function isOccurrence(reader: Reader, ref: string, uid: string): boolean {
  const own = `${formatSource(reader)}:${uid}`;
  return ref === own || ref.startsWith(`${own}:`);
}

function formatSource({ account }: Reader): string {
  return `ics:${account}`;
}
