import { AppError } from '#kernel/errors';
import { expect, test } from 'vitest';
import { formatText, readValue, type Values } from '#providers/http';
import type { Changes, ListedItems } from '../source.ts';
import { readList } from './page-text.ts';
import { cursor } from './places.ts';
import { readStreamChanges } from './read-streams.ts';
import { defineStream, describeList, type AnyStream, type Stream } from './stream.ts';

const now = new Date('2026-06-01T00:00:00Z');
const perPage = 10;

/** Answers a request. */
type AnswerCall = (call: { path: string }, values: Values) => Promise<{ data: unknown }>;
/** A source whose streams are read through a given function. */
type TestSource = { revision?: number; openStreams(ask: AnswerCall): AnyStream[] };

const thing: Pick<Stream, 'name' | 'type' | 'buildRef' | 'readItem'> = {
  name: 'things',
  type: 'thing',
  buildRef: (item) => formatText(readValue(item, 'id')),
  readItem: async (item) => ({ title: formatText(readValue(item, 'id')), body: '', frontmatter: {}, author: '' }),
};

/** Pages through a list by offset. */
function listByOffset(ask: AnswerCall): Stream['listPage'] {
  return async ({ since, page }) => {
    const from = Number(page ?? 0);
    const { data } = await ask({ path: '/things' }, { since, page: from });
    const items = readList(data, 'things');
    const next = items.length < perPage ? null : String(from + items.length);
    return { items, next, version: null, isUnchanged: false };
  };
}

/** A paged list with the time of each change. */
const shelf: TestSource = {
  openStreams: (ask) => [
    defineStream({
      ...thing,
      listPage: listByOffset(ask),
      since: { as: 'iso', isUnsorted: true },
      readTimes: (item) => [readValue(item, 'at')],
      absence: {},
      isConditional: true,
    }),
  ],
};

/** This many items, the last of them new. The reading breaks off where the test says. */
function createShelf(count: number, breaksAt = Infinity): AnswerCall {
  return async (_call, { page }) => {
    const from = Number(page);
    if (from >= breaksAt) throw new AppError('upstream_failed', 'The shelf is closed for now.');
    const things = Array.from({ length: Math.min(perPage, count - from) }, (_, place) => ({
      id: `n${from + place}`,
      at: from + place === count - 1 ? '2026-05-31T00:00:00Z' : '2026-01-01T00:00:00Z',
    }));
    return { data: { things } };
  };
}

/** The known items of lists, as they are stored between readings. */
const lists = new Map<string, ListedItems>();

/** Everything that is read from a cursor on, and the reason why reading ended early. */
async function read(ask: AnswerCall, from: unknown, { of = shelf, ...when }: { of?: TestSource; from?: Date } = {}) {
  const batches: Changes[] = [];
  let failure: unknown = null;
  const listed = async (list: string) => lists.get(list) ?? [];
  const since = { cursor: from, from: null, now, isSkippable: () => false, listed, ...when };
  try {
    const source = { name: 'shelf', revision: of.revision };
    for await (const batch of readStreamChanges(source, of.openStreams(ask), { account: 'ada', since })) {
      batches.push(batch);
      if (batch.listed) lists.set(batch.listed.list, batch.listed.items);
    }
  } catch (error) {
    failure = error;
  }
  return { batches, cursor: batches.at(-1)?.cursor ?? from, failure };
}

const getThingsPlace = (kept: unknown) => cursor.parse(kept).places['things'];

test('a long list with one new item costs one page and stores few positions', async () => {
  const first = await read(createShelf(2_000), null);
  expect(getThingsPlace(first.cursor)?.is_known).toBe(true);
  expect(lists.get('things')).toHaveLength(2_000);
  const second = await read(createShelf(2_000), first.cursor);
  expect(second.batches.flatMap(({ pages }) => pages.map(({ title }) => title))).toEqual(['n1999']);
  // 200 pages of the list: each stored position costs a transaction.
  expect(second.batches.length).toBeLessThan(15);
  expect(getThingsPlace(second.cursor)).toMatchObject({ page: null, since: '2026-05-31T00:00:00.000Z' });
});

