// Reads what a descriptor describes: stream by stream, page by page, from where it was.
import type { NewPage } from '#modules/pages';
import { valueAt, type Values } from '../executor/values.ts';
import { ProviderFault } from '../provider-fault.ts';
import { readItems } from '../sources/read-items.ts';
import type { Changes, Since } from '../sources/source.ts';
import { absenceIn, gonePages, isNew, isOther, meet, missingOf, type Absence, type Met } from './absence.ts';
import { holds } from './conditions.ts';
import type { Descriptor, Stream } from './descriptor.ts';
import { detailOf } from './details.ts';
import { listAll, listPage, type Ask, type ListPage } from './list.ts';
import { pagesOf } from '../paging/pages.ts';
import { momentOf } from './moments.ts';
import { cursor, type Place, type Places } from './places.ts';
import { askedSince, dayMs, endOf, later, timesOf } from './stream-times.ts';
import { unitsOf, type Unit } from './units.ts';
import { attachmentOf, pageOf, refOf } from './write-page.ts';

/** So many are stored at a time; fewer where each has to be asked for more. */
const batchSize = 100;
const detailedBatchSize = 25;
/** Of so many parts of lists without anything new one place is kept: a crash repeats no more. */
const placesKeptAfter = 20;
/** How providers say that a place in a list is no longer known. */
const outdated: readonly (number | null)[] = [400, 404, 410];
/** What concerns one of several lists alone: it is not to be read, or is gone. */
const withheld: readonly string[] = ['permission', 'not_found'];

/** What a reading goes with. `state` is brought forward as it goes. */
type Reading = { descriptor: Descriptor; ask: Ask; account: string; since: Since; state: Places };

/** What was read of a list; nothing, where only its place has moved. */
type Part = Partial<Pick<Changes, 'pages' | 'errors' | 'moves' | 'listed'>>;

/** `met`: the references of all that is there, what could not be read among them. */
type UnitPart = Omit<Part, 'moves'> & { met?: readonly string[] };

/** The address at which changes are told is no longer known: nobody tells what was deleted meanwhile. */
class ChangesLost extends Error {}

/** What has changed in all streams of a descriptor. */
export async function* streamChanges(
  descriptor: Descriptor,
  { ask, account, since }: Pick<Reading, 'ask' | 'account' | 'since'>,
): AsyncGenerator<Changes> {
  const known = cursor.safeParse(since.cursor).data;
  const reading = { descriptor, ask, account, since };
  const times = { from: since.from?.toISOString() ?? null, begun_at: since.now.toISOString() };
  const begun = { places: {}, is_whole: showsAbsence(descriptor), ...times };
  const anew = () => readStreams({ ...reading, state: begun }, true);
  if (!known || isOfOtherStreams(descriptor, known) || isPast(descriptor, known, since)) return yield* anew();
  try {
    yield* readStreams({ ...reading, state: known }, false);
  } catch (error) {
    if (!(error instanceof ChangesLost)) throw error;
    yield* anew();
  }
}

/** What was kept by an earlier version of the descriptor says nothing about the streams that there are now. */
function isOfOtherStreams({ streams }: Descriptor, { places }: Places): boolean {
  return Object.keys(places).some((key) => !streams.some(({ name }) => key === name || key.startsWith(`${name} `)));
}

/** What does not say when it began was kept before anybody asked. */
function isPast({ renewedAfterDays }: Descriptor, { begun_at: at }: Places, { now }: Since): boolean {
  return renewedAfterDays !== undefined && !(now.getTime() - Date.parse(at ?? '') < renewedAfterDays * dayMs);
}

/**
 * Whether a reading from the beginning comes across all there is, so that the rest is gone: unless a list notices that by
 * itself, or is a person's own, which may be the last few of many.
 */
function showsAbsence({ streams }: Descriptor): boolean {
  return streams.every(
    ({ absence, since, isConditional }) =>
      !isConditional && (!absence || absence.check !== undefined || since.overlapDays !== undefined),
  );
}

