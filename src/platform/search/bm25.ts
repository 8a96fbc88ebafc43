// BM25 over contextual bags: a passage is scored by its own words, those of its neighbours, its author and its date.
import type { InvertedIndex } from './inverted-index.ts';
import { mostBorrowers, none } from './passage-table.ts';
import { getCount, getPassage } from './postings.ts';
import type { QueryTerm } from './query.ts';

/** BM25 (Robertson and Zaragoza 2009): how soon repetition stops counting, and the weight of length. */
const saturation = 0.9;
const lengthNormalisation = 0.4;
/** The bonus of a passage with every word of the query over one with almost none, by their rarity. */
const coordination = 0.5;
/** The weight of a word that was guessed from a similar spelling. */
export const guessWeight = 0.5;
/** The weight of a word that only contains the word of the query. */
export const longerWordWeight = 0.6;
/** How many counts of an index are kept until it changes. */
const mostBagCounts = 10_000;

/** In how many bags a term appears, and the number of all bags. */
export type TermCount = { readonly bags: number; readonly passages: number };

/** The passages that BM25 counts over: those of one brain, or of several that are searched together. */
export type Collection = {
  /** The mean length of a bag. */
  readonly meanLength: number;
  getCount(term: QueryTerm): TermCount;
};

export type TermStatistics = {
  /** BM25's idf of the term in the brains that are searched. */
  readonly rarity: number;
  /** In how many bags it appears. */
  readonly bags: number;
};

/** Working arrays for one query, by passage. One set serves every index, because ranking never pauses. */
let room = createRoom(1024);

/**
 * Scores every document that has a term of the query in its bag, and passes it to `visit`, unordered, by its first
 * passage. A document's score is that of its best passage. `isAlone`: by its own words, without its context.
 * `collection`: the indexes that are searched together; by default this index.
 */
export function scoreDocuments(
  index: InvertedIndex,
  terms: readonly QueryTerm[],
  { isAlone = false, collection }: { readonly isAlone?: boolean; readonly collection?: Collection },
  visit: (firstPassage: number, score: number) => void,
): TermStatistics[] {
  const { firsts, totalLength, count } = index.passages;
  const meanLength = collection?.meanLength ?? (totalLength / count || 1);
  makeRoom(index);
  let scored = 0;
  let asked = 0;
  const statistics = terms.map((term) => {
    const bags = isAlone ? countOwnWords(index, term) : countBags(index, term);
    const counted = collection?.getCount(term) ?? { bags, passages: count };
    const rarity = computeInverseFrequency(counted);
    if (counted.bags > 0) asked += rarity;
    const weight = rarity * (term.isGuess ? guessWeight : 1);
    scored = addScores(index, bags, { rarity, weight, meanLength }, scored);
    return { rarity, bags: counted.bags };
  });
  for (let at = 0; at < scored; at += 1) {
    const first = firsts[room.scored[at]!]!;
    const score = takeBestScore(index, first, coordination / asked);
    if (score > 0) visit(first, score);
  }
  return statistics;
}

/** The score of a text for its own terms, as if it were a passage of this brain. `counts`: how often it has each. */
export function scoreAlone(
  index: InvertedIndex,
  statistics: readonly TermStatistics[],
  counts: readonly number[],
  length: number,
): number {
  const mean = index.passages.totalLength / index.passages.count || length;
  const norm = saturation * (1 - lengthNormalisation + (lengthNormalisation * length) / mean);
  return statistics.reduce((sum, { rarity }, at) => {
    const count = counts[at] ?? 0;
    return sum + ((1 + coordination) * rarity * count * (saturation + 1)) / (count + norm);
  }, 0);
}

/** In how many bags of an index a term appears. */
export function countTermBags(index: InvertedIndex, term: QueryTerm): number {
  const key = `${term.mayBeDate} ${term.terms.join(' ')}`;
  const known = index.bagCounts.get(key);
  if (known !== undefined) return known;
  makeRoom(index);
  const bags = countBags(index, term);
  for (let at = 0; at < bags; at += 1) room.frequencies[room.touched[at]!] = 0;
  if (index.bagCounts.size >= mostBagCounts) index.bagCounts.clear();
  index.bagCounts.set(key, bags);
  return bags;
}

