// The index of one brain: postings of its own words, postings of attributes, and the threads with the neighbours of
// turns. Neighbours' words are not stored but added during ranking, so a new turn changes only its own postings.
import { createAttributeTable, leaveGroup } from './attributes.ts';
import type { AttributeGroup, AttributeTable } from './attributes.ts';
import { listNeighbors } from './context.ts';
import { createFacetTable, getFacetNumber } from './facets.ts';
import type { FacetTable } from './facets.ts';
import { claimPassages, createPassageTable, recordContext, releasePassages } from './passage-table.ts';
import type { PassageOwner, PassageTable } from './passage-table.ts';
import { countStems } from './passages.ts';
import { noGuard, type RowGuard } from './row-guard.ts';
import { splitRowPassages } from './row-passages.ts';
import { addPosting, removePosting } from './postings.ts';
import type { Postings } from './postings.ts';
import type { Searchable } from './searchable.ts';
import { joinThread, leaveThread } from './threads.ts';
import { createAnalyser } from './tokens.ts';
import type { AnalyseText, Token } from './tokens.ts';
import type { WordParts } from './word-parts.ts';

export type IndexedDocument = PassageOwner & {
  readonly id: string;
  readonly row: Searchable;
  /** Whether the text is longer than what is indexed of one row. */
  readonly isTruncated: boolean;
  readonly position: number;
  readonly groups: readonly AttributeGroup[];
  previous: IndexedDocument | null;
  next: IndexedDocument | null;
  /** Whether its context has changed and is not recorded yet. */
  isStale: boolean;
};

export type InvertedIndex = {
  readonly language: string;
  readonly analyse: AnalyseText;
  readonly documents: Map<string, IndexedDocument>;
  readonly threads: Map<string, IndexedDocument[]>;
  /** Words of titles, labels and bodies. */
  readonly words: Postings;
  /** Parts of words in scripts without spaces; null until a query needs them. */
  parts: WordParts | null;
  /** Terms that stand for words which texts split, kept until the index changes; true: some text has such a word. */
  readonly splitWords: Map<string, boolean>;
  /** Words of authors and dates. */
  readonly attributes: AttributeTable;
  readonly passages: PassageTable<IndexedDocument>;
  readonly facets: FacetTable;
  /** In how many bags terms appear, for terms that were requested since the last change. */
  readonly bagCounts: Map<string, number>;
  /** An estimate of its memory, without its facets. */
  bytes: number;
};

/** An empty index for texts in one language. */
export function createIndex(language = 'en'): InvertedIndex {
  const analyse = createAnalyser(language);
  return {
    language,
    analyse,
    documents: new Map(),
    threads: new Map(),
    words: new Map(),
    parts: null,
    splitWords: new Map(),
    attributes: createAttributeTable(analyse, language),
    passages: createPassageTable(),
    facets: createFacetTable(),
    bagCounts: new Map(),
    bytes: 0,
  };
}

/** Adds rows, or replaces rows with the same ids. A skipped row cannot be found. */
export function putDocuments(index: InvertedIndex, rows: readonly Searchable[], guard: RowGuard = noGuard): void {
  const stale: IndexedDocument[] = [];
  for (const row of rows) {
    const before = index.documents.get(row.id);
    if (before?.row.changedXact === row.changedXact) continue;
    // The same row with other content has another key.
    const key = `${row.id} ${row.changedXact}`;
    guard.begin(key);
    if (before) takeOut(index, before, stale);
    if (!guard.isSkipped(key)) putDocument(index, row, stale);
  }
  guard.end();
  refresh(index, stale);
}

/** Removes a document completely. Does nothing for an unknown id. */
export function removeDocument(index: InvertedIndex, id: string): void {
  const document = index.documents.get(id);
  if (!document) return;
  const stale: IndexedDocument[] = [];
  takeOut(index, document, stale);
  refresh(index, stale);
}

/** Records the changed context of documents, unless they have been removed meanwhile. */
function refresh({ passages }: InvertedIndex, stale: readonly IndexedDocument[]): void {
  for (const document of stale) {
    document.isStale = false;
    if (passages.owners[document.passages[0]!] === document) recordContext(passages, document);
  }
}

