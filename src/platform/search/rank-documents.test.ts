import { describe, expect, test } from 'vitest';
import { computeConfidence } from './confidence.ts';
import { buildExampleRow } from './example-row.ts';
import { findInIndex } from './rank-documents.ts';
import type { IndexQuery } from './rank-documents.ts';
import { findSimilarInIndex } from './likeness.ts';
import { createIndex, putDocuments } from './inverted-index.ts';
import type { InvertedIndex } from './inverted-index.ts';
import type { Searchable } from './searchable.ts';

type RowInput = Partial<Searchable> & Pick<Searchable, 'body'>;

function buildIndex(rows: Record<string, RowInput | string>, language?: string): InvertedIndex {
  const index = createIndex(language);
  putDocuments(
    index,
    Object.entries(rows).map(([id, row]) =>
      buildExampleRow({ id, ...(typeof row === 'string' ? { body: row } : row) }),
    ),
  );
  return index;
}
const buildThread = (...turns: (RowInput | string)[]) =>
  Object.fromEntries(
    turns.map((turn, at) => {
      const row = typeof turn === 'string' ? { body: turn } : turn;
      return [`turn-${at}`, { ...row, threadId: 'thread', threadPosition: at }];
    }),
  );
const find = (index: InvertedIndex, text: string, more: Partial<IndexQuery> = {}) =>
  findInIndex(index, { text, limit: 10, ...more });
const findIds = (index: InvertedIndex, text: string, more: Partial<IndexQuery> = {}) =>
  find(index, text, more).hits.map((hit) => hit.document.id);

describe('ranking', () => {
  test('rare words count more than frequent ones', () => {
    const index = buildIndex({ a: 'deploy pipeline', b: 'deploy zeppelin', c: 'deploy notes', d: 'deploy plan' });
    expect(findIds(index, 'deploy zeppelin')[0]).toBe('b');
  });

  test('a turn is found by the words of its neighbouring turns, but ranks below them', () => {
    const index = buildIndex(buildThread('Which database do we take?', 'Postgres.', 'Agreed.', 'Lunch?', 'Pizza.'));
    expect(findIds(index, 'database')).toEqual(['turn-0', 'turn-1', 'turn-2']);
    expect(find(index, 'database').hits[1]?.explanation.fields).toEqual(['thread']);
  });

  test('a new turn in the middle of a thread changes the words by which its neighbours are found', () => {
    const index = buildIndex(buildThread('Hello there friend', 'Pizza please'));
    const late = { threadId: 'thread', threadPosition: 0.5 };
    putDocuments(index, [buildExampleRow({ id: 'late', body: 'zeppelin', ...late })]);
    expect(findIds(index, 'zeppelin').toSorted()).toEqual(['late', 'turn-0', 'turn-1']);
  });

  test('words do not spread between threads, nor between documents without a thread', () => {
    const index = buildIndex({
      a: { body: 'zeppelin', threadId: 'one' },
      b: { body: 'hello', threadId: 'two', threadPosition: 1 },
      c: { body: 'zeppelin' },
      d: { body: 'hello' },
    });
    expect(findIds(index, 'zeppelin').toSorted()).toEqual(['a', 'c']);
  });

  test('a document is found by its author and its date', () => {
    const day = new Date('2023-05-07T09:00:00Z');
    const index = buildIndex({ a: 'hello', b: { body: 'hello', author: 'Grace Hopper', occurredAt: day } });
    for (const text of ['Hopper', 'May 2023', 'sunday', '2023-05-07']) expect(findIds(index, text)).toEqual(['b']);
    expect(find(index, 'Hopper').hits[0]?.explanation.fields).toEqual(['author']);
    expect(find(index, 'May 2023').hits[0]?.explanation.fields).toEqual(['date']);
  });

  test('a number without a cue finds the text that contains it, not texts from that year or day', () => {
    const that = { body: 'The relay got a new port', occurredAt: new Date('2019-07-07T10:00:00Z') };
    const index = buildIndex({ that, named: 'Port 2019 is for the relay', other: 'The relay got a new port too' });
    expect(findIds(index, 'relay port 2019')).toEqual(['named', 'other', 'that']);
    const [, other, inThatYear] = find(index, 'relay port 2019').hits;
    expect(inThatYear!.score / other!.score).toBeLessThan(1.2);
    expect(find(index, 'pier 7').hits).toEqual([]);
    expect(findIds(index, 'what did the relay get in 2019?')[0]).toBe('that');
  });

  test('a memory of the author in the query comes first', () => {
    const said = 'I like the new zeppelin';
    const index = buildIndex({ a: { body: said, author: 'Ada' }, b: { body: said, author: 'Grace' }, c: 'other' });
    expect(findIds(index, 'What does Ada like about the zeppelin?')[0]).toBe('a');
    expect(findIds(index, 'What does Grace like about the zeppelin?')[0]).toBe('b');
  });

  test('a query in the first person prefers what the user said', () => {
    const index = buildIndex({
      a: { body: 'red zeppelin zeppelin', role: 'assistant' },
      b: { body: 'a red zeppelin', role: 'user' },
      c: 'other words',
    });
    expect(findIds(index, 'Which zeppelin did they buy?')[0]).toBe('a');
    expect(findIds(index, 'Which zeppelin did I buy?')[0]).toBe('b');
  });

  test('a long document is found by its best passage', () => {
    const filler = 'lorem ipsum dolor sit amet consectetur '.repeat(60);
    const index = buildIndex({
      long: `${filler} zeppelin hangar ${filler}`,
      short: 'zeppelin and much else here',
      c: 'x',
    });
    const { hits } = find(index, 'zeppelin hangar');
    expect(hits[0]?.document.id).toBe('long');
    expect(hits).toHaveLength(2);
  });

  test('of equal hits the newer comes first', () => {
    const index = buildIndex({
      a: 'zeppelin',
      b: { body: 'zeppelin', occurredAt: new Date('2025-01-01') },
      c: 'other',
    });
    expect(findIds(index, 'zeppelin')).toEqual(['b', 'a']);
  });
});

