// The words of passages in both directions: which passages have a word, and which words a passage has.
import { mostTermsOfRow } from './row-passages.ts';
import type { AnalyseText } from './tokens.ts';
import type { WordParts } from './word-parts.ts';

/** A passage as the database has it. `title`: of its document. */
export type PassageRow = {
  readonly documentId: string;
  readonly constellationId: string;
  readonly title: string;
  readonly text: string;
  readonly position: number;
  readonly lineStart: number;
  readonly lineEnd: number;
};

export type Passage = Omit<PassageRow, 'text' | 'title'> & {
  readonly terms: Int32Array;
  readonly counts: Uint16Array;
  readonly length: number;
};

const bytesPerPosting = 14;
const bytesPerPassage = 320;

export type PassagePostings = {
  readonly passages: (Passage | null)[];
  /** Term → passages and counts, alternating. */
  readonly postings: number[][];
  /** How many passages have a term. */
  readonly frequencies: number[];
  readonly ofDocument: Map<string, number[]>;
  readonly ofConstellation: Map<string, number[]>;
  readonly numbers: Map<string, number>;
  /** Parts of words in scripts without spaces; null until a query needs them. */
  parts: WordParts | null;
  live: number;
  totalLength: number;
  postingCount: number;
};

export function createPostings(): PassagePostings {
  const columns = { passages: [], postings: [], frequencies: [], numbers: new Map(), parts: null };
  return { ...columns, ofDocument: new Map(), ofConstellation: new Map(), live: 0, totalLength: 0, postingCount: 0 };
}

/** An estimate of their memory. */
export function measurePostings({ postingCount, passages }: PassagePostings): number {
  return postingCount * bytesPerPosting + passages.length * bytesPerPassage;
}

/** Adds a passage by the words of its text and of its document's title. */
export function addPassage(index: PassagePostings, analyse: AnalyseText, row: PassageRow): void {
  const counted = new Map<number, number>();
  let length = 0;
  for (const text of [row.title, row.text])
    for (const { stems, wholes } of analyse(text, mostTermsOfRow)) {
      length += stems.length;
      for (const stem of [...stems, ...wholes]) {
        const term = getTermNumber(index, stem);
        counted.set(term, (counted.get(term) ?? 0) + 1);
      }
    }
  const terms = Int32Array.from(counted.keys());
  const counts = Uint16Array.from([...counted.values()].map((count) => Math.min(count, 65_535)));
  const { documentId, constellationId, position, lineStart, lineEnd } = row;
  const place = { documentId, constellationId, position, lineStart, lineEnd };
  const number = index.passages.push({ ...place, terms, counts, length }) - 1;
  terms.forEach((term, at) => {
    index.postings[term]!.push(number, counts[at]!);
    index.frequencies[term]! += 1;
  });
  note(index.ofDocument, documentId, number);
  note(index.ofConstellation, constellationId, number);
  index.live += 1;
  index.totalLength += length;
  index.postingCount += terms.length;
}

function note(numbers: Map<string, number[]>, id: string, number: number): void {
  const known = numbers.get(id);
  if (known) known.push(number);
  else numbers.set(id, [number]);
}

/** Removes the passages of a document, if it has any here. */
export function removeDocument(index: PassagePostings, documentId: string): void {
  for (const number of index.ofDocument.get(documentId) ?? []) {
    const passage = index.passages[number]!;
    for (const term of passage.terms) index.frequencies[term]! -= 1;
    index.totalLength -= passage.length;
    index.live -= 1;
    index.ofConstellation.delete(passage.constellationId);
    index.passages[number] = null;
  }
  index.ofDocument.delete(documentId);
}

/** Whether most of it belongs to deleted documents, so that it should be read again. */
export function isWorn({ passages, live }: PassagePostings): boolean {
  return passages.length > 1_000 && live < passages.length / 2;
}

/** The number of a term; a new term gets one. */
export function getTermNumber({ numbers, postings, frequencies, parts }: PassagePostings, stem: string): number {
  const known = numbers.get(stem);
  if (known !== undefined) return known;
  const number = postings.push([]) - 1;
  frequencies.push(0);
  numbers.set(stem, number);
  parts?.add(stem);
  return number;
}
