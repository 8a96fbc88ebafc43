// Ranks passages of documents: BM25, then again with the common words of the best passages (RM3). Lavrenko and Croft
// 2001; Abdul-Jaleel et al. 2004, «UMass at TREC 2004: Novelty and HARD».
import { getTermNumber } from './passage-postings.ts';
import type { Passage, PassagePostings } from './passage-postings.ts';
import { guessWeight, longerWordWeight } from './bm25.ts';
import { listWordCuts } from './split-words.ts';
import { hasUnspacedScript } from './tokens.ts';
import type { AnalyseText } from './tokens.ts';
import { createWordParts, findWordForms, splitIntoKnownParts } from './word-parts.ts';

/** The best passage of a constellation. */
export type PassageHit = Omit<Passage, 'terms' | 'counts' | 'length'> & {
  /** The score that orders the hits: the words of the query, and those of the best passages. */
  readonly rank: number;
  /** The score by the words of the query only, like the score of memories. */
  readonly score: number;
  /** The share of the query that it has, weighted by the rarity of its words, 0 to 1. */
  readonly share: number;
};

const saturation = 0.9;
const lengthNormalisation = 0.4;
const coordination = 0.5;
/** How many of the best passages add words, how many words, and their weight relative to the query's own. */
const [feedbackPassages, feedbackTerms, feedbackWeight] = [10, 30, 0.5];
/** A word in more than this share of all passages is too general. */
const tooCommon = 0.2;
const mostHits = 200;
/** Further words of a query are searched as they are. */
const mostSplitWords = 32;

type Weights = ReadonlyMap<number, number>;
type Scores = Map<number, { score: number; answered: number }>;
type PassageScore = readonly [number, { score: number }];

/** The best passage of each constellation for a query, best first. */
export function rankPassages(index: PassagePostings, analyse: AnalyseText, text: string): PassageHit[] {
  const { asked, rarity } = readQuery(index, analyse, text);
  const base = scorePassages(index, asked);
  if (!base.size) return [];
  const best = [...base].toSorted(compareByScore).slice(0, feedbackPassages);
  const final = [...scorePassages(index, expandQuery(index, asked, best))].toSorted(compareByScore);
  const all = rarity || 1;
  const seen = new Set<string>();
  const hits: PassageHit[] = [];
  for (const [number, { score: rank }] of final) {
    const { terms: _terms, counts: _counts, length: _length, ...place } = index.passages[number]!;
    if (seen.has(place.constellationId)) continue;
    seen.add(place.constellationId);
    const own = base.get(number);
    const share = Math.min(1, (own?.answered ?? 0) / all);
    hits.push({ ...place, rank, share, score: (own?.score ?? 0) * (1 + coordination * share) });
    if (hits.length === mostHits) break;
  }
  return hits;
}

/** The terms of a query with their weights, and the sum of the rarities of its words. */
function readQuery(index: PassagePostings, analyse: AnalyseText, text: string) {
  const asked = new Map<number, number>();
  let [rarity, place] = [0, 0];
  for (const { stems, wholes } of analyse(text))
    for (const stem of [...stems, ...wholes]) {
      const before = asked.size;
      let rarest = 0;
      for (const [word, weight] of computeWordWeights(index, stem, place++)) {
        const term = index.numbers.get(word);
        if (term === undefined || !index.frequencies[term]) continue;
        asked.set(term, (asked.get(term) ?? 0) + weight);
        rarest = Math.max(rarest, computeRarity(index, term));
      }
      // A repeated word counts once.
      if (asked.size > before) rarity += rarest;
    }
  return { asked, rarity };
}

