// Reads what a descriptor describes: stream by stream, page by page, from where it was.
import type { NewPage } from '#modules/pages';
import { z } from 'zod';
import { valueAt, type Values } from '../executor/values.ts';
import { ProviderFault } from '../provider-client.ts';
import { readItems } from '../sources/read-items.ts';
import type { Changes, Since } from '../sources/source.ts';
import { holds } from './conditions.ts';
import type { Descriptor, Stream } from './descriptor.ts';
import { listAll, listPage, type Ask } from './list.ts';
import { attachmentOf, pageOf } from './write-page.ts';

/** Of one list: what it was read up to, and the page that is next: of a reading that was broken off, or of what changes from then on. */
const place = z.object({ since: z.string().nullable(), page: z.string().nullable(), newest: z.string().nullable() });
/** By stream, and by what it is read for; and whether all of it is read for the first time, or once more. */
const cursor = z.object({ places: z.record(z.string(), place), is_whole: z.boolean().default(false) });
type Place = z.output<typeof place>;

const batchSize = 25;
const dayMs = 24 * 60 * 60_000;
/** How far ahead things are read that are still to come. */
const futureDays = 366;
/** How providers say that a place in a list is no longer known. */
const outdated: readonly (number | null)[] = [400, 404, 410];

/** What a reading goes with. `state` is brought forward as it goes. */
type Reading = { descriptor: Descriptor; ask: Ask; account: string; since: Since; state: z.output<typeof cursor> };
/** One list of a stream: its key among the places, and the values its calls are filled with. */
type Unit = { stream: Stream; key: string; values: Values; names: () => Promise<Values> };

/** The address at which changes are told is no longer known: nobody tells what was deleted meanwhile. */
class ChangesLost extends Error {}

/** What has changed in all streams of a descriptor. */
export async function* streamChanges(
  descriptor: Descriptor,
  { ask, account, since }: Pick<Reading, 'ask' | 'account' | 'since'>,
): AsyncGenerator<Changes> {
  const known = cursor.safeParse(since.cursor).data;
  const reading = { descriptor, ask, account, since };
  const anew = () => readStreams({ ...reading, state: { places: {}, is_whole: true } }, true);
  if (!known) return yield* anew();
  try {
    yield* readStreams({ ...reading, state: known }, false);
  } catch (error) {
    if (!(error instanceof ChangesLost)) throw error;
    yield* anew();
  }
}

async function* readStreams(reading: Reading, isAnew: boolean): AsyncGenerator<Changes> {
  const { descriptor, ask, since, state } = reading;
  const window = { part: '', from: since.from, until: endOf(since) };
  let isFirst = isAnew;
  for (const stream of descriptor.streams) {
    for (const unit of await unitsOf(ask, stream)) {
      for await (const batch of readUnit(reading, unit)) {
        yield state.is_whole ? { ...batch, whole: { ...window, isFirst, isLast: false } } : batch;
        isFirst = false;
      }
    }
  }
  if (!state.is_whole) return;
  state.is_whole = false;
  const whole = { ...window, isFirst, isLast: true };
  yield { pages: [], errors: [], total: null, cursor: structuredClone(state), whole };
}

function endOf({ now }: Since): Date {
  return new Date(now.getTime() + futureDays * dayMs);
}

async function unitsOf(ask: Ask, stream: Stream): Promise<Unit[]> {
  const { each, name: key } = stream;
  let known: Promise<Values> | null = null;
  const names = () => (known ??= readNames(ask, stream));
  if (!each) return [{ stream, key, values: {}, names }];
  const items = await listAll(ask, each.listing, {});
  return items
    .filter((item) => !each.only || holds(each.only, item))
    .map((item) => ({
      stream,
      key: `${key} ${String(valueAt(item, each.id))}`,
      values: { [each.as]: item },
      names,
    }));
}

/** The names that ids stand for, by list and id. */
async function readNames(ask: Ask, { lookups = [] }: Stream): Promise<Values> {
  const lists = await Promise.all(
    lookups.map(async ({ as, listing, id, name }) => {
      const entries = (await listAll(ask, listing, {})).map((item) => [String(valueAt(item, id)), valueAt(item, name)]);
      return [as, Object.fromEntries(entries)] as const;
    }),
  );
  return Object.fromEntries(lists);
}

