// Parses what a person or an agent typed into a query.
import { readDateNumbers } from './date-numbers.ts';
import { readOperators } from './operators.ts';
import { findQueryTimes } from './time-expressions.ts';
import type { TimeSpan } from './time-expressions.ts';
import type { AnalyseText, Token } from './tokens.ts';

/** A word of the query and its terms; a document needs only one of the terms. */
export type QueryTerm = {
  /** The same number for the same word of a query in every brain, whatever its language. */
  readonly key: string;
  /** As the user typed it. */
  readonly word: string;
  readonly terms: readonly string[];
  /** How many of the terms, from the first on, are the word itself. The others only contain it, and count less. */
  readonly certain: number;
  /** True for the unbroken spelling of an identifier, whose parts are separate terms. */
  readonly isWhole: boolean;
  /** False for a number that is not part of a date in the query: it then does not name a time. */
  readonly mayBeDate: boolean;
  /** True when the brain lacks the word, and similar spellings replace it. */
  readonly isGuess: boolean;
};

export type ParsedQuery = {
  readonly terms: readonly QueryTerm[];
  /** Each of these must appear in the text, word for word. */
  readonly phrases: readonly string[];
  /** None of these words (in any inflection) or phrases may appear in the text. */
  readonly exclusions: readonly string[];
  /** Terms that follow each other in the query. */
  readonly pairs: readonly (readonly [string, string])[];
  readonly isFirstPerson: boolean;
  /** The times it names, such as «last March». */
  readonly times: readonly TimeSpan[];
};

/** How texts are read in the language of a brain. */
type QueryReader = { readonly analyse: AnalyseText; readonly language: string };

const isNumber = /^\d+$/;
const firstPerson = /(?<![\p{L}\p{N}])(?:I|me|my|mine|myself)(?![\p{L}\p{N}])/iu;

/**
 * Reads a query with its operators: `"exact phrase"`, `-word`, `-"phrase"`. Everything else is words; times are
 * relative to `askedAt`.
 */
export function parseQuery(text: string, { analyse, language }: QueryReader, askedAt: Date): ParsedQuery {
  const { words, phrases, exclusions } = readOperators(text);
  const tokens = analyse(words);
  const { numbers, years } = readDateNumbers(words, language);
  return {
    terms: buildQueryTerms(tokens, (term) => !isNumber.test(term) || numbers.has(term)),
    pairs: listStemPairs(tokens),
    phrases,
    exclusions,
    isFirstPerson: firstPerson.test(words),
    times: findQueryTimes(words, askedAt, years),
  };
}

function listStemPairs(tokens: readonly Token[]): [string, string][] {
  const stems = tokens.flatMap((token) => token.stems);
  return stems.slice(1).map((stem, at) => [stems[at]!, stem]);
}

/**
 * The distinct terms of a text: of a query, or of a text whose similar texts are wanted. `mayBeDate`: whether a term
 * can name a time.
 */
export function buildQueryTerms(
  tokens: readonly Token[],
  mayBeDate: (term: string) => boolean = () => true,
): QueryTerm[] {
  const terms = new Map<string, QueryTerm>();
  const add = (word: string, term: string, part: number, isWhole: boolean) => {
    const key = `${word} ${isWhole ? 'whole' : 'part'} ${part}`;
    if (!terms.has(term))
      terms.set(term, { key, word, terms: [term], certain: 1, isWhole, mayBeDate: mayBeDate(term), isGuess: false });
  };
  for (const { word, stems, wholes } of tokens) {
    stems.forEach((stem, part) => add(word, stem, part, false));
    wholes.forEach((whole, part) => add(word, whole, part, true));
  }
  return [...terms.values()];
}
