// The columns that ranking reads for every posting, as typed arrays by passage number.
import { listNeighbors, computeNeighborWeight } from './context.ts';
import type { Turn } from './threads.ts';

/** How many documents use a turn's words at most: the two before it and the two after. */
export const mostBorrowers = 4;
/** Represents no passage. */
export const none = -1;

export type PassageTable<T> = {
  /** Passage → its document; null where the number is free. */
  readonly owners: (T | null)[];
  readonly free: number[];
  /** Passage → the length of its bag: own words, and the weighted words of neighbours, author and date. */
  bagLengths: Float64Array;
  /** Passage → the first passage of its document. */
  firsts: Int32Array;
  /** Passage → the facet of its document, by its number. */
  facets: Int32Array;
  /** Passage → when its document occurred, in ms since 1970. */
  times: Float64Array;
  /** Passage → the next passage of the same document, or `none`. */
  siblings: Int32Array;
  /** Passage × `mostBorrowers` → the first passage of a document that uses its words, or `none`. */
  borrowers: Int32Array;
  /** The weight of each of these words. */
  lentWeights: Float32Array;
  count: number;
  totalLength: number;
};

/** The data about a document that the table needs. */
export type PassageOwner = {
  readonly passages: readonly number[];
  /** The length of each passage in stems. */
  readonly passageLengths: readonly number[];
  /** The sum of these lengths. */
  readonly length: number;
  /** How much author and date add to the length of each bag. */
  readonly attributeLength: number;
};

/** A table without passages. */
export function createPassageTable<T>(): PassageTable<T> {
  const table = { owners: [], free: [], count: 0, totalLength: 0 };
  return { ...table, ...createColumns(256) };
}

/** Assigns numbers to the passages of a new document. */
export function claimPassages(
  table: PassageTable<unknown>,
  { wanted, facet, time }: { wanted: number; facet: number; time: number },
): number[] {
  const claimed: number[] = [];
  for (let at = 0; at < wanted; at += 1) claimed.push(table.free.pop() ?? table.owners.push(null) - 1);
  if (table.owners.length > table.bagLengths.length) grow(table);
  claimed.forEach((passage, at) => {
    table.bagLengths[passage] = 0;
    table.firsts[passage] = claimed[0]!;
    table.facets[passage] = facet;
    table.times[passage] = time;
    table.siblings[passage] = claimed[at + 1] ?? none;
  });
  table.count += wanted;
  return claimed;
}

/** Frees the numbers of a document. */
export function releasePassages(table: PassageTable<unknown>, passages: readonly number[]): void {
  for (const passage of passages) {
    table.owners[passage] = null;
    table.totalLength -= table.bagLengths[passage]!;
    table.free.push(passage);
  }
  table.count -= passages.length;
}

/**
 * Updates which neighbours' words a turn uses. Call it for the turn and all its neighbours when one of them changes.
 */
export function recordContext<T extends Turn<T> & PassageOwner>(table: PassageTable<T>, turn: T): void {
  let around = turn.attributeLength;
  const borrowers: { passage: number; weight: number }[] = [];
  for (const { neighbour, distance } of listNeighbors(turn)) {
    if (neighbour.length > 0)
      around += neighbour.length * computeNeighborWeight(distance, turn.length, neighbour.length);
    if (turn.length === 0) continue;
    borrowers.push({
      passage: neighbour.passages[0]!,
      weight: computeNeighborWeight(distance, neighbour.length, turn.length),
    });
  }
  turn.passages.forEach((passage, at) => {
    // Sixteenths keep the total exact, however often lengths are added and removed.
    const length = Math.round((turn.passageLengths[at]! + around) * 16) / 16;
    table.totalLength += length - table.bagLengths[passage]!;
    table.bagLengths[passage] = length;
    for (let place = 0; place < mostBorrowers; place += 1) {
      table.borrowers[passage * mostBorrowers + place] = borrowers[place]?.passage ?? none;
      table.lentWeights[passage * mostBorrowers + place] = borrowers[place]?.weight ?? 0;
    }
  });
}

function createColumns(passages: number) {
  return {
    bagLengths: new Float64Array(passages),
    firsts: new Int32Array(passages),
    facets: new Int32Array(passages),
    times: new Float64Array(passages),
    siblings: new Int32Array(passages),
    borrowers: new Int32Array(passages * mostBorrowers),
    lentWeights: new Float32Array(passages * mostBorrowers),
  };
}

function grow(table: PassageTable<unknown>): void {
  const columns = createColumns(2 ** Math.ceil(Math.log2(table.owners.length)));
  columns.bagLengths.set(table.bagLengths);
  columns.firsts.set(table.firsts);
  columns.facets.set(table.facets);
  columns.times.set(table.times);
  columns.siblings.set(table.siblings);
  columns.borrowers.set(table.borrowers);
  columns.lentWeights.set(table.lentWeights);
  Object.assign(table, columns);
}
