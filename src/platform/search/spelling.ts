// Finds the intended word for a word that the brain does not have.
import { countAttributePassages } from './attributes.ts';
import type { InvertedIndex } from './inverted-index.ts';
import type { QueryTerm } from './query.ts';

const shortestCorrected = 6;
/** Hundreds of spellings are tried for each letter, so only words of usual length are corrected. */
const longestCorrected = 32;
const alphabets = ['abcdefghijklmnopqrstuvwxyz', 'абвгдежзийклмнопрстуфхцчшщъыьэюя', 'αβγδεζηθικλμνξοπρστυφχψως'];
/** Each costs about a millisecond, so only this many unknown words of a query are tried. */
const mostGuessedWords = 3;
const mostSpellings = 3;

/**
 * Replaces terms that the brain does not have by terms one letter away: wrong, missing, superfluous or two swapped
 * letters. Only spellings of at least six letters are tried. Terms without similar ones stay unchanged.
 */
export function correctSpelling(index: InvertedIndex, terms: readonly QueryTerm[]): QueryTerm[] {
  let guesses = 0;
  return terms.map((term) => {
    const word = term.word.toLowerCase();
    if (
      term.isWhole ||
      word.length > longestCorrected ||
      !/^\p{L}+$/u.test(word) ||
      isKnown(index, term) ||
      guesses >= mostGuessedWords
    )
      return term;
    guesses += 1;
    const near = findNearTerms(index, word);
    return near.length > 0 ? { ...term, terms: near, certain: near.length, isGuess: true } : term;
  });
}

function isKnown(index: InvertedIndex, { terms }: QueryTerm): boolean {
  return terms.some((term) => countTermUses(index, term) > 0);
}

function countTermUses(index: InvertedIndex, term: string): number {
  return (index.words.get(term)?.length ?? 0) + countAttributePassages(index.attributes, term);
}

/** The most frequent terms among the spellings near a word. */
function findNearTerms(index: InvertedIndex, word: string): string[] {
  const frequencies = new Map<string, number>();
  for (const spelling of generateSpellings(word)) {
    const term = index.analyse(spelling)[0]?.stems[0];
    const frequency = term === undefined ? 0 : countTermUses(index, term);
    if (term !== undefined && frequency > 0) frequencies.set(term, frequency);
  }
  return [...frequencies]
    .sort((one, other) => other[1] - one[1] || (one[0] < other[0] ? -1 : 1))
    .slice(0, mostSpellings)
    .map(([term]) => term);
}

function* generateSpellings(word: string): Generator<string> {
  const alphabet = alphabets.find((letters) => [...word].some((letter) => letters.includes(letter))) ?? '';
  for (let at = 0; at <= word.length; at += 1) {
    const [before, after] = [word.slice(0, at), word.slice(at)];
    if (word.length > shortestCorrected && after) yield before + after.slice(1);
    if (word.length >= shortestCorrected && after.length > 1) yield before + after[1] + after[0] + after.slice(2);
    for (const letter of alphabet) {
      if (word.length >= shortestCorrected && after) yield before + letter + after.slice(1);
      if (word.length >= shortestCorrected - 1) yield before + letter + after;
    }
  }
}
