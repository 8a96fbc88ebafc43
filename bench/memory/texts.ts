// Texts with the shape of real ones: few words are frequent, most are rare. The same texts in every run.

export type Texts = {
  /** A memory as `add_memory` takes it: about 25 words, an author, one of many threads, now and then a trigger. */
  memory(): Record<string, unknown>;
  /** Three words, as a person types them. */
  query(): string;
  /** A text of about this many characters. */
  text(characters: number): string;
};

const vocabularySize = 20_000;
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
  'tul',
  'ven',
];

/** Texts that depend on nothing but the seed. */
export function createTexts(seed: number): Texts {
  const random = createRandom(seed);
  const cumulative = computeZipfWeights();
  const word = () => buildWord(lowerBound(cumulative, random() * cumulative.at(-1)!));
  const words = (count: number) => Array.from({ length: count }, word).join(' ');
  const below = (end: number) => Math.floor(random() * end);
  return {
    memory: () => ({
      content: `${words(15 + below(20))}.`,
      author: `Author ${below(12)}`,
      thread_id: `thread ${below(2_000)}`,
      ...(random() < 0.05 && { triggers: [{ condition: `working on ${words(3)}`, reason: words(8) }] }),
    }),
    query: () => words(3),
    text(characters) {
      let text = word();
      while (text.length < characters) text += ` ${word()}`;
      return text.slice(0, characters);
    },
  };
}

/** Zipf and Mandelbrot's law: the weight of all words up to a rank. */
function computeZipfWeights(): number[] {
  let sum = 0;
  return Array.from({ length: vocabularySize }, (_, rank) => (sum += 1 / (rank + 50)));
}

function buildWord(rank: number): string {
  let rest = rank + syllables.length;
  let word = '';
  while (rest > 0) {
    word += syllables[rest % syllables.length];
    rest = Math.floor(rest / syllables.length);
  }
  return word;
}

function lowerBound(sorted: readonly number[], wanted: number): number {
  let low = 0;
  let high = sorted.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Mulberry32: random enough for a benchmark, and the same everywhere. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