/** One list, from its place on. A place within the list that the provider no longer knows is given up. */
async function* readUnit(reading: Reading, unit: Unit): AsyncGenerator<Changes> {
  const known = reading.state.places[unit.key] ?? startOf(reading.since);
  try {
    yield* readPages(reading, unit, known);
  } catch (error) {
    const isOutdated = error instanceof ProviderFault && outdated.includes(error.status) && known.page !== null;
    if (!isOutdated) throw error;
    if (unit.stream.changesAt) throw new ChangesLost('changes are no longer told', { cause: error });
    yield* readPages(reading, unit, { ...known, page: null });
  }
}

function startOf({ from }: Since): Place {
  const since = from?.toISOString() ?? null;
  return { since, page: null, newest: since };
}

async function* readPages(
  { descriptor, ask, account, state, since }: Reading,
  unit: Unit,
  from: Place,
): AsyncGenerator<Changes> {
  const { stream, key, values, names } = unit;
  const until = endOf(since).toISOString();
  let { page, newest } = from;
  do {
    const times = { since: sinceOf(from, stream), until };
    const { items, next, data } = await listPage(ask, stream.listing, { ...values, ...times }, page);
    for (const item of items) newest = later(newest, valueAt(item, stream.since.at));
    const fresh = freshOf(items, stream, from);
    page = fresh.length < items.length ? null : next;
    const wanted = fresh.filter((item) => !stream.leaveOut || !holds(stream.leaveOut, item));
    const known = wanted.length ? { ...values, ...(await names()) } : values;
    const read = (item: unknown) => readItem(descriptor, ask, stream, { ...known, item }, account);
    for (let at = 0; at === 0 || at < wanted.length; at += batchSize) {
      const batch = wanted.slice(at, at + batchSize);
      const { results, errors } = await readItems(batch, (item) => nameOf(stream, item), read);
      const isRead = at + batchSize >= wanted.length;
      const resumed = page ?? changesAddress(stream, data);
      if (isRead) state.places[key] = { since: page === null ? newest : from.since, page: resumed, newest };
      yield { pages: results, errors, total: null, cursor: structuredClone(state) };
    }
  } while (page !== null);
}

async function readItem(
  { name, api }: Descriptor,
  ask: Ask,
  stream: Stream,
  values: Values,
  account: string,
): Promise<NewPage> {
  let known = values;
  for (const { when, listing, as } of stream.details ?? []) {
    if (!when || holds(when, known)) known = { ...known, [as]: await listAll(ask, listing, known) };
  }
  const list = await filesOf(ask, stream.files, known);
  const page = pageOf(stream.page, { ...known, files: list }, { source: `${name}:${account}`, account });
  const attachments = list.map((file) => attachmentOf(stream, { ...known, file }, api));
  return { ...page, ...(!page.isGone && { attachments }) };
}

/** The files that come with an item, as the provider lists them. */
async function filesOf(ask: Ask, files: Stream['files'], known: Values): Promise<unknown[]> {
  if (!files || (files.when && !holds(files.when, known))) return [];
  const listed = await listAll(ask, files.listing, known);
  return listed.filter((file) => !files.only || holds(files.only, file));
}

/** Of a list with the newest first, those before the first that is older than what is known. */
function freshOf(
  items: readonly unknown[],
  { since: { at, isNewestFirst } }: Stream,
  { since }: Place,
): readonly unknown[] {
  if (!isNewestFirst || since === null) return items;
  const end = items.findIndex((item) => Date.parse(String(valueAt(item, at))) < Date.parse(since));
  return end < 0 ? items : items.slice(0, end);
}

/** The later of two times. One that cannot be read counts nothing. */
function later(latest: string | null, found: unknown): string | null {
  const text = String(found);
  const time = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text);
  if (Number.isNaN(time)) return latest;
  return latest !== null && Date.parse(latest) >= time ? latest : new Date(time).toISOString();
}

/** Where changes are asked from now on, when the end of a list has told. */
function changesAddress({ changesAt }: Stream, data: unknown): string | null {
  const address = changesAt === undefined ? undefined : valueAt(data, changesAt);
  return typeof address === 'string' ? address : null;
}

function sinceOf({ since }: Place, { since: { as, overlapDays = 0 } }: Stream): string {
  const time = since === null ? 0 : Math.max(0, Date.parse(since) - overlapDays * dayMs);
  return as === 'seconds' ? (time / 1000).toFixed(6) : new Date(time).toISOString();
}

function nameOf({ name }: Stream, item: unknown): string {
  return `${name} ${String(valueAt(item, 'id') ?? '')}`.trim();
}
