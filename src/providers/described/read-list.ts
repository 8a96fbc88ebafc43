// Reads one list of a stream page by page, from where it was.
import { pagesOf, ProviderFault, valueAt } from '#providers/http';
import type { Changes, Since } from '#providers/reading';
import { absenceIn, gonePages, isNew, isOther, meet, missingOf, type Absence, type Met } from './absence.ts';
import type { Descriptor, Stream } from './descriptor.ts';
import { listPage, type Ask, type ListPage } from './list.ts';
import type { Place, Places } from './places.ts';
import { batchesOf, readBatch } from './read-batch.ts';
import { askedSince, changedAt, dayMs, later, listedSince, timesOf } from './stream-times.ts';
import type { Unit } from './units.ts';

/** The errors by which providers report an expired position. */
const outdated: readonly (number | null)[] = [400, 404, 410];
/** Errors of a single list: it is unreadable, or deleted. */
const withheld: readonly string[] = ['permission', 'not_found'];

/** The data of a reading. `state` advances during it. */
export type Reading = { descriptor: Descriptor; ask: Ask; account: string; since: Since; state: Places };

/** The part of a list that was read; nothing, where only its position has moved. */
export type Part = Partial<Pick<Changes, 'pages' | 'errors' | 'leftOut' | 'moves' | 'listed'>>;

/** The address for changes has expired: deletions in between are not reported. */
export class ChangesLost extends Error {}

/** One list, from its position on. An unreadable one of several is reported, and the others continue. */
export async function* readList(reading: Reading, unit: Unit): AsyncGenerator<Part> {
  let from = reading.state.places[unit.key] ?? startOf(reading, unit);
  for (;;) {
    try {
      return yield* readPages(reading, unit, from);
    } catch (error) {
      if (!(error instanceof ProviderFault)) throw error;
      if (isGivenUp(error, unit.stream, from)) from = { ...from, page: null };
      else if (unit.stream.each && withheld.includes(error.category)) return yield withheldPart(reading, unit, error);
      else throw error;
    }
  }
}

/** A list that this account may not read: an error, unless the descriptor expects it. */
function withheldPart(reading: Reading, { stream, key, label }: Unit, { message }: ProviderFault): Part {
  if (stream.withheld === undefined) return { errors: [{ item: label, message }] };
  return { leftOut: [{ ref: `${sourceName(reading)}:${key}`, why: stream.withheld }] };
}

/** Whether to drop a position within the list, since the provider no longer knows it. */
function isGivenUp(error: ProviderFault, { changesAt, each }: Stream, { page }: Place): boolean {
  if (page === null || !isOutdated(error)) return false;
  if (changesAt && each && error.status === 404) return false; // only that list no longer exists
  if (changesAt) throw new ChangesLost('changes are no longer told', { cause: error });
  return true;
}

/** GraphQL refuses with 200. */
function isOutdated({ status, isRetryable }: ProviderFault): boolean {
  return outdated.includes(status) || (status === 200 && !isRetryable);
}

/** A list into which known items can move is read as far back as the others were. */
function startOf({ since: { from }, state }: Reading, { stream }: Unit): Place {
  const own = from?.toISOString() ?? null;
  const since = stream.areMoved && state.from !== undefined ? state.from : own;
  return { since, page: null, newest: since };
}

async function* readPages(reading: Reading, unit: Unit, from: Place): AsyncGenerator<Part, void> {
  const { ask, state } = reading;
  const { stream, key, values } = unit;
  const listedFrom = listedSince(from, stream, reading.since.now);
  const met = metOf(
    unit,
    from,
    { listedFrom, now: reading.since.now },
    from.is_known && new Map(await reading.since.listed(key)),
  );
  const times = { ...values, ...timesOf(reading.since, stream, listedFrom) };
  const isLookingBack = listedFrom < askedSince(from, stream);
  const askPage = (page: string | null) =>
    listPage(ask, stream.listing, times, page, stream.isConditional && page === null ? from.version : undefined);
  let { newest } = from;
  let last: ListPage | undefined;
  let count = 0;
  for await (const answer of pagesOf(askPage, from.page)) {
    if (answer.isUnchanged) return;
    last = answer;
    count += 1;
    for (const item of answer.items) newest = later(newest, item, stream);
    met.count += answer.items.length;
    if (stream.absence) meet(met, stream, answer.items, values);
    const fresh = freshOf(answer.items, unit, from, met);
    const isEnd = stream.since.isNewestFirst === true && fresh.length < answer.items.length;
    const next = isEnd ? null : answer.next;
    const since = next === null ? newest : from.since;
    const there = {
      ...from,
      since,
      page: next ?? changesAddress(stream, answer.data),
      newest,
      ...(stream.since.lookBackDays &&
        lookOf(from, { listedFrom, isLookingBack, isOver: next === null, count }, reading)),
    };
    for (const { isLast, ...batch } of batchesOf(stream, fresh)) {
      const { refs, ...part } = await readBatch(reading, unit, batch);
      if (isLast) state.places[key] = there;
      yield movedIn(unit, part, refs);
    }
    if (isEnd) break;
  }
  const missing = missingOf(stream, met, last?.data);
  if (missing) return yield movedIn(unit, { errors: [{ item: 'the list', message: cutShort(met.count, missing) }] });
  const isOnePage = from.page === null && count === 1;
  const version = stream.isConditional && isOnePage ? (last?.version ?? null) : null;
  const end = await endOfList(reading, unit, from, { met, version });
  if (end) yield movedIn(unit, end);
}