/** The terms that a word stands for, and their weights; in scripts with spaces, only the word itself. */
function computeWordWeights(index: PassagePostings, word: string, place: number): [string, number][] {
  if (!hasUnspacedScript(word)) return [[word, 1]];
  index.parts ??= createWordParts(index.numbers.keys());
  const { same, longer } = findWordForms(index.parts, word, (form) => index.frequencies[index.numbers.get(form)!]!);
  const split = `\0${place}`;
  const isSplit = place < mostSplitWords && listSplitWord(index, split, listWordCuts(index.parts, word));
  if (same.length + longer.length === 0 && !isSplit && !index.numbers.has(word))
    return splitIntoKnownParts(index.parts, word).map((piece) => [piece, guessWeight]);
  const weighted =
    (weight: number) =>
    (each: string): [string, number] => [each, weight];
  const certain = [word, ...same, ...(isSplit ? [split] : [])];
  return [...certain.map(weighted(1)), ...longer.map(weighted(longerWordWeight))];
}

/**
 * Lists the passages that contain the two parts of a split word under a separate term, until the next query. Their text
 * is not at hand, so the parts may be apart. False: there are none.
 */
function listSplitWord(index: PassagePostings, term: string, cuts: ReturnType<typeof listWordCuts>): boolean {
  const listPassages = (words: readonly string[] | null) =>
    (words ?? []).flatMap((word) => {
      const number = index.numbers.get(word);
      return number === undefined ? [] : index.postings[number]!.filter((_, at) => at % 2 === 0);
    });
  const found = new Set<number>();
  for (const { firsts, seconds } of cuts) {
    const first = new Set(listPassages(firsts));
    for (const passage of listPassages(seconds)) if (first.has(passage) && index.passages[passage]) found.add(passage);
  }
  if (found.size === 0) return false;
  const number = getTermNumber(index, term);
  index.postings[number] = [...found].flatMap((passage) => [passage, 1]);
  index.frequencies[number] = found.size;
  return true;
}

function computeRarity({ frequencies, live }: PassagePostings, term: number): number {
  const frequency = frequencies[term]!;
  return Math.log(1 + (live - frequency + 0.5) / (frequency + 0.5));
}

/** Scores by weighted terms; `answered` sums the rarity of the terms that each passage has. */
function scorePassages(index: PassagePostings, weights: Weights): Scores {
  const scores: Scores = new Map();
  const mean = index.totalLength / index.live || 1;
  for (const [term, weight] of weights) {
    const rarity = computeRarity(index, term);
    const list = index.postings[term]!;
    for (let at = 0; at < list.length; at += 2) {
      const passage = index.passages[list[at]!];
      if (!passage) continue;
      const count = list[at + 1]!;
      const norm = saturation * (1 - lengthNormalisation + (lengthNormalisation * passage.length) / mean);
      const gain = (weight * rarity * count * (saturation + 1)) / (count + norm);
      const known = scores.get(list[at]!);
      if (known) {
        known.score += gain;
        known.answered += rarity;
      } else scores.set(list[at]!, { score: gain, answered: rarity });
    }
  }
  return scores;
}

/** The query's terms and the terms that its best passages share, with their weights. */
function expandQuery(
  { passages, frequencies, live }: PassagePostings,
  asked: Weights,
  best: readonly PassageScore[],
): Weights {
  const lent = new Map<number, number>();
  const sum = best.reduce((total, [, { score }]) => total + score, 0) || 1;
  for (const [number, { score }] of best) {
    const passage = passages[number];
    if (!passage) continue;
    passage.terms.forEach((term, at) => {
      if (frequencies[term]! > Math.max(2, tooCommon * live)) return;
      lent.set(term, (lent.get(term) ?? 0) + ((score / sum) * passage.counts[at]!) / (passage.length || 1));
    });
  }
  const strongest = [...lent].toSorted((one, other) => other[1] - one[1] || one[0] - other[0]).slice(0, feedbackTerms);
  const lentSum = strongest.reduce((total, [, weight]) => total + weight, 0) || 1;
  const askedSum = [...asked.values()].reduce((total, weight) => total + weight, 0) || 1;
  const weights = new Map([...asked].map(([term, weight]) => [term, ((1 - feedbackWeight) * weight) / askedSum]));
  for (const [term, weight] of strongest)
    weights.set(term, (weights.get(term) ?? 0) + (feedbackWeight * weight) / lentSum);
  return weights;
}

function compareByScore(one: PassageScore, other: PassageScore): number {
  return other[1].score - one[1].score || one[0] - other[0];
}