/** Once is enough, however many of its neighbours change. */
function markStale(stale: IndexedDocument[], document: IndexedDocument): void {
  if (document.isStale) return;
  document.isStale = true;
  stale.push(document);
}

/** Adds to `stale` the document and those whose context it changes. */
function putDocument(index: InvertedIndex, row: Searchable, stale: IndexedDocument[]): void {
  forgetCounts(index);
  const { passages, isTruncated } = splitRowPassages(index.analyse, row);
  const passageLengths = passages.map(countStems);
  const groups = index.attributes.listGroups(row);
  const facet = getFacetNumber(index.facets, row, index.analyse);
  const place = { wanted: passages.length, facet, time: row.occurredAt.getTime() };
  const document: IndexedDocument = {
    id: row.id,
    position: row.threadPosition,
    previous: null,
    next: null,
    isStale: false,
    row,
    isTruncated,
    passages: claimPassages(index.passages, place),
    passageLengths,
    length: passageLengths.reduce((sum, length) => sum + length, 0),
    groups,
    attributeLength: groups.reduce((sum, { length }) => sum + length, 0),
  };
  passages.forEach((tokens, at) => addPassage(index, document, document.passages[at]!, tokens));
  index.documents.set(row.id, document);
  index.bytes += estimateRowBytes(row);
  markStale(stale, document);
  if (row.threadId === null) return;
  joinThread(getThread(index, row.threadId), document);
  for (const { neighbour } of listNeighbors(document)) markStale(stale, neighbour);
}

function takeOut(index: InvertedIndex, document: IndexedDocument, stale: IndexedDocument[]): void {
  const { row } = document;
  forgetCounts(index);
  const { passages } = splitRowPassages(index.analyse, row);
  // The last first, because lists are searched from their end.
  for (let at = passages.length - 1; at >= 0; at -= 1)
    removePassage(index, document, document.passages[at]!, passages[at]!);
  index.documents.delete(row.id);
  if (row.threadId !== null) {
    for (const { neighbour } of listNeighbors(document)) markStale(stale, neighbour);
    const thread = getThread(index, row.threadId);
    leaveThread(thread, document);
    if (thread.length === 0) index.threads.delete(row.threadId);
  }
  releasePassages(index.passages, document.passages);
  index.bytes -= estimateRowBytes(row);
}

/** Counts and results for queries are valid until the next change. */
function forgetCounts(index: InvertedIndex): void {
  forgetSplitWords(index);
  index.bagCounts.clear();
}

/** Forgets which texts have words that they split. */
export function forgetSplitWords({ words, splitWords, bagCounts }: InvertedIndex): void {
  if (splitWords.size === 0) return;
  for (const term of splitWords.keys()) words.delete(term);
  splitWords.clear();
  bagCounts.clear();
}

function addPassage(index: InvertedIndex, document: IndexedDocument, passage: number, tokens: readonly Token[]): void {
  for (const token of tokens) {
    for (const stem of token.stems) if (addPosting(index.words, stem, passage)) index.parts?.add(stem);
    for (const whole of token.wholes) if (addPosting(index.words, whole, passage)) index.parts?.add(whole);
  }
  for (const { passages } of document.groups) passages.push(passage);
  index.passages.owners[passage] = document;
}

function removePassage(
  index: InvertedIndex,
  document: IndexedDocument,
  passage: number,
  tokens: readonly Token[],
): void {
  const terms = new Set(tokens.flatMap((token) => [...token.stems, ...token.wholes]));
  for (const term of terms) if (removePosting(index.words, term, passage)) index.parts?.remove(term);
  for (const group of document.groups) leaveGroup(index.attributes, group, passage);
}

function getThread(index: InvertedIndex, threadId: string): IndexedDocument[] {
  const known = index.threads.get(threadId);
  if (known) return known;
  const thread: IndexedDocument[] = [];
  index.threads.set(threadId, thread);
  return thread;
}

/** Measured: a row costs about 1,400 bytes, and each of its characters about 4, including its share of the postings. */
function estimateRowBytes(row: Searchable): number {
  return 1_400 + 4 * (row.body.length + row.labels.length + (row.title?.length ?? 0));
}
