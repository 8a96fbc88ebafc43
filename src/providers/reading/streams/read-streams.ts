// Reads the changes in the streams of a source: every list of every stream, from its last position on.
import { isWithheld } from '#providers/http';
import type { Changes, ChangesSince } from '../source.ts';
import { buildGonePages } from './absence.ts';
import { cursor, type Places } from './places.ts';
import {
  ChangesLost,
  formatSource,
  readStreamList,
  type OpenList,
  type ChangesPart,
  type StreamReading,
} from './read-list.ts';
import type { AnyStream, StreamSource } from './stream.ts';
import { dayMs, findEnd } from './stream-times.ts';

/** After this many parts of lists without news, one position is stored: a crash repeats at most that much. */
const placesKeptAfter = 20;

/** The changes in all streams of a source, in the form of `Source.changes`. */
export async function* readStreamChanges(
  source: StreamSource,
  streams: readonly AnyStream[],
  { account, since }: { account: string; since: ChangesSince },
): AsyncGenerator<Changes> {
  const known = cursor.safeParse(since.cursor).data;
  const reading = { source, streams, account, since };
  const times = { from: since.from?.toISOString() ?? null, begun_at: since.now.toISOString() };
  const begun = { places: {}, is_whole: canShowAbsence(streams), revision: source.revision, ...times };
  const readAnew = () => readStreams({ ...reading, state: begun }, true);
  if (!known || isOfOtherStreams(source, streams, known) || isPast(source, known, since)) return yield* readAnew();
  try {
    yield* readStreams({ ...reading, state: known }, false);
  } catch (error) {
    if (!(error instanceof ChangesLost)) throw error;
    yield* readAnew();
  }
}

/**
 * A position from an earlier version of the source does not fit the present streams, or lacks parts that are read now.
 */
function isOfOtherStreams(
  { revision: present }: StreamSource,
  streams: readonly AnyStream[],
  { places, revision }: Places,
): boolean {
  if (revision !== present) return true;
  return Object.keys(places).some((key) => !streams.some(({ name }) => key === name || key.startsWith(`${name} `)));
}

/** A position without a start time was stored before start times existed. */
function isPast({ renewedAfterDays }: StreamSource, { begun_at: at }: Places, { now }: ChangesSince): boolean {
  return renewedAfterDays !== undefined && !(now.getTime() - Date.parse(at ?? '') < renewedAfterDays * dayMs);
}

/**
 * Whether a reading from the beginning covers all items, so that known items it did not see are deleted. This is not so
 * for a list that notices deletions itself, nor for a person's own list, which may contain only the latest items: that
 * list is conditional, and the only one.
 */
function canShowAbsence(streams: readonly AnyStream[]): boolean {
  return streams.every(
    ({ absence, since, isConditional, findLists }) =>
      !(isConditional && !findLists) &&
      (!absence || absence.findPresent !== undefined || since.overlapDays !== undefined),
  );
}

/** Storing a position costs a transaction, so only some positions are stored when there is no news. */
async function* readStreams(reading: StreamReading, isAnew: boolean): AsyncGenerator<Changes> {
  const { since, state } = reading;
  const window = { part: '', from: since.from, until: findEnd(since) };
  let isFirst = isAnew;
  const buildChanges = (part: ChangesPart): Changes => {
    const changes = {
      ...addState(reading, part),
      ...(state.is_whole && { whole: { ...window, isFirst, isLast: false } }),
    };
    isFirst = false;
    return changes;
  };
  let empty = 0;
  try {
    for await (const part of readLists(reading)) {
      empty = hasNews(part) ? 0 : empty + 1;
      if (empty % placesKeptAfter === 0) yield buildChanges(part);
    }
  } catch (error) {
    if (empty % placesKeptAfter !== 0) yield buildChanges({}); // the next reading continues here
    throw error;
  }
  if (empty % placesKeptAfter !== 0) yield buildChanges({});
  if (!state.is_whole) return;
  state.is_whole = false;
  yield { ...addState(reading, {}), whole: { ...window, isFirst, isLast: true } };
}

function hasNews({ pages, errors, leftOut, moves, listed }: ChangesPart): boolean {
  return Boolean(
    pages?.length || errors?.length || leftOut?.length || listed || (moves && ('isOver' in moves || moves.isGone)),
  );
}

/**
 * Reads all lists, then again those that items can move between, because an item may have moved to a list that was read
 * just before.
 */
async function* readLists(reading: StreamReading): AsyncGenerator<ChangesPart> {
  const { streams } = reading;
  let mayHaveMoved = reading.state.is_whole;
  for (const stream of streams)
    for await (const part of readStream(reading, stream)) {
      mayHaveMoved ||= hasLeft(part);
      yield part;
    }
  const moving = streams.filter(({ areMoved }) => areMoved);
  const [type] = moving.map((stream) => stream.type);
  if (type === undefined) return;
  yield { moves: { isOver: true, type } };
  if (!mayHaveMoved) return;
  for (const stream of moving) yield* readStream(reading, stream);
  yield { moves: { isOver: true, type } };
}

function hasLeft({ pages = [], moves }: ChangesPart): boolean {
  if (!moves || !('list' in moves)) return false;
  return moves.isGone === true || pages.some(({ isGone }) => isGone);
}

/** The lists of a stream; null when this account may not see them: then the stream is left out. */
async function openLists(stream: AnyStream): Promise<{ lists: OpenList[]; isWhole: boolean } | null> {
  if (!stream.findLists) return { lists: [{ stream, key: stream.name, label: '', of: undefined }], isWhole: true };
  try {
    const { lists, isWhole } = await stream.findLists();
    return { lists: lists.map((list) => ({ ...list, key: `${stream.name} ${list.key}`, stream })), isWhole };
  } catch (error) {
    if (stream.withheld !== undefined && isWithheld(error)) return null;
    throw error;
  }
}

/** The lists of one stream. */
async function* readStream(reading: StreamReading, stream: AnyStream): AsyncGenerator<ChangesPart> {
  const open = await openLists(stream);
  if (!open) return yield { leftOut: [{ ref: `${formatSource(reading)}:${stream.name}`, why: stream.withheld ?? '' }] };
  const { lists, isWhole } = open;
  for (const list of lists) yield* readStreamList(reading, list);
  if (!isWhole)
    yield {
      errors: [{ item: stream.name, message: `There are more than ${lists.length} lists. Only these were read.` }],
    };
  else for (const key of listLeftKeys(reading, stream, lists)) yield await buildLeftPart(reading, stream, key);
}

/** Lists that no longer exist, if their items are known. */
function listLeftKeys(
  { state }: StreamReading,
  { findLists, absence, since, areMoved, name }: AnyStream,
  lists: readonly OpenList[],
): string[] {
  if (!findLists || !(areMoved || (absence && since.overlapDays === undefined))) return [];
  const there = new Set(lists.map(({ key }) => key));
  return Object.keys(state.places).filter((key) => key.startsWith(`${name} `) && !there.has(key));
}

/** The items of such a list are deleted, too, and so is its position. */
async function buildLeftPart(reading: StreamReading, stream: AnyStream, key: string): Promise<ChangesPart> {
  const { state, since } = reading;
  const isKnown = state.places[key]?.is_known;
  delete state.places[key];
  if (stream.areMoved) return { moves: { list: key, isGone: true } };
  const refs = isKnown ? (await since.listed(key)).map(([ref]) => ref) : [];
  return { pages: buildGonePages(stream, formatSource(reading), refs), listed: { list: key, items: [] } };
}

function addState({ state }: StreamReading, { pages = [], errors = [], leftOut, moves, listed }: ChangesPart): Changes {
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