async function* readStreams(reading: Reading, isAnew: boolean): AsyncGenerator<Changes> {
  const { since, state } = reading;
  const window = { part: '', from: since.from, until: endOf(since) };
  let isFirst = isAnew;
  for await (const part of sparing(readUnits(reading))) {
    yield { ...batchOf(reading, part), ...(state.is_whole && { whole: { ...window, isFirst, isLast: false } }) };
    isFirst = false;
  }
  if (!state.is_whole) return;
  state.is_whole = false;
  yield { ...batchOf(reading, {}), whole: { ...window, isFirst, isLast: true } };
}

/** Keeping a place costs a transaction, so that where nothing is new not every place is kept. */
async function* sparing(parts: AsyncGenerator<Part>): AsyncGenerator<Part> {
  let empty = 0;
  try {
    for await (const part of parts) {
      empty = hasNews(part) ? 0 : empty + 1;
      if (empty % placesKeptAfter === 0) yield part;
    }
  } catch (error) {
    if (empty % placesKeptAfter !== 0) yield {}; // the next reading goes on from here
    throw error;
  }
  if (empty % placesKeptAfter !== 0) yield {};
}

function hasNews({ pages, errors, moves, listed }: Part): boolean {
  return Boolean(pages?.length || errors?.length || listed || (moves && ('isOver' in moves || moves.isGone)));
}

/** All lists; and once more those that things are moved among, since one may have gone to a list that was read just before. */
async function* readUnits(reading: Reading): AsyncGenerator<Part> {
  const { streams } = reading.descriptor;
  let mayHaveMoved = reading.state.is_whole;
  for await (const part of readEach(reading, streams)) {
    mayHaveMoved ||= tellsOfLeft(part);
    yield part;
  }
  const moving = streams.filter(({ areMoved }) => areMoved);
  const [type] = moving.map(({ page }) => page.type);
  if (type === undefined) return;
  yield { moves: { isOver: true, type } };
  if (!mayHaveMoved) return;
  yield* readEach(reading, moving);
  yield { moves: { isOver: true, type } };
}

function tellsOfLeft({ pages = [], moves }: Part): boolean {
  if (!moves || !('list' in moves)) return false;
  return moves.isGone === true || pages.some(({ isGone }) => isGone);
}

async function* readEach(reading: Reading, streams: readonly Stream[]): AsyncGenerator<Part> {
  for (const stream of streams) {
    const { units, isWhole } = await unitsOf(reading.ask, stream);
    for (const unit of units) yield* readUnit(reading, unit);
    if (isWhole) yield* dropUnits(reading, stream, units);
    else yield { errors: [{ item: stream.name, message: `Of more than ${units.length} lists these were read.` }] };
  }
}

/** One list, from its place on. One of several that cannot be read is told, and the others go on. */
async function* readUnit(reading: Reading, unit: Unit): AsyncGenerator<Part> {
  try {
    for await (const { met, ...part } of readOn(reading, unit))
      yield { ...part, ...(unit.stream.areMoved && { moves: { list: unit.key, met: met ?? [] } }) };
  } catch (error) {
    if (!unit.stream.each || !(error instanceof ProviderFault) || !withheld.includes(error.category)) throw error;
    yield { errors: [{ item: unit.label, message: error.message }] };
  }
}

/** A place within the list that the provider no longer knows is given up. */
async function* readOn(reading: Reading, unit: Unit): AsyncGenerator<UnitPart> {
  const known = reading.state.places[unit.key] ?? startOf(reading, unit);
  try {
    yield* readPages(reading, unit, known);
  } catch (error) {
    if (known.page === null || !(error instanceof ProviderFault) || !isOutdated(error)) throw error;
    const { changesAt, each } = unit.stream;
    if (changesAt && each && error.status === 404) throw error; // that list alone is there no more
    if (changesAt) throw new ChangesLost('changes are no longer told', { cause: error });
    yield* readPages(reading, unit, { ...known, page: null });
  }
}

