// Reads what a descriptor describes: every list of every stream, from where it was.
import type { Changes, Since } from '#providers/reading';
import { gonePages } from './absence.ts';
import type { Descriptor, Stream } from './descriptor.ts';
import { isWithheld } from './details.ts';
import type { Ask } from './list.ts';
import { cursor, type Places } from './places.ts';
import { ChangesLost, readList, sourceName, type Part, type Reading } from './read-list.ts';
import { dayMs, endOf } from './stream-times.ts';
import { unitsOf, type Unit } from './units.ts';

/** For this many parts of lists without anything new one position is stored: a crash repeats no more. */
const placesKeptAfter = 20;

/** The changes in all streams of a descriptor. */
export async function* streamChanges(
  descriptor: Descriptor,
  { ask, account, since }: { ask: Ask; account: string; since: Since },
): AsyncGenerator<Changes> {
  const known = cursor.safeParse(since.cursor).data;
  const reading = { descriptor, ask, account, since };
  const times = { from: since.from?.toISOString() ?? null, begun_at: since.now.toISOString() };
  const begun = { places: {}, is_whole: showsAbsence(descriptor), revision: descriptor.revision, ...times };
  const anew = () => readStreams({ ...reading, state: begun }, true);
  if (!known || isOfOtherStreams(descriptor, known) || isPast(descriptor, known, since)) return yield* anew();
  try {
    yield* readStreams({ ...reading, state: known }, false);
  } catch (error) {
    if (!(error instanceof ChangesLost)) throw error;
    yield* anew();
  }
}

/** A position of an earlier version of the descriptor does not fit the present streams, or leaves out parts that are read now. */
function isOfOtherStreams({ streams, revision: present }: Descriptor, { places, revision }: Places): boolean {
  if (revision !== present) return true;
  return Object.keys(places).some((key) => !streams.some(({ name }) => key === name || key.startsWith(`${name} `)));
}

/** A position without a start time is from before start times existed. */
function isPast({ renewedAfterDays }: Descriptor, { begun_at: at }: Places, { now }: Since): boolean {
  return renewedAfterDays !== undefined && !(now.getTime() - Date.parse(at ?? '') < renewedAfterDays * dayMs);
}

/**
 * Whether a reading from the beginning covers all items, so that the others are deleted: unless a list notices
 * deletions itself, or is a person's own list, which may contain only the latest items: that is conditional, and not one of several.
 */
function showsAbsence({ streams }: Descriptor): boolean {
  return streams.every(
    ({ absence, since, isConditional, each }) =>
      !(isConditional && !each) && (!absence || absence.check !== undefined || since.overlapDays !== undefined),
  );
}

/** Keeping a place costs a transaction, so that where nothing is new not every place is kept. */
async function* readStreams(reading: Reading, isAnew: boolean): AsyncGenerator<Changes> {
  const { since, state } = reading;
  const window = { part: '', from: since.from, until: endOf(since) };
  let isFirst = isAnew;
  const changesOf = (part: Part): Changes => {
    const changes = {
      ...batchOf(reading, part),
      ...(state.is_whole && { whole: { ...window, isFirst, isLast: false } }),
    };
    isFirst = false;
    return changes;
  };
  let empty = 0;
  try {
    for await (const part of readLists(reading)) {
      empty = hasNews(part) ? 0 : empty + 1;
      if (empty % placesKeptAfter === 0) yield changesOf(part);
    }
  } catch (error) {
    if (empty % placesKeptAfter !== 0) yield changesOf({}); // the next reading continues here
    throw error;
  }
  if (empty % placesKeptAfter !== 0) yield changesOf({});
  if (!state.is_whole) return;
  state.is_whole = false;
  yield { ...batchOf(reading, {}), whole: { ...window, isFirst, isLast: true } };
}

function hasNews({ pages, errors, leftOut, moves, listed }: Part): boolean {
  return Boolean(
    pages?.length || errors?.length || leftOut?.length || listed || (moves && ('isOver' in moves || moves.isGone)),
  );
}

/** All lists; and again those with moves, since an item may have moved to a list that was read just before. */
async function* readLists(reading: Reading): AsyncGenerator<Part> {
  const { streams } = reading.descriptor;
  let mayHaveMoved = reading.state.is_whole;
  for (const stream of streams)
    for await (const part of readStream(reading, stream)) {
      mayHaveMoved ||= tellsOfLeft(part);
      yield part;
    }
  const moving = streams.filter(({ areMoved }) => areMoved);
  const [type] = moving.map(({ page }) => page.type);
  if (type === undefined) return;
  yield { moves: { isOver: true, type } };
  if (!mayHaveMoved) return;
  for (const stream of moving) yield* readStream(reading, stream);
  yield { moves: { isOver: true, type } };
}

function tellsOfLeft({ pages = [], moves }: Part): boolean {
  if (!moves || !('list' in moves)) return false;
  return moves.isGone === true || pages.some(({ isGone }) => isGone);
}

/** Null where this account may not see what the lists are of, and the stream is left out then. */
async function listsOf({ ask }: Reading, stream: Stream): Promise<Awaited<ReturnType<typeof unitsOf>> | null> {
  try {
    return await unitsOf(ask, stream);
  } catch (error) {
    if (stream.withheld !== undefined && isWithheld(error)) return null;
    throw error;
  }
}

/** The lists of one stream. */
async function* readStream(reading: Reading, stream: Stream): AsyncGenerator<Part> {
  const lists = await listsOf(reading, stream);
  if (!lists) return yield { leftOut: [{ ref: `${sourceName(reading)}:${stream.name}`, why: stream.withheld ?? '' }] };
  const { units, isWhole } = lists;
  for (const unit of units) yield* readList(reading, unit);
  if (!isWhole)
    yield { errors: [{ item: stream.name, message: `Of more than ${units.length} lists these were read.` }] };
  else for (const key of leftKeys(reading, stream, units)) yield await leftPart(reading, stream, key);
}

/** Lists that no longer exist, if their items are known. */
function leftKeys(
  { state }: Reading,
  { each, absence, since, areMoved, name }: Stream,
  units: readonly Unit[],
): string[] {
  if (!each || !(areMoved || (absence && since.overlapDays === undefined))) return [];
  const there = new Set(units.map(({ key }) => key));
  return Object.keys(state.places).filter((key) => key.startsWith(`${name} `) && !there.has(key));
}

/** Items of such a list are deleted, too. The position of the list is deleted with its items. */
async function leftPart(reading: Reading, stream: Stream, key: string): Promise<Part> {
  const { state, since } = reading;
  const isKnown = state.places[key]?.is_known;
  delete state.places[key];
  if (stream.areMoved) return { moves: { list: key, isGone: true } };
  const refs = isKnown ? (await since.listed(key)).map(([ref]) => ref) : [];
  return { pages: gonePages(stream, sourceName(reading), refs), listed: { list: key, items: [] } };
}

function batchOf({ state }: Reading, { pages = [], errors = [], leftOut, moves, listed }: Part): Changes {
  return {
    pages,
    errors,
    total: null,
    cursor: structuredClone(state),
    ...(leftOut && { leftOut }),
    ...(moves && { moves }),
    ...(listed && { listed }),
  };
}
