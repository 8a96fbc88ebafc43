// Searches and the size of the index in scripts without spaces between words, where parts of words are found too.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { buildExampleRow } from '../../src/platform/search/example-row.ts';
import { findInIndex } from '../../src/platform/search/rank-documents.ts';
import { createIndex, putDocuments, type InvertedIndex } from '../../src/platform/search/inverted-index.ts';
import { chooseSize } from '../size.ts';
import { median, formatMilliseconds, percentile, type Table } from '../table.ts';

const memories = chooseSize(6_000, 60);
const wordsOfMemory = 15;
const vocabulary = 3_000;
const questions = chooseSize(300, 10);
const mostGrowth = 1.3;

type Script = { name: string; first: number; characters: number; endings: readonly string[]; between: string };

const scripts: readonly Script[] = [
  {
    name: 'Korean',
    first: 0xac00,
    characters: 11_172,
    endings: ['을', '이', '는', '에서', '으로', '의'],
    between: ' ',
  },
  // Random Katakana stays whole words, and random Chinese characters would be cut into single ones.
  { name: 'Japanese', first: 0x30a2, characters: 80, endings: ['を', 'が', 'で', 'に', 'の', 'と'], between: '' },
];

/** Texts of random words, few of which are frequent, and questions of three of them without their endings. */
export async function measureScripts(): Promise<Table> {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void; // the flag adds it
  const measureHeap = () => {
    collectGarbage();
    return process.memoryUsage().heapUsed;
  };
  return {
    title: `Search in scripts without spaces, ${memories} memories of ${wordsOfMemory} words, ${questions} questions`,
    rows: scripts.flatMap((script) => measureScript(script, measureHeap)),
  };
}

function measureScript(script: Script, measureHeap: () => number): Table['rows'] {
  const { texts, asked } = makeTexts(script);
  const rows = texts.map((body, at) => buildExampleRow({ id: `m${at}`, changedXact: String(at), body }));
  const empty = measureHeap();
  const index = createIndex('en');
  putDocuments(index, rows);
  const whole = measureHeap() - empty;
  ask(index, asked[0] ?? ''); // the parts of words are collected by the first question
  const growth = (measureHeap() - empty) / whole;
  const times = asked.map((text) => {
    const begun = performance.now();
    ask(index, text);
    return performance.now() - begun;
  });
  return [
    {
      name: `${script.name}: p50 / p95`,
      value: `${formatMilliseconds(median(times))} / ${formatMilliseconds(percentile(times, 0.95))}`,
    },
    {
      name: `${script.name}: index of ${index.words.size} words, bar ≤ ${mostGrowth} × with their parts`,
      value: `${growth.toFixed(2)} ×: ${growth <= mostGrowth ? 'met' : 'missed'}`,
    },
  ];
}

function ask(index: InvertedIndex, text: string): void {
  findInIndex(index, { text, limit: 10 });
}

function makeTexts({ first, characters, endings, between }: Script): { texts: string[]; asked: string[] } {
  const random = createRandom(7);
  const words = Array.from({ length: vocabulary }, () =>
    String.fromCodePoint(...Array.from({ length: 2 + random(3) }, () => first + random(characters))),
  );
  const choose = () => words[Math.floor(vocabulary * (random(1_000_000) / 1_000_000) ** 3)] ?? '';
  const withEnding = () => `${choose()}${endings[random(endings.length)]}`;
  return {
    texts: Array.from({ length: memories }, () => Array.from({ length: wordsOfMemory }, withEnding).join(between)),
    asked: Array.from({ length: questions }, () => [choose(), choose(), choose()].join(' ')),
  };
}

/** The same numbers in every run. */
function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state % below;
  };
}