function makeRoom({ passages }: InvertedIndex): void {
  const wanted = passages.owners.length;
  if (wanted > room.scores.length) room = createRoom(2 ** Math.ceil(Math.log2(wanted)));
}

function createRoom(passages: number) {
  return {
    /** The weight of the current term in each bag. */
    frequencies: new Float64Array(passages),
    /** The passages whose frequency is above 0. */
    touched: new Int32Array(passages),
    scores: new Float64Array(passages),
    /** The sum of the rarities of the terms in each bag. */
    answered: new Float64Array(passages),
    /** The passages whose score is above 0. */
    scored: new Int32Array(passages),
  };
}

/** Above 0 for every term. */
function computeInverseFrequency({ bags, passages }: TermCount): number {
  return Math.log(1 + (passages - bags + 0.5) / (bags + 0.5));
}

/** Turns the frequencies of a term into scores and clears them. Returns how many passages have a score so far. */
function addScores(
  index: InvertedIndex,
  bags: number,
  { rarity, weight, meanLength }: { rarity: number; weight: number; meanLength: number },
  scoredBefore: number,
): number {
  const { frequencies, touched, scores, scored, answered } = room;
  const { bagLengths } = index.passages;
  const baseNorm = saturation * (1 - lengthNormalisation);
  const normByLength = (saturation * lengthNormalisation) / meanLength;
  let scoredCount = scoredBefore;
  for (let at = 0; at < bags; at += 1) {
    const passage = touched[at]!;
    const frequency = frequencies[passage]!;
    frequencies[passage] = 0;
    const before = scores[passage]!;
    if (before === 0) scored[scoredCount++] = passage;
    const norm = baseNorm + normByLength * bagLengths[passage]!;
    scores[passage] = before + (weight * frequency * (saturation + 1)) / (frequency + norm);
    answered[passage]! += rarity;
  }
  return scoredCount;
}

/** Sums a term's weight in every bag into `frequencies`, and the passages into `touched`; returns their number. */
function countBags(index: InvertedIndex, { terms, certain, mayBeDate }: QueryTerm): number {
  const { frequencies, touched } = room;
  const { siblings, borrowers, lentWeights } = index.passages;
  let bags = 0;
  for (const [at, term] of terms.entries()) {
    const share = at < certain ? 1 : longerWordWeight;
    for (const posting of index.words.get(term) ?? []) {
      const passage = getPassage(posting);
      const count = getCount(posting) * share;
      if (frequencies[passage] === 0) touched[bags++] = passage;
      frequencies[passage]! += count;
      const first = passage * mostBorrowers;
      for (let place = first; place < first + mostBorrowers; place += 1) {
        const weight = count * lentWeights[place]!;
        for (let bag = borrowers[place]!; bag !== none; bag = siblings[bag]!) {
          if (frequencies[bag] === 0) touched[bags++] = bag;
          frequencies[bag]! += weight;
        }
      }
    }
    for (const { passages, weights, isDate } of index.attributes.byTerm.get(term) ?? []) {
      if (isDate && !mayBeDate) continue;
      const weight = weights.get(term)! * share;
      for (const passage of passages) {
        if (frequencies[passage] === 0) touched[bags++] = passage;
        frequencies[passage]! += weight;
      }
    }
  }
  return bags;
}

/** The same for a term's own passages only. */
function countOwnWords(index: InvertedIndex, { terms }: QueryTerm): number {
  const { frequencies, touched } = room;
  let bags = 0;
  for (const term of terms) {
    for (const posting of index.words.get(term) ?? []) {
      const passage = getPassage(posting);
      if (frequencies[passage] === 0) touched[bags++] = passage;
      frequencies[passage]! += getCount(posting);
    }
  }
  return bags;
}

/** The best score of a document's passages. The scores are cleared, so that it is visited once. */
function takeBestScore({ passages }: InvertedIndex, first: number, coordinationByRarity: number): number {
  const { scores, answered } = room;
  let best = 0;
  for (let passage = first; passage !== none; passage = passages.siblings[passage]!) {
    const score = scores[passage]! * (1 + coordinationByRarity * answered[passage]!);
    if (score > best) best = score;
    scores[passage] = 0;
    answered[passage] = 0;
  }
  return best;
}
