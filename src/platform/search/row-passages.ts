// The passages of a row, up to a fixed number of terms. What is indexed of a text depends only on the text, so every
// process finds it by the same words, and no text takes longer than the longest indexed one.
import { passageStems, splitPassages } from './passages.ts';
import type { Searchable } from './searchable.ts';
import type { AnalyseText, Token } from './tokens.ts';

/** The most terms of a row's body, and of its title and labels, that are indexed: about 600,000 characters of prose. */
export const mostTermsOfRow = 100_000;

export type RowPassages = { readonly passages: (readonly Token[])[]; readonly isTruncated: boolean };

/** Every passage starts with title and labels, because each passage is a part of the named document. */
export function splitRowPassages(analyse: AnalyseText, { title, body, labels }: Searchable): RowPassages {
  const bodyTokens = analyse(body, mostTermsOfRow);
  const passages = splitPassages(bodyTokens);
  if (title === null && labels === '') return { passages, isTruncated: isFull(bodyTokens) };
  const head = analyse(`${title ?? ''}\n${labels}`, mostTermsOfRow);
  // The later passages together repeat only as many terms of the title and labels as the first has room for; otherwise
  // a long title would be indexed a thousand times.
  const repeated = takeFirstTokens(head, Math.max(passageStems, Math.floor(mostTermsOfRow / passages.length)));
  return {
    passages: passages.map((passage, at) => [...(at === 0 ? head : repeated), ...passage]),
    isTruncated: isFull(bodyTokens) || isFull(head),
  };
}

function isFull(tokens: readonly Token[]): boolean {
  return countTerms(tokens) >= mostTermsOfRow;
}

function countTerms(tokens: readonly Token[]): number {
  return tokens.reduce((sum, { stems, wholes }) => sum + stems.length + wholes.length, 0);
}

function takeFirstTokens(tokens: readonly Token[], mostTerms: number): readonly Token[] {
  let terms = 0;
  const end = tokens.findIndex(({ stems, wholes }) => (terms += stems.length + wholes.length) > mostTerms);
  return end < 0 ? tokens : tokens.slice(0, end);
}
