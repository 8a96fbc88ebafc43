// Reads one list of a stream page by page, from its position.
import { walkPages, ProviderError } from '#providers/http';
import type { Changes, ChangesSince } from '../source.ts';
import {
  buildGonePages,
  countMissing,
  findAbsence,
  hasOtherItems,
  isNew,
  noteItems,
  type Absence,
  type ListCoverage,
} from './absence.ts';
import type { ListPosition, Places } from './places.ts';
import { readBatch, splitItems } from './read-batch.ts';
import type { AnyStream, ListPage, StreamList, StreamSource } from './stream.ts';
import { dayMs, findChange, findListStart, findStart, pickLater, writeTimes } from './stream-times.ts';

/** The error codes with which providers report an expired position. */
const outdated: readonly (number | null)[] = [400, 404, 410];
/** Error codes about a single list: it cannot be read, or was deleted. */
const withheld: readonly string[] = ['permission', 'not_found'];

/** The data of a reading. `state` advances while it runs. */
export type StreamReading = {
  source: StreamSource;
  streams: readonly AnyStream[];
  account: string;
  since: ChangesSince;
  state: Places;
};

/** One list of a stream, while it is read. */
export type OpenList = StreamList<unknown> & { stream: AnyStream };

/** The part of a list that was read; empty when only the position has moved. */
export type ChangesPart = Partial<Pick<Changes, 'pages' | 'errors' | 'leftOut' | 'moves' | 'listed'>>;

/** The address for changes has expired: deletions since then are not reported. */
export class ChangesLost extends Error {}

/**
 * Reads one list from its position on. When one of several lists cannot be read, it is reported and the others
 * continue.
 */
export async function* readStreamList(reading: StreamReading, list: OpenList): AsyncGenerator<ChangesPart> {
  let from = reading.state.places[list.key] ?? startPlace(reading, list);
  for (;;) {
    try {
      return yield* readPages(reading, list, from);
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      if (isGivenUp(error, list.stream, from)) from = { ...from, page: null };
      else if (list.stream.findLists && withheld.includes(error.category))
        return yield createWithheldPart(reading, list, error);
      else throw error;
    }
  }
}

/** Handles a list that this account may not read: an error, unless the stream expects it. */
function createWithheldPart(
  reading: StreamReading,
  { stream, key, label }: OpenList,
  { message }: ProviderError,
): ChangesPart {
  if (stream.withheld === undefined) return { errors: [{ item: label, message }] };
  return { leftOut: [{ ref: `${formatSource(reading)}:${key}`, why: stream.withheld }] };
}

/** Whether to drop the position within a list, because the provider no longer knows it. */
function isGivenUp(error: ProviderError, { tellsChanges, findLists }: AnyStream, { page }: ListPosition): boolean {
  if (page === null || !isOutdated(error)) return false;
  if (tellsChanges && findLists && error.status === 404) return false; // only this list no longer exists
  if (tellsChanges) throw new ChangesLost('changes are no longer available', { cause: error });
  return true;
}

/** GraphQL reports refusals with status 200. */
function isOutdated({ status, isRetryable }: ProviderError): boolean {
  return outdated.includes(status) || (status === 200 && !isRetryable);
}

/** A list that known items can move into is read as far back as the other lists were. */
function startPlace({ since: { from }, state }: StreamReading, { stream }: OpenList): ListPosition {
  const own = from?.toISOString() ?? null;
  const since = stream.areMoved && state.from !== undefined ? state.from : own;
  return { since, page: null, newest: since };
}

async function* readPages(
  reading: StreamReading,
  list: OpenList,
  from: ListPosition,
): AsyncGenerator<ChangesPart, void> {
  const { state, since } = reading;
  const { stream, key, of } = list;
  const listedFrom = findListStart(from, stream, since.now);
  const before = from.is_known && new Map(await since.listed(key));
  const met = startCoverage(stream, from, { listedFrom, now: since.now }, before);
  const isLookingBack = listedFrom < findStart(from, stream);
  let { newest } = from;
  let last: ListPage | undefined;
  let count = 0;
  for await (const answer of walkPages(createAskPage(reading, list, from, listedFrom), from.page)) {
    if (answer.isUnchanged) return;
    last = answer;
    count += 1;
    for (const item of answer.items) newest = pickLater(newest, item, stream);
    met.count += answer.items.length;
    if (stream.absence) noteItems(met, stream, answer.items, of);
    const fresh = pickFresh(answer.items, list, from, met);
    const isEnd = stream.since.isNewestFirst === true && fresh.length < answer.items.length;
    const next = isEnd ? null : answer.next;
    const there = {
      ...from,
      since: next === null ? newest : from.since,
      page: next ?? answer.changesAt ?? null,
      newest,
      ...(stream.since.lookBackDays &&
        noteLook(from, { listedFrom, isLookingBack, isOver: next === null, count }, since.now)),
    };
    for (const { isLast, ...batch } of splitItems(stream, fresh)) {
      const { refs, ...part } = await readBatch(getBatchSource(reading), stream, of, batch);
      if (isLast) state.places[key] = there;
      yield addMoves(list, part, refs);
    }
    if (isEnd) break;
  }
  const missing = countMissing(met, last?.total);
  if (missing) {
    const errors = [{ item: 'the list', message: describeCutShort(met.count, missing) }];
    return yield addMoves(list, { errors });
  }
  const isOnePage = from.page === null && count === 1;
  const version = stream.isConditional && isOnePage ? (last?.version ?? null) : null;
  const end = await endList(reading, list, from, { met, version });
  if (end) yield addMoves(list, end);
}