test('a list whose reading broke off among old items continues from there', async () => {
  const { cursor: known } = await read(createShelf(2_000), null);
  const broken = await read(createShelf(2_000, 1_230), known);
  expect(broken.failure).toMatchObject({ message: 'The shelf is closed for now.' });
  expect(getThingsPlace(broken.cursor)?.page).toBe('1230');
});

test('a list with too many items to store never reports deletions', async () => {
  const { cursor: known } = await read(createShelf(2_000), null);
  const { batches } = await read(createShelf(20_005), known);
  const pages = batches.flatMap((batch) => batch.pages);
  expect(pages.filter(({ isGone }) => isGone)).toEqual([]);
  expect(batches.flatMap(({ errors }) => errors)).toEqual([
    { item: 'the list', message: expect.stringContaining('20000') },
  ]);
});

const drawers: TestSource = {
  openStreams: (ask) => [
    defineStream<unknown>({
      ...thing,
      async findLists() {
        const { data } = await ask({ path: '/drawers' }, {});
        const lists = readList(data, '').map((of) => {
          const id = formatText(readValue(of, 'id'));
          return { ...describeList(thing, [{ id, label: id }]), of };
        });
        return { lists, isWhole: true };
      },
      async listPage({ of, since }) {
        const { data } = await ask({ path: '/things' }, { drawer: of, since });
        return { items: readList(data, ''), next: null, version: null, isUnchanged: false };
      },
      since: { as: 'iso' },
      readTimes: (item) => [readValue(item, 'at')],
      areMoved: true,
    }),
  ],
};

/** The given drawers, all empty. Records the start time of each request. */
function createChest(ids: readonly string[], asked: unknown[]): AnswerCall {
  return async ({ path }, { drawer, since }) => {
    if (path === '/things') asked.push([(drawer as { id: string }).id, since]);
    const data = path === '/drawers' ? ids.map((id) => ({ id })) : [];
    return { data };
  };
}

test('a list into which old items can move is read as far back as the other lists were', async () => {
  const asked: unknown[] = [];
  const first = await read(createChest(['a'], asked), null, { of: drawers, from: new Date('2026-03-01T00:00:00Z') });
  await read(createChest(['a', 'b'], asked), first.cursor, { of: drawers, from: new Date('2026-05-01T00:00:00Z') });
  expect(asked).toContainEqual(['b', '2026-03-01T00:00:00.000Z']);
});

test('changed lists cause a complete reading, and a missing list is reported', async () => {
  const { cursor: old } = await read(createShelf(3), null);
  const outdated = { ...cursor.parse(old), places: { boxes: cursor.parse(old).places['things'] } };
  const anew = await read(createChest(['a', 'b'], []), outdated, { of: drawers });
  expect(anew.batches.at(-1)).toMatchObject({ whole: { isLast: true } });
  const next = await read(createChest(['b'], []), anew.cursor, { of: drawers });
  expect(next.batches.map(({ moves }) => moves)).toEqual([
    { list: 'things a', isGone: true },
    { isOver: true, type: 'thing' },
    { isOver: true, type: 'thing' },
  ]);
});

test('lists that no item has left are read once', async () => {
  const { cursor: known } = await read(createChest(['a', 'b'], []), null, { of: drawers });
  const asked: unknown[] = [];
  await read(createChest(['a', 'b'], asked), known, { of: drawers });
  expect(asked).toHaveLength(2);
});

const talk: TestSource = {
  openStreams: (ask) => [
    defineStream({
      ...thing,
      listPage: listByOffset(ask),
      since: { as: 'iso', overlapDays: 3, lookBackDays: 90 },
      readTimes: (item) => [readValue(item, 'at'), readValue(item, 'replied')],
      absence: {},
    }),
  ],
};
type Message = { id: string; at: string; replied?: string };

