import type { Token } from './tokens.ts';

/** The most stems of a passage. A longer document is found by its best passage. */
export const passageStems = 64;

/** Cuts a document into the fewest passages of at most 64 stems, of nearly equal length. An empty document is one passage. */
export function splitPassages(tokens: readonly Token[]): (readonly Token[])[] {
  const total = countStems(tokens);
  if (total <= passageStems) return [tokens];
  const size = Math.ceil(total / Math.ceil(total / passageStems));
  const passages: Token[][] = [[]];
  let filled = 0;
  for (const token of tokens) {
    if (filled > 0 && filled + token.stems.length > size) {
      passages.push([]);
      filled = 0;
    }
    passages.at(-1)?.push(token);
    filled += token.stems.length;
  }
  return passages;
}

/** The length of a text in stems. */
export function countStems(tokens: readonly Token[]): number {
  let count = 0;
  for (const token of tokens) count += token.stems.length;
  return count;
}