/** GraphQL refuses with 200. */
function isOutdated({ status, isRetryable }: ProviderFault): boolean {
  return outdated.includes(status) || (status === 200 && !isRetryable);
}

/** A list to which known things may be moved begins as far back as the others did. */
function startOf({ since: { from }, state }: Reading, { stream }: Unit): Place {
  const own = from?.toISOString() ?? null;
  const since = stream.areMoved && state.from !== undefined ? state.from : own;
  return { since, page: null, newest: since };
}

async function* readPages(reading: Reading, unit: Unit, from: Place): AsyncGenerator<UnitPart> {
  const { ask, state } = reading;
  const { stream, key, values } = unit;
  const met = metOf(stream, from, from.is_known && new Map(await reading.since.listed(key)));
  const times = { ...values, ...timesOf(reading.since, stream, from) };
  const askPage = (page: string | null) =>
    listPage(ask, stream.listing, times, page, stream.isConditional && page === null ? from.version : undefined);
  let { newest } = from;
  let last: ListPage | undefined;
  let count = 0;
  for await (const answer of pagesOf(askPage, from.page)) {
    if (answer.isUnchanged) return;
    last = answer;
    count += 1;
    for (const item of answer.items) newest = later(newest, valueAt(item, stream.since.at), stream);
    met.count += answer.items.length;
    if (stream.absence) meet(met, stream, answer.items, values);
    const fresh = freshOf(answer.items, unit, from, met);
    const isEnd = stream.since.isNewestFirst === true && fresh.length < answer.items.length;
    const next = isEnd ? null : answer.next;
    const since = next === null ? newest : from.since;
    const there = { ...from, since, page: next ?? changesAddress(stream, answer.data), newest };
    for await (const batch of readBatches(reading, unit, fresh)) {
      if (batch.isLast) state.places[key] = there;
      yield batch;
    }
    if (isEnd) break;
  }
  const missing = missingOf(stream, met, last?.data);
  if (missing) return yield { errors: [{ item: 'the list', message: cutShort(met.count, missing) }] };
  const isOnePage = from.page === null && count === 1;
  const version = stream.isConditional && isOnePage ? (last?.version ?? null) : null;
  const end = await endOfList(reading, unit, from, { met, version });
  if (end) yield end;
}

function cutShort(count: number, missing: number): string {
  return `${missing} more are there than the ${count} that came: say how the next page is told (paging), and where it goes (query).`;
}

/** What the end of a list tells: what is gone, and by what to ask whether it has changed. */
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

/** Lists that are no longer there, where it is known what was in them: it is gone, too. The place of each goes with its items. */
async function* dropUnits(reading: Reading, stream: Stream, units: readonly Unit[]): AsyncGenerator<Part> {
  const { each, absence, since, areMoved, name } = stream;
  if (!each || !(areMoved || (absence && since.overlapDays === undefined))) return;
  const there = new Set(units.map(({ key }) => key));
  for (const [key, { is_known: isKnown }] of Object.entries(reading.state.places)) {
    if (!key.startsWith(`${name} `) || there.has(key)) continue;
    delete reading.state.places[key];
    if (areMoved) yield { moves: { list: key, isGone: true } };
    else {
      const refs = isKnown ? (await reading.since.listed(key)).map(([ref]) => ref) : [];
      yield { pages: gonePages(stream, sourceName(reading), refs), listed: { list: key, items: [] } };
    }
  }
}