describe('spelling', () => {
  test.each([
    ['letters', 'x'.repeat(2_000)],
    ['syllables', 'na'.repeat(1_000)],
    ['endings', 'ization'.repeat(285)],
    ['letters of another alphabet', 'щ'.repeat(2_000)],
  ])('a word of 2,000 %s is not compared with every spelling', (_what, word) => {
    const index = buildIndex({ one: `The harbour opens at nine ${word}`, two: 'The kiln' });
    expect(findIds(index, `${word.slice(0, -1)}q harbour`)).toEqual(['one']);
    expect(findIds(index, word)).toEqual(['one']);
  });

  const index = buildIndex({ a: 'the zeppelin hangar', b: { body: 'nothing here', author: 'Michael Curtis' } });
  test.each(['zepelin', 'zeppellin', 'zeppelim', 'zepplein', 'zeppelins', 'Micheal', 'hangaar', 'hangr'])(
    'a spelling with %s still finds the word',
    (word) => expect(find(index, word).total).toBe(1),
  );
  test('short words are not corrected', () => expect(find(buildIndex({ a: 'cats here' }), 'bats').total).toBe(0));
  test('a word that the brain contains is not corrected', () => {
    const index = buildIndex({ a: 'the hanger', b: 'the hangar' });
    expect(findIds(index, 'hangar')).toEqual(['b']);
  });
});

