import { setImmediate } from 'node:timers/promises';
import { buildExampleRow } from './example-row.ts';
import { findInIndex } from './rank-documents.ts';
import { createIndex, putDocuments } from './inverted-index.ts';
import type { Searchable } from './searchable.ts';

const rows = 2_000;
const rowsAtOnce = 50;
const words = 18;
const syllables = [
  'ba',
  'cor',
  'del',
  'fin',
  'gra',
  'hol',
  'ji',
  'kun',
  'lem',
  'mar',
  'nov',
  'pes',
  'qui',
  'ros',
  'ven',
];

const times = ['Yesterday', 'two weeks ago', 'last month', 'next Friday', 'this evening', 'last March'];

/**
 * Builds an index of made-up texts and discards it. Afterwards the code is compiled, so that loading the first brain
 * takes about a sixth less time. Ends when there is real work.
 */
export async function rehearseIndexing(isIdle: () => boolean): Promise<void> {
  const index = createIndex();
  await setImmediate(); // a thread that a call has started hears of it first
  for (let at = 0; at < rows && isIdle(); at += rowsAtOnce) {
    putDocuments(
      index,
      Array.from({ length: rowsAtOnce }, (_, more) => buildSampleRow(at + more)),
    );
    await setImmediate();
  }
  for (let at = 0; at < rows && isIdle(); at += rows / 20) findInIndex(index, { text: buildSampleText(at), limit: 10 });
}

function buildSampleRow(number: number): Searchable {
  return buildExampleRow({
    id: `row-${number}`,
    body: `${buildSampleText(number)} ${times[number % times.length]}.`,
    author: `Author ${number % 7}`,
    threadId: `thread-${number >> 5}`,
    threadPosition: number,
    occurredAt: new Date(1_700_000_000_000 + number * 3_600_000),
  });
}

function buildSampleText(number: number): string {
  return Array.from({ length: words }, (_, at) => buildSampleWord((number * 31 + at * at * 17) % 5_000)).join(' ');
}

function buildSampleWord(number: number): string {
  let rest = number + syllables.length;
  let word = '';
  while (rest > 0) {
    word += syllables[rest % syllables.length] ?? '';
    rest = Math.floor(rest / syllables.length);
  }
  return number % 9 === 0 ? `${word}s` : word;
}
