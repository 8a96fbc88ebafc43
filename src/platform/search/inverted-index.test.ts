import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { countAttributePassages } from './attributes.ts';
import { buildExampleRow } from './example-row.ts';
import { findInIndex } from './rank-documents.ts';
import { findSimilarInIndex } from './likeness.ts';
import { createIndex, putDocuments, removeDocument } from './inverted-index.ts';
import type { InvertedIndex } from './inverted-index.ts';
import type { Searchable } from './searchable.ts';

const word = fc.constantFrom('alpha', 'beta', 'gamma', 'delta', 'user_id', 'getUserName', 'the', 'I', '2024', 'Ross');
const body = fc.oneof(
  { weight: 4, arbitrary: fc.array(word, { maxLength: 12 }).map((words) => words.join(' ')) },
  { weight: 1, arbitrary: fc.array(word, { minLength: 60, maxLength: 200 }).map((words) => words.join(' ')) },
);
const row = fc.record({
  id: fc.constantFrom(...'abcdefghij'),
  body,
  title: fc.option(body),
  labels: fc.constantFrom('', 'alpha', 'gamma topic'),
  author: fc.option(fc.constantFrom('Ross Geller', 'Alpha Beta')),
  role: fc.option(fc.constantFrom('user', 'assistant')),
  threadId: fc.option(fc.constantFrom('one', 'two')),
  threadPosition: fc.nat(4),
  occurredAt: fc.constantFrom(new Date('2024-05-07T10:00:00Z'), new Date('2023-01-31T10:00:00Z')),
});
type Change = { remove: string } | { put: Partial<Searchable> & Pick<Searchable, 'id' | 'body'> };
const changes: fc.Arbitrary<Change[]> = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: row.map((put) => ({ put })) },
    { weight: 1, arbitrary: fc.constantFrom(...'abcdefghij').map((remove) => ({ remove })) },
  ),
  { maxLength: 40 },
);

const queries = [
  'alpha beta',
  'I said gamma',
  'Ross delta',
  '"alpha beta" gamma',
  'user_id -delta',
  'May 2024',
  'gmama',
];

function collectAnswers(index: InvertedIndex) {
  return [
    ...queries.map((text) => findInIndex(index, { text, limit: 20 })),
    ...queries.map((text) => findSimilarInIndex(index, { text, limit: 20 })),
  ].map(({ hits, ...answer }) => ({
    total: answer.total,
    hits: hits.map(({ document, score, explanation }) => [document.id, score.toFixed(4), explanation]),
  }));
}

/** The whole content of an index, except the numbers of its passages. */
function collectContents(index: InvertedIndex) {
  const { words, attributes, passages, documents, threads, bytes } = index;
  return {
    words: new Map([...words].map(([term, list]) => [term, list.length])),
    attributes: new Map([...attributes.byTerm.keys()].map((term) => [term, countAttributePassages(attributes, term)])),
    passages: [passages.count, passages.totalLength],
    documents: new Set(documents.keys()),
    threads: new Map([...threads].map(([thread, turns]) => [thread, turns.map((turn) => turn.id)])),
    bytes,
  };
}

function apply(index: InvertedIndex, changes: readonly Change[]): Map<string, Searchable> {
  const rows = new Map<string, Searchable>();
  changes.forEach((change, at) => {
    if ('remove' in change) {
      removeDocument(index, change.remove);
      rows.delete(change.remove);
    } else {
      const row = buildExampleRow({ ...change.put, changedXact: String(at) });
      putDocuments(index, [row]);
      rows.set(row.id, row);
    }
  });
  return rows;
}

test('an index that was changed many times answers like a new one', () => {
  fc.assert(
    fc.property(changes, (changes) => {
      const changed = createIndex();
      const rows = apply(changed, changes);
      const anew = createIndex();
      for (const row of rows.values()) putDocuments(anew, [row]);
      expect(collectContents(changed)).toEqual(collectContents(anew));
      expect(collectAnswers(changed)).toEqual(collectAnswers(anew));
    }),
  );
});

test('deletion leaves nothing in the index', () => {
  fc.assert(
    fc.property(changes, (changes) => {
      const index = createIndex();
      for (const id of apply(index, changes).keys()) removeDocument(index, id);
      expect(collectContents(index)).toEqual(collectContents(createIndex()));
      expect(index.passages.owners.every((owner) => owner === null)).toBe(true);
    }),
  );
});

test('a row that arrives again unchanged costs nothing and changes nothing', () => {
  const index = createIndex();
  const row = buildExampleRow({ id: 'a', body: 'alpha beta' });
  putDocuments(index, [row]);
  const [document] = index.documents.values();
  putDocuments(index, [{ ...row }]);
  expect(index.documents.get('a')).toBe(document);
});

test('an update costs less than rebuilding the whole index', () => {
  const rows = (count: number, changedXact: string) =>
    Array.from({ length: count }, (_, at) =>
      buildExampleRow({
        id: `row-${at}`,
        body: `common words, number${at}`,
        threadId: `thread-${at >> 4}`,
        changedXact,
      }),
    );
  const index = createIndex();
  const timed = (work: () => void) => {
    const { user } = process.cpuUsage();
    work();
    return process.cpuUsage().user - user;
  };
  const whole = timed(() => putDocuments(index, rows(20_000, '1')));
  const some = timed(() => rows(200, '2').forEach((row) => putDocuments(index, [row])));
  expect(some).toBeLessThan(whole);
});
