// Phrases are looked up in the text itself: the index only says which documents are worth reading.
import { fold } from './fold.ts';
import type { IndexedDocument, InvertedIndex } from './inverted-index.ts';
import { passageOf } from './postings.ts';
import type { Searchable } from './searchable.ts';
import { hasUnspacedScript } from './tokens.ts';

/**
 * The documents that have every phrase, whatever case, accents and punctuation, each by its first passage; null when no
 * phrase is asked for.
 */
export function documentsWithPhrases(index: InvertedIndex, phrases: readonly string[]): Set<number> | null {
  const [first, ...others] = phrases
    .map((phrase) => documentsWithPhrase(index, phrase))
    .filter((found) => found !== null);
  if (!first) return null;
  const withAll = [...first].filter((document) => others.every((found) => found.has(document)));
  return new Set(withAll.map((document) => document.passages[0]!));
}

/** The documents that a query excludes, by their first passages: those with the word, in any inflection, or the phrase. */
export function excludedDocuments(index: InvertedIndex, exclusions: readonly string[]): Set<number> {
  const found = new Set<number>();
  for (const exclusion of exclusions) {
    const isPhrase = /\s/.test(exclusion.trim());
    const documents = isPhrase ? documentsWithPhrase(index, exclusion) : documentsWithWord(index, exclusion);
    for (const document of documents ?? []) found.add(document.passages[0]!);
  }
  return found;
}

function documentsWithPhrase(index: InvertedIndex, phrase: string): Set<IndexedDocument> | null {
  const wanted = phraseForm(phrase);
  if (wanted.trim() === '') return null;
  const found = new Set<IndexedDocument>();
  for (const document of phraseCandidates(index, phrase)) if (hasPhrase(document.row, wanted)) found.add(document);
  return found;
}

/** Those with the phrase's rarest word, or all when it is made of stop words. */
function phraseCandidates(index: InvertedIndex, phrase: string): Iterable<IndexedDocument> {
  let rarest: readonly number[] | null = null;
  for (const token of index.analyse(phrase)) {
    for (const stem of token.stems) {
      const postings = index.words.get(stem) ?? [];
      if (rarest === null || postings.length < rarest.length) rarest = postings;
    }
  }
  return rarest === null ? index.documents.values() : ownersOf(index, rarest);
}

function documentsWithWord(index: InvertedIndex, word: string): Set<IndexedDocument> {
  const [token] = index.analyse(word);
  const term = token?.wholes[0] ?? token?.stems[0];
  return ownersOf(index, (term !== undefined && index.words.get(term)) || []);
}

function ownersOf(index: InvertedIndex, postings: readonly number[]): Set<IndexedDocument> {
  return new Set(postings.map((posting) => index.passages.owners[passageOf(posting)]).filter((owner) => owner != null));
}

function hasPhrase(row: Searchable, wanted: string): boolean {
  const sought = hasUnspacedScript(wanted) ? wanted.trim() : wanted;
  return [row.body, row.title ?? '', row.labels].some((text) => phraseForm(text).includes(sought));
}

/** The runs of letters and digits with one space around each. */
function phraseForm(text: string): string {
  return ` ${fold(text)
    .toLowerCase()
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter(Boolean)
    .join(' ')} `;
}
