import { expect, test } from 'vitest';
import { buildExampleRow } from './example-row.ts';
import { findInIndex } from './rank-documents.ts';
import { createIndex, putDocuments, removeDocument } from './inverted-index.ts';
import { findSimilarInIndex } from './likeness.ts';
import { mostTermsOfRow } from './row-passages.ts';

const characters = 700_000;
const fill = (piece: string) => piece.repeat(Math.ceil(characters / piece.length)).slice(0, characters);
const buildNumberedText = (join: (at: number) => string) =>
  Array.from({ length: 90_000 }, (_, at) => join(at)).join('');

/** Texts of the size of a mail that once stopped the thread, or would have. */
const hostile: [name: string, text: string][] = [
  ['marks of one kind', `a${fill('\u0301')}`],
  ['marks in the wrong order', `a${fill('\u0301\u0316')}`],
  ['a word in parts', fill('a_')],
  ['different parts of an address', buildNumberedText((at) => `${at.toString(36)}.x/`)],
  ['parts with accents', `é ${buildNumberedText((at) => `${at.toString(36)}.x/`)}`],
  ['times', fill('yesterday ')],
  ['different words', buildNumberedText((at) => `${at.toString(36)}q `)],
  ['one word', fill('a')],
  ['signs', fill("-'")],
  ['humps', fill('aB')],
  ['Thai', fill('กาก')],
  ['Chinese in parts', fill('漢_')],
  ['Khmer', fill('ក្')],
  ['half characters', fill('\ud83d')],
];

test.each(hostile)('a text of 700 KB is indexed quickly whatever it contains: %s', (_, body) => {
  const began = process.threadCpuUsage();
  const index = createIndex();
  putDocuments(index, [buildExampleRow({ id: 'it', body: `zeppelin ${body}` })]);
  expect(findInIndex(index, { text: 'zeppelin', limit: 10 }).hits).toHaveLength(1);
  findSimilarInIndex(index, { text: body, limit: 10 });
  const { user, system } = process.threadCpuUsage(began);
  // They took minutes before. A whole text of plain prose takes half a second, including vitest itself.
  expect((user + system) / 1_000).toBeLessThan(3_000);
  removeDocument(index, 'it');
  expect([index.words.size, index.attributes.byTerm.size, index.passages.count]).toEqual([0, 0, 0]);
});

test('a row is indexed up to a number of terms, and its hits say that it is longer', () => {
  const index = createIndex('xx');
  const words = Array.from({ length: mostTermsOfRow + 1 }, (_, at) => `w${at}`);
  putDocuments(index, [
    buildExampleRow({ id: 'long', body: words.join(' ') }),
    buildExampleRow({ id: 'fits', body: words.slice(1, mostTermsOfRow).join(' ') }),
  ]);
  const find = (text: string) => findInIndex(index, { text, limit: 10 }).hits.map(({ document }) => document.id);
  expect(find('w0')).toEqual(['long']);
  expect(find(`w${mostTermsOfRow - 1}`).toSorted()).toEqual(['fits', 'long']);
  expect(find(`w${mostTermsOfRow}`)).toEqual([]);
  expect([...index.documents.values()].map(({ id, isTruncated }) => [id, isTruncated])).toEqual([
    ['long', true],
    ['fits', false],
  ]);
});

test('a row with a long title and long labels is found by every word of them', () => {
  const index = createIndex('xx');
  const words = (letter: string, many: number) => Array.from({ length: many }, (_, at) => letter + at).join(' ');
  putDocuments(index, [
    buildExampleRow({ id: 'it', title: words('t', 200), labels: words('l', 20_000), body: words('b', 50_000) }),
  ]);
  for (const word of ['t0', 't199', 'l0', 'l19999', 'b0', 'b49999'])
    expect(findInIndex(index, { text: word, limit: 1 }).hits).toHaveLength(1);
});
