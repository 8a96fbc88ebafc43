// Extends the words of a query, in scripts without spaces, to the words of texts that they may stand for.
import { forgetSplitWords } from './inverted-index.ts';
import type { InvertedIndex } from './inverted-index.ts';
import { addPosting } from './postings.ts';
import type { QueryTerm } from './query.ts';
import { findSplitWord } from './split-words.ts';
import { hasUnspacedScript } from './tokens.ts';
import { createWordParts, findWordForms, splitIntoKnownParts } from './word-parts.ts';
import type { WordParts } from './word-parts.ts';

/** Each costs some milliseconds in a large brain; the remaining words of a long query are searched as they are. */
const mostCompleted = 32;
/** How many words that texts split are kept until the index changes. */
const mostSplitWords = 1_000;

/** The terms of a query, with the words that they also stand for. Terms of other scripts are unchanged. */
export function completeWords(index: InvertedIndex, terms: readonly QueryTerm[]): QueryTerm[] {
  let completed = 0;
  return terms.map((term) => {
    const [word = ''] = term.terms;
    if (term.isWhole || !hasUnspacedScript(word) || completed >= mostCompleted) return term;
    completed += 1;
    return completeTerm(index, term, word);
  });
}

/** The words of texts that one word of a query stands for; for words of other scripts the word itself. */
export function listMatchingWords(index: InvertedIndex, word: string): readonly string[] {
  if (!hasUnspacedScript(word)) return [word];
  const { same, longer, split } = findForms(index, word);
  return [word, ...same, ...longer, ...split];
}

function completeTerm(index: InvertedIndex, term: QueryTerm, word: string): QueryTerm {
  const { same, longer, split } = findForms(index, word);
  const certain = [word, ...same, ...split];
  if (certain.length > 1 || longer.length > 0 || index.words.has(word))
    return { ...term, terms: [...certain, ...longer], certain: certain.length };
  const pieces = splitIntoKnownParts(getWordParts(index), word);
  return pieces.length > 0 ? { ...term, terms: pieces, certain: pieces.length, isGuess: true } : term;
}

function findForms(index: InvertedIndex, word: string) {
  const parts = getWordParts(index);
  const { same, longer } = findWordForms(parts, word, (form) => index.words.get(form)?.length ?? 0);
  return { same, longer, split: findSplitWordTerm(index, parts, { word, forms: [word, ...same, ...longer] }) };
}

/** Collected when a query first needs them. */
function getWordParts(index: InvertedIndex): WordParts {
  index.parts ??= createWordParts(index.words.keys());
  return index.parts;
}

/** The term under which passages with a split word are listed, if there are any. */
function findSplitWordTerm(
  index: InvertedIndex,
  parts: WordParts,
  wanted: { readonly word: string; readonly forms: readonly string[] },
): string[] {
  // No text has such a term.
  const term = `\0${wanted.word}`;
  const known = index.splitWords.get(term);
  if (known !== undefined) return known ? [term] : [];
  if (index.splitWords.size >= mostSplitWords) forgetSplitWords(index);
  const passages = findSplitWord(index, parts, wanted);
  for (const passage of passages) addPosting(index.words, term, passage);
  index.splitWords.set(term, passages.length > 0);
  return passages.length > 0 ? [term] : [];
}
