import type { IndexedDocument, InvertedIndex } from './inverted-index.ts';

/** Only the beginning of a long text is read. */
const readCharacters = 2_000;

/**
 * The bonus of a document whose words follow each other as in the query, at most one word apart: for each such pair,
 * the rarity of its more frequent word. The index stores no positions, so the text itself is read.
 */
export function computeAdjacencyBonus(
  index: InvertedIndex,
  { row }: IndexedDocument,
  pairs: readonly (readonly [string, string])[],
  rarities: ReadonlyMap<string, number>,
): number {
  const text = `${row.title ?? ''}\n${row.body.slice(0, readCharacters)}`;
  const stems = index.analyse(text).flatMap((token) => token.stems);
  const has = (first: string, second: string) =>
    stems.some((stem, at) => stem === first && (stems[at + 1] === second || stems[at + 2] === second));
  let gained = 0;
  for (const [first, second] of pairs) {
    if (has(first, second)) gained += Math.min(rarities.get(first) ?? 0, rarities.get(second) ?? 0);
  }
  return gained;
}