/**
 * Creates the function that requests a page. Where the provider allows it, the first page is requested only if its
 * version has changed.
 */
function createAskPage({ since }: StreamReading, { stream, of }: OpenList, from: ListPosition, listedFrom: number) {
  const times = writeTimes(since, stream, listedFrom);
  return (page: string | null) => {
    const known = stream.isConditional && page === null ? from.version : undefined;
    return stream.listPage({ of, ...times, page, known });
  };
}

function getBatchSource(reading: StreamReading) {
  return { source: formatSource(reading), account: reading.account, isSkippable: reading.since.isSkippable };
}

/** For a list that items can move out of, each part reports the references of all its items. */
function addMoves({ stream, key }: OpenList, part: ChangesPart, met: readonly string[] = []): ChangesPart {
  return stream.areMoved ? { ...part, moves: { list: key, met } } : part;
}

function describeCutShort(count: number, missing: number): string {
  return `The answer has ${count} items and says that ${missing} more exist. Describe how to request the next page (paging), and where its parameter goes (query).`;
}

/** Finishes a list: finds the deleted items, and the version for the next request. */
async function endList(
  reading: StreamReading,
  { stream, key, of }: OpenList,
  from: ListPosition,
  { met, version }: { met: ListCoverage; version: ListPage['version'] },
): Promise<ChangesPart | null> {
  const { state } = reading;
  if (!stream.absence && !version) return null;
  const { missingRefs, listed, errors }: Absence = stream.absence
    ? await findAbsence(stream, of, met)
    : { missingRefs: [], errors: [] };
  const { is_known: _known, version: _version, ...there } = state.places[key] ?? from;
  state.places[key] = { ...there, ...(listed && { is_known: true }), ...(version && { version }) };
  const pages = buildGonePages(stream, formatSource(reading), missingRefs);
  return { pages, errors, ...(hasOtherItems(met, listed) && { listed: { list: key, items: listed ?? [] } }) };
}

/** Stores that a list is being looked back into, and since when; at its end, that this is complete. */
function noteLook(
  { looked }: ListPosition,
  look: { listedFrom: number; isLookingBack: boolean; isOver: boolean; count: number },
  now: Date,
): Pick<ListPosition, 'listed_from' | 'looked'> {
  const { listedFrom, isLookingBack, isOver, count } = look;
  if (!isOver) return { listed_from: new Date(listedFrom).toISOString(), looked };
  return {
    listed_from: undefined,
    looked: isLookingBack || !looked ? { at: now.toISOString(), pages: count } : looked,
  };
}

/** A reading covers the whole list, unless it continues in the middle or reads only the last days. */
function startCoverage(
  stream: AnyStream,
  from: ListPosition,
  { listedFrom, now }: { listedFrom: number; now: Date },
  listed: ReadonlyMap<string, string> | false | undefined,
): ListCoverage {
  const { overlapDays, lookBackDays } = stream.since;
  const since = overlapDays === undefined ? null : listedFrom;
  const before = (stream.absence && listed) || null;
  const lastDays = Math.max(findStart(from, stream), now.getTime() - (overlapDays ?? 0) * dayMs);
  const recent = lookBackDays === undefined ? null : lastDays;
  return { refs: new Map(), count: 0, isWhole: from.page === null, since, recent, before };
}

/** For a list that also returns older items: an item is new if it changed, or was not in the list before. */
function pickFresh(
  items: readonly unknown[],
  { stream, of }: OpenList,
  from: ListPosition,
  met: ListCoverage,
): readonly unknown[] {
  const { since: by } = stream;
  if (from.since === null || !(by.isNewestFirst || by.isUnsorted || by.lookBackDays)) return items;
  const isOld = (item: unknown) => findChange(item, stream) < findStart(from, stream);
  if (by.lookBackDays) return items.filter((item) => !isOld(item));
  if (by.isUnsorted) return items.filter((item) => !isOld(item) || isNew(met, stream.buildRef(item, of)));
  const end = items.findIndex(isOld);
  return end < 0 ? items : items.slice(0, end);
}

/** The name of the account on its pages. */
export function formatSource({ source, account }: StreamReading): string {
  return `${source.name}:${account}`;
}