describe('operators', () => {
  const index = buildIndex({
    a: 'To be or not to be: that is the question',
    b: 'The question to be asked is not that',
    c: { body: 'Nothing', title: 'Red Zeppelin' },
    d: '会議は東京で行われました',
  });
  test('a phrase must appear word for word, whatever its case and punctuation', () => {
    expect(findIds(index, '"that IS the question"')).toEqual(['a']);
    expect(findIds(index, '“red zeppelin”')).toEqual(['c']);
    expect(findIds(index, '"zeppelin red"')).toEqual([]);
  });
  test('a phrase of stop words is found', () => expect(findIds(index, '"to be or not to be"')).toEqual(['a']));
  test('a phrase in a script without spaces is found', () => expect(findIds(index, '"東京で"')).toEqual(['d']));
  test('several phrases must all appear', () => {
    expect(findIds(index, '"the question" "is not"')).toEqual(['b']);
  });
  test('an excluded word excludes its inflections', () => {
    expect(findIds(index, 'question -asking')).toEqual(['a']);
    expect(findIds(index, 'question -"or not to be"')).toEqual(['b']);
  });
  test('an identifier is excluded as a whole, and so is a number', () => {
    const files = buildIndex({
      a: 'config lives in src/app/main.ts',
      b: 'config lives in src/other/util.ts',
      c: 'config of 2024, by ada@example.com',
      d: 'config of 2025, by ada@other.org',
    });
    expect(findIds(files, 'config -src/app/main.ts').toSorted()).toEqual(['b', 'c', 'd']);
    expect(findIds(files, 'config -ada@example.com').toSorted()).toEqual(['a', 'b', 'd']);
    expect(findIds(files, 'config -2024').toSorted()).toEqual(['a', 'b', 'd']);
    expect(findIds(files, 'config -src').toSorted()).toEqual(['c', 'd']);
  });
  test('a dash between words, an unclosed quote and an empty query are not operators', () => {
    expect(findIds(index, 'question - asked')).toHaveLength(2);
    expect(findIds(index, '"question')).toHaveLength(2);
    expect(find(index, ' ').total).toBe(0);
  });
});

describe('filters and totals', () => {
  const index = buildIndex({
    a: { body: 'zeppelin', type: 'decision' },
    b: { body: 'zeppelin', source: 'gmail', type: 'email', kind: 'page' },
    c: { body: 'zeppelin', source: 'make:gmail:x@y', kind: 'page' },
    d: { body: 'zeppelin', source: 'make:gmailish' },
  });
  test.each([
    [{ kinds: ['page' as const] }, ['b', 'c']],
    [{ types: ['decision', 'email'] }, ['a', 'b']],
    [{ source: 'human' }, ['a']],
    [{ source: 'auto_ingested' }, ['b', 'c', 'd']],
    [{ source: 'make' }, ['c', 'd']],
    [{ source: 'make:gmail' }, ['c']],
    [{ source: 'gmail' }, ['b', 'c']],
  ])('the filter %j selects its memories', (filter, expected) => {
    expect(findIds(index, 'zeppelin', filter).toSorted()).toEqual(expected);
    expect(find(index, 'zeppelin', { ...filter, limit: 1 }).total).toBe(expected.length);
  });
});

describe('filters by author, salience and time', () => {
  const at = (day: string) => new Date(`${day}T12:00:00Z`);
  const index = buildIndex({
    a: {
      body: 'zeppelin',
      author: 'Ada Lovelace <ada@example.com>',
      occurredAt: at('2026-03-10'),
      salience: 'critical',
    },
    b: { body: 'zeppelin', author: 'Grace Hopper', occurredAt: at('2026-04-10'), salience: 'elevated' },
    c: { body: 'zeppelin', occurredAt: at('2026-05-10'), salience: null },
  });
  test.each([
    [{ author: 'ada' }, ['a']],
    [{ author: 'hopper grace' }, ['b']],
    [{ author: 'nobody' }, []],
    [{ saliences: ['critical', 'elevated'] }, ['a', 'b']],
    [{ since: at('2026-04-10') }, ['b', 'c']],
    [{ until: at('2026-04-10') }, ['a']],
    [{ since: at('2026-04-01'), until: at('2026-05-01') }, ['b']],
  ])('the filter %j selects its memories', (filter, expected) => {
    expect(findIds(index, 'zeppelin', filter).toSorted()).toEqual(expected);
    expect(find(index, 'zeppelin', { ...filter, limit: 1 }).total).toBe(expected.length);
    expect(findIds(index, '"zeppelin"', filter).toSorted()).toEqual(expected);
  });
});

