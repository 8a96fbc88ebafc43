// Finds the files of pages that contain the words of a search.
import type { Db } from '#kernel/database';
import type { AnalyseText } from '#platform/search';
import { extractExcerpt } from './excerpt.ts';
import { findAttachedWords } from './store/find-attached-words.ts';
import type { Page } from './store/read.ts';

type FoundIn = { attachment_id: string; filename: string; excerpt: string };

const mostTerms = 20;

/** By page: the files with some of the terms, and the part of each around them. */
export async function findWordsInFiles(
  db: Db,
  pages: readonly Page[],
  terms: readonly string[],
  analyse: AnalyseText,
): Promise<ReadonlyMap<string, FoundIn[]>> {
  const withText = pages.filter((page) => page.has_attached_text).map(({ id }) => id);
  const stems = new Set(terms.slice(0, mostTerms).flatMap((term) => takeShortestStem(analyse(term))));
  const found = await findAttachedWords(db, withText, [...stems]);
  const byPage = new Map<string, FoundIn[]>();
  for (const { id, pageId, filename, around } of found) {
    const file = { attachment_id: id, filename, excerpt: extractExcerpt(around, terms, analyse) };
    byPage.set(pageId, [...(byPage.get(pageId) ?? []), file]);
  }
  return byPage;
}

/** The common beginning of the word's other forms. */
function takeShortestStem(tokens: ReturnType<AnalyseText>): string[] {
  const stems = tokens.flatMap((token) => token.stems).toSorted((one, other) => one.length - other.length);
  return stems.slice(0, 1);
}