/** A part of a list with moves reports the references of all its items. */
function movedIn({ stream, key }: Unit, part: Part, met: readonly string[] = []): Part {
  return stream.areMoved ? { ...part, moves: { list: key, met } } : part;
}

function cutShort(count: number, missing: number): string {
  return `${missing} more are there than the ${count} that came: say how the next page is told (paging), and where it goes (query).`;
}

/** The end of a list: the deleted items, and the version for the next request. */
async function endOfList(
  reading: Reading,
  { stream, key, values }: Unit,
  from: Place,
  { met, version }: { met: Met; version: ListPage['version'] },
): Promise<Part | null> {
  const { ask, state } = reading;
  if (!stream.absence && !version) return null;
  const { gone, listed, errors }: Absence = stream.absence
    ? await absenceIn(ask, stream, values, met)
    : { gone: [], errors: [] };
  const { is_known: _known, version: _version, ...there } = state.places[key] ?? from;
  state.places[key] = { ...there, ...(listed && { is_known: true }), ...(version && { version }) };
  const pages = gonePages(stream, sourceName(reading), gone);
  return { pages, errors, ...(isOther(met, listed) && { listed: { list: key, items: listed ?? [] } }) };
}

/** Whether a list is being looked back into, from when on; and that it was, when that is over. */
function lookOf(
  { looked }: Place,
  {
    listedFrom,
    isLookingBack,
    isOver,
    count,
  }: { listedFrom: number; isLookingBack: boolean; isOver: boolean; count: number },
  { since: { now } }: Reading,
): Pick<Place, 'listed_from' | 'looked'> {
  if (!isOver) return { listed_from: new Date(listedFrom).toISOString(), looked };
  return {
    listed_from: undefined,
    looked: isLookingBack || !looked ? { at: now.toISOString(), pages: count } : looked,
  };
}

/** A reading covers everything, unless it continues in the middle, or reads only the last days. */
function metOf(
  { stream }: Unit,
  from: Place,
  { listedFrom, now }: { listedFrom: number; now: Date },
  listed: ReadonlyMap<string, string> | false | undefined,
): Met {
  const { overlapDays } = stream.since;
  const since = overlapDays === undefined ? null : listedFrom;
  const before = (stream.absence && listed) || null;
  const isLong = stream.since.lookBackDays !== undefined;
  const recent = isLong ? Math.max(askedSince(from, stream), now.getTime() - (overlapDays ?? 0) * dayMs) : null;
  return { refs: new Map(), count: 0, isWhole: from.page === null, since, recent, before };
}

/** For a list that also has older items: items are new if they changed, or were not there before. */
function freshOf(items: readonly unknown[], { stream, values }: Unit, from: Place, met: Met): readonly unknown[] {
  const { since: by } = stream;
  if (from.since === null || !(by.isNewestFirst || by.isUnsorted || by.lookBackDays)) return items;
  const isOld = (item: unknown) => changedAt(item, stream) < askedSince(from, stream);
  if (by.lookBackDays) return items.filter((item) => !isOld(item));
  if (by.isUnsorted) return items.filter((item) => !isOld(item) || isNew(met, stream, { ...values, item }));
  const end = items.findIndex(isOld);
  return end < 0 ? items : items.slice(0, end);
}

/** The address for changes from now on, if the end of a list returned it. */
function changesAddress({ changesAt }: Stream, data: unknown): string | null {
  const address = changesAt === undefined ? undefined : valueAt(data, changesAt);
  return typeof address === 'string' ? address : null;
}

/** The name of the account on its pages. */
export function sourceName({ descriptor, account }: Reading): string {
  return `${descriptor.name}:${account}`;
}