/** The given messages, newest first, filtered by a start time. Records each request. */
function createChannel(messages: readonly Message[], asked: string[]): AnswerCall {
  const newestFirst = messages.toSorted((one, other) => (one.at < other.at ? 1 : -1));
  return async (_call, { page, since }) => {
    asked.push(String(since).slice(0, 10));
    const from = Number(page);
    const end = newestFirst.findIndex(({ at }) => at < String(since));
    const listed = end < 0 ? newestFirst : newestFirst.slice(0, end);
    return { data: { things: listed.slice(from, from + perPage) } };
  };
}
const formatDaysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000).toISOString();
const listTitles = ({ batches }: Awaited<ReturnType<typeof read>>) =>
  batches.flatMap(({ pages }) => pages.map(({ title, isGone, sourceRef }) => (isGone ? `gone ${sourceRef}` : title)));

test('a late reply to an old message is read, and the messages beside it are not read again', async () => {
  const messages: Message[] = [80, 40, 10, 0].map((days) => ({ id: `m${days}`, at: formatDaysAgo(days) }));
  const first = await read(createChannel(messages, []), null, { of: talk });
  expect(listTitles(first)).toEqual(['m0', 'm10', 'm40', 'm80']);
  const replied = messages.map((each) => (each.id === 'm80' ? { ...each, replied: formatDaysAgo(-1) } : each));
  const second = await read(createChannel(replied, []), first.cursor, { of: talk });
  expect(listTitles(second)).toEqual(['m0', 'm80']);
  const third = await read(createChannel(replied.slice(0, 1), []), second.cursor, { of: talk });
  expect(listTitles(third).filter((title) => title.startsWith('gone'))).toHaveLength(3);
});

test('a list of many pages is looked back into less often, and a reading that broke off goes on with the same list', async () => {
  const messages = Array.from({ length: 35 }, (_, days) => ({ id: `m${days}`, at: formatDaysAgo(days) }));
  const asked: string[] = [];
  const first = await read(createChannel(messages, asked), null, { of: talk });
  asked.length = 0;
  const second = await read(createChannel(messages, asked), first.cursor, { of: talk });
  expect(asked).toEqual([formatDaysAgo(3).slice(0, 10)]);
  // Four pages are looked back into every three quarters of an hour.
  const place = cursor.parse(second.cursor);
  Object.assign(place.places['things'] ?? {}, { looked: { at: formatDaysAgo(0.04), pages: 4 } });
  const torn = createChannel(messages, asked);
  asked.length = 0;
  const broken = await read(
    async (call, values) => {
      if (Number(values['page']) >= 20) throw new AppError('upstream_failed', 'Closed for now.');
      return torn(call, values);
    },
    place,
    { of: talk },
  );
  await read(torn, broken.cursor, { of: talk });
  expect(new Set(asked)).toEqual(new Set([formatDaysAgo(90).slice(0, 10)]));
});

test('a channel with too many messages to store notices deletions among its last messages', async () => {
  const recent = [0, 1, 2].map((days) => ({ id: `m${days}`, at: formatDaysAgo(days) }));
  const older = Array.from({ length: 20_050 }, (_, minutes) => ({
    id: `o${minutes}`,
    at: formatDaysAgo(5 + minutes / 1440),
  }));
  lists.set(
    'things',
    [...recent, ...older.slice(0, 5)].map(({ id, at }) => [id, at] as const),
  );
  const place = { since: formatDaysAgo(0), page: null, newest: null, is_known: true };
  const known = { places: { things: place }, begun_at: formatDaysAgo(1) };
  const there = [...recent.slice(1), ...older.slice(1)];
  const { batches } = await read(createChannel(there, []), known, { of: talk });
  expect(batches.flatMap(({ errors }) => errors)).toEqual([]);
  expect(
    batches.flatMap(({ pages }) => pages.filter(({ isGone }) => isGone)).map(({ sourceRef }) => sourceRef),
  ).toEqual(['shelf:ada:m0']);
});

test('a source that reads its items in more detail than before reads everything once more', async () => {
  const first = await read(createShelf(3), null);
  const { batches } = await read(createShelf(3), first.cursor, { of: { ...shelf, revision: 2 } });
  expect(batches.flatMap(({ pages }) => pages)).toHaveLength(3);
  const again = await read(createShelf(3), batches.at(-1)?.cursor, { of: { ...shelf, revision: 2 } });
  expect(again.batches.flatMap(({ pages }) => pages).length).toBeLessThan(3);
});
