// Phrases are searched in the text itself: the index only selects the documents worth reading.
import { listMatchingWords } from './complete-words.ts';
import { fold } from './fold.ts';
import type { IndexedDocument, InvertedIndex } from './inverted-index.ts';
import { getPassage } from './postings.ts';
import { hasUnspacedScript } from './tokens.ts';

/**
 * The documents with every phrase, ignoring case, accents and punctuation, each by its first passage; null when the
 * query has no phrase.
 */
export function findDocumentsWithPhrases(index: InvertedIndex, phrases: readonly string[]): Set<number> | null {
  const [first, ...others] = phrases
    .map((phrase) => findDocumentsWithPhrase(index, phrase))
    .filter((found) => found !== null);
  if (!first) return null;
  const withAll = [...first].filter((document) => others.every((found) => found.has(document)));
  return new Set(withAll.map((document) => document.passages[0]!));
}

/** The documents that a query excludes, by first passage: those with the word, in any inflection, or the phrase. */
export function findExcludedDocuments(index: InvertedIndex, exclusions: readonly string[]): Set<number> {
  const found = new Set<number>();
  for (const exclusion of exclusions) {
    const isPhrase = /\s/.test(exclusion.trim());
    const documents = isPhrase ? findDocumentsWithPhrase(index, exclusion) : findDocumentsWithWord(index, exclusion);
    for (const document of documents ?? []) found.add(document.passages[0]!);
  }
  return found;
}

function findDocumentsWithPhrase(index: InvertedIndex, phrase: string): Set<IndexedDocument> | null {
  const pattern = buildPhrasePattern(phrase);
  if (!pattern) return null;
  const found = new Set<IndexedDocument>();
  for (const document of listPhraseCandidates(index, phrase)) {
    const { body, title, labels } = document.row;
    if ([body, title ?? '', labels].some((text) => pattern.test(fold(text)))) found.add(document);
  }
  return found;
}

/** The documents with the phrase's rarest word, or all documents when it consists of stop words. */
function listPhraseCandidates(index: InvertedIndex, phrase: string): Iterable<IndexedDocument> {
  let rarest: readonly number[] | null = null;
  for (const token of index.analyse(phrase)) {
    for (const stem of token.stems) {
      const postings = listPostings(index, stem);
      if (rarest === null || postings.length < rarest.length) rarest = postings;
    }
  }
  return rarest === null ? index.documents.values() : listPostingOwners(index, rarest);
}

/** The documents with every part of the word, and with its unbroken spelling where it has one. */
function findDocumentsWithWord(index: InvertedIndex, word: string): Set<IndexedDocument> {
  const terms = index.analyse(word).flatMap((token) => [...token.stems, ...token.wholes]);
  const [first, ...others] = terms.map((term) => listPostingOwners(index, listPostings(index, term)));
  return new Set([...(first ?? [])].filter((document) => others.every((found) => found.has(document))));
}

/** In scripts without spaces, also the documents with longer words that contain the word. */
function listPostings(index: InvertedIndex, term: string): readonly number[] {
  return listMatchingWords(index, term).flatMap((word) => index.words.get(word) ?? []);
}

function listPostingOwners(index: InvertedIndex, postings: readonly number[]): Set<IndexedDocument> {
  return new Set(
    postings.map((posting) => index.passages.owners[getPassage(posting)]).filter((owner) => owner != null),
  );
}

/** The runs of letters and digits of a phrase, which may have anything else between them; null when it has none. */
function buildPhrasePattern(phrase: string): RegExp | null {
  const runs = fold(phrase).match(/[\p{L}\p{N}\p{M}]+/gu);
  if (!runs) return null;
  const words = runs.join(String.raw`[^\p{L}\p{N}\p{M}]+`);
  const isSpaced = !hasUnspacedScript(phrase);
  return new RegExp(isSpaced ? String.raw`(?<![\p{L}\p{N}\p{M}])${words}(?![\p{L}\p{N}\p{M}])` : words, 'iu');
}