/** The items as pages, a batch at a time; an empty one when there are none, so that the place is kept. */
async function* readBatches(
  { descriptor, ask, account, since: { mayLeave } }: Reading,
  { stream, values, names }: Unit,
  items: readonly unknown[],
): AsyncGenerator<UnitPart & { isLast: boolean }> {
  const { leaveOut = [], details } = stream;
  const wanted = items.filter((item) => !leaveOut.some((condition) => holds(condition, item)));
  const known = wanted.length ? { ...values, ...(await names()) } : values;
  const size = details ? detailedBatchSize : batchSize;
  const read = (item: unknown) => readItem(descriptor, ask, stream, { ...known, item }, account);
  for (let at = 0; at === 0 || at < wanted.length; at += size) {
    const batch = wanted.slice(at, at + size);
    const { results, errors } = await readItems(batch, (item) => nameOf(stream, item), read, mayLeave);
    const met = presentIn(stream, batch, values).map((ref) => `${descriptor.name}:${account}:${ref}`);
    yield { pages: results, errors, met, isLast: at + size >= wanted.length };
  }
}

/** The references of those that do not say that they are gone. */
function presentIn({ page }: Stream, items: readonly unknown[], values: Values): string[] {
  const { goneWhen } = page;
  const there = items.map((item) => ({ ...values, item })).filter((each) => !goneWhen || !holds(goneWhen, each));
  return there.map((each) => refOf(page, each));
}

async function readItem(
  { name, api }: Descriptor,
  ask: Ask,
  stream: Stream,
  values: Values,
  account: string,
): Promise<NewPage> {
  let known = values;
  for (const detail of stream.details ?? []) {
    const { when, as } = detail;
    if (!when || holds(when, known)) known = { ...known, [as]: await detailOf(ask, detail, known) };
  }
  const list = await filesOf(ask, stream.files, known);
  const page = await pageOf(stream.page, { ...known, files: list }, { source: `${name}:${account}`, account });
  const attachments = list.map((file) => attachmentOf(stream, { ...known, file }, api));
  return { ...page, ...(!page.isGone && { attachments }) };
}

/** The files that come with an item, as the provider lists them. */
async function filesOf(ask: Ask, files: Stream['files'], known: Values): Promise<unknown[]> {
  if (!files || (files.when && !holds(files.when, known))) return [];
  const listed = await listAll(ask, files.listing, known);
  return listed.filter((file) => !files.only || holds(files.only, file));
}

function batchOf({ state }: Reading, { pages = [], errors = [], moves, listed }: Part): Changes {
  return {
    pages,
    errors,
    total: null,
    cursor: structuredClone(state),
    ...(moves && { moves }),
    ...(listed && { listed }),
  };
}

function sourceName({ descriptor, account }: Reading): string {
  return `${descriptor.name}:${account}`;
}

/** What is met is all there is, unless reading goes on in the middle, or only the last days are asked for. */
function metOf(stream: Stream, from: Place, listed: ReadonlyMap<string, string> | undefined): Met {
  const since = stream.since.overlapDays === undefined ? null : askedSince(from, stream);
  const before = (stream.absence && listed) || null;
  return { refs: new Map(), count: 0, isWhole: from.page === null, since, before };
}

/** Of a list that has also what is older than what is known: what is not, or was not there before. */
function freshOf(items: readonly unknown[], { stream, values }: Unit, from: Place, met: Met): readonly unknown[] {
  const { since: by } = stream;
  if (from.since === null || !(by.isNewestFirst || by.isUnsorted)) return items;
  const isOld = (item: unknown) => momentOf(valueAt(item, by.at), by.as) < askedSince(from, stream);
  if (by.isUnsorted) return items.filter((item) => !isOld(item) || isNew(met, stream, { ...values, item }));
  const end = items.findIndex(isOld);
  return end < 0 ? items : items.slice(0, end);
}

/** Where changes are asked from now on, when the end of a list has told. */
function changesAddress({ changesAt }: Stream, data: unknown): string | null {
  const address = changesAt === undefined ? undefined : valueAt(data, changesAt);
  return typeof address === 'string' ? address : null;
}

function nameOf({ name }: Stream, item: unknown): string {
  return `${name} ${String(valueAt(item, 'id') ?? '')}`.trim();
}