describe('an event with an end', () => {
  const index = buildIndex({
    fair: { body: 'zeppelin', occurredAt: new Date('2026-05-01'), endsAt: new Date('2026-05-03'), isWholeDay: true },
    trip: { body: 'zeppelin', occurredAt: new Date('2026-05-09T18:00Z'), endsAt: new Date('2026-05-11T10:00Z') },
  });
  test.each([
    [{ since: new Date('2026-05-02'), until: new Date('2026-05-03') }, ['fair']],
    [{ since: new Date('2026-05-03'), until: new Date('2026-05-04') }, []],
    [{ since: new Date('2026-05-10'), until: new Date('2026-05-11') }, ['trip']],
    [{ since: new Date('2026-05-11T10:00Z') }, []],
    [{ since: new Date('2026-05-03T09:00Z'), clock: { since: new Date('2026-05-02T22:00Z') } }, ['fair', 'trip']],
    [{ until: new Date('2026-05-01T08:00Z'), clock: { until: new Date('2026-05-01') } }, []],
  ])('is within every period that it overlaps: %j', (filter, expected) => {
    expect(findIds(index, 'zeppelin', filter).toSorted()).toEqual(expected);
  });

  test('comes first when the query names a day of it', () => {
    const askedAt = new Date('2026-06-01T12:00:00Z');
    expect(findIds(index, 'zeppelin on 10 May 2026', { askedAt })[0]).toBe('trip');
    expect(findIds(index, 'zeppelin on 2 May 2026', { askedAt })[0]).toBe('fair');
  });
});

describe('times in words', () => {
  test('a memory of the time in the query comes first', () => {
    const index = buildIndex({
      a: { body: 'red zeppelin', occurredAt: new Date('2026-03-10T12:00:00Z') },
      b: { body: 'red zeppelin', occurredAt: new Date('2026-05-10T12:00:00Z') },
    });
    const askedAt = new Date('2026-06-01T12:00:00Z');
    expect(findIds(index, 'zeppelin', { askedAt })[0]).toBe('b');
    expect(findIds(index, 'which zeppelin flew two months ago or last March?', { askedAt })[0]).toBe('a');
  });

  test('a memory is found by the day that it calls yesterday', () => {
    const index = buildIndex({
      a: { body: 'Yesterday we flew.', occurredAt: new Date('2023-05-08T09:00:00Z') },
      b: { body: 'We flew.', occurredAt: new Date('2023-06-20T09:00:00Z') },
    });
    expect(findIds(index, 'flew 7 May 2023')[0]).toBe('a');
    expect(find(index, 'sunday').hits.map((hit) => hit.explanation.fields)).toEqual([['date']]);
  });
});

test('a hit names the neighbouring turns that led to it', () => {
  const index = buildIndex(buildThread('Which database do we take?', 'Postgres.', 'Agreed.', 'Lunch?'));
  const nearby = find(index, 'database').hits.map((hit) => hit.explanation.nearby);
  expect(nearby).toEqual([[], ['turn-0'], ['turn-0']]);
});

describe('confidence', () => {
  const index = buildIndex({ ...buildThread('The red zeppelin flies', 'OK'), other: 'hangar' });
  const share = (text: string) => find(index, text).hits[0]?.explanation.share ?? 0;
  test('is 1 when the best hit has every word, and 0 when nothing is found', () => {
    expect(share('red zeppelins flying')).toBe(1);
    expect(share('submarine')).toBe(0);
  });
  test('is a probability, and absent without a hit', () => {
    expect([null, 0, 0.35, 1].map(computeConfidence)).toEqual([0, 0.12, 0.51, 0.98]);
  });
  test('falls with missing words, by their rarity, and with corrections', () => {
    expect(share('red zeppelin submarine')).toBeGreaterThan(share('red submarine periscope'));
    expect(share('zepelin')).toBe(0.5);
  });
});

test('of a similar text is its share of the text’s score against itself', () => {
  const text = 'We decided to moor the red zeppelin at the northern hangar';
  const index = buildIndex({ a: text, b: 'The red balloon is lost', c: 'Lunch at noon', d: 'Dinner at eight' });
  const { hits, selfScore } = findSimilarInIndex(index, { text, limit: 5 });
  expect(hits.map((hit) => hit.document.id)).toEqual(['a', 'b']);
  expect(hits[0]!.score / selfScore).toBeGreaterThan(0.85);
  expect(hits[1]!.score / selfScore).toBeLessThan(0.35);
});
