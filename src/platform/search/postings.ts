// Which passages have a term, and how often: one plain array of small integers per term, the most compact form in V8.

const countBits = 7;
const highestCount = 2 ** countBits - 1;

/** Passage and count are packed in one small integer, which allows up to 16 million passages. Lists are unordered. */
export type Postings = Map<string, number[]>;

/** The passage of a posting. */
export function getPassage(posting: number): number {
  return posting >>> countBits;
}

/** How often the term appears in the posting's passage, at most 127. */
export function getCount(posting: number): number {
  return posting & highestCount;
}

/**
 * Counts a term in the passage being added; true: the term is new. All terms of a passage are added before the next
 * passage begins.
 */
export function addPosting(postings: Postings, term: string, passage: number, count = 1): boolean {
  const list = postings.get(term);
  if (!list) {
    postings.set(term, [(passage << countBits) + count]);
    return true;
  }
  const last = list[list.length - 1];
  if (last === undefined || getPassage(last) !== passage) list.push((passage << countBits) + count);
  else list[list.length - 1] = (passage << countBits) + Math.min(highestCount, getCount(last) + count);
  return false;
}

/**
 * Removes a passage from a term's list, and the term with its last passage; true: the term was removed. Does nothing
 * when the passage is not in the list.
 */
export function removePosting(postings: Postings, term: string, passage: number): boolean {
  const list = postings.get(term);
  if (!list) return false;
  let at = list.length - 1;
  while (at >= 0 && getPassage(list[at] ?? 0) !== passage) at -= 1;
  if (at < 0) return false;
  const last = list.pop();
  if (at < list.length && last !== undefined) list[at] = last;
  if (list.length > 0) return false;
  postings.delete(term);
  return true;
}
