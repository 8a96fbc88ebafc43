// The index of one brain: postings of own words, postings of attributes, and the threads that give a turn its neighbours.
// Neighbours' words are not stored but added when a query is ranked, so a new turn changes only its own postings.
import { attributeCounts, attributeUnit, createDateWords, neighboursOf } from './context.ts';
import { claimPassages, createPassageTable, recordContext, releasePassages } from './passage-table.ts';
import type { Passaged, PassageTable } from './passage-table.ts';
import { countStems, splitPassages } from './passages.ts';
import { addPosting, removePosting } from './postings.ts';
import type { Postings } from './postings.ts';
import type { Searchable } from './searchable.ts';
import { joinThread, leaveThread } from './threads.ts';
import { createAnalyser } from './tokens.ts';
import type { Analyse, Token } from './tokens.ts';

export type IndexedDocument = Passaged & {
  readonly id: string;
  readonly row: Searchable;
  readonly position: number;
  previous: IndexedDocument | null;
  next: IndexedDocument | null;
};

export type InvertedIndex = {
  readonly analyse: Analyse;
  readonly dateWords: (date: Date) => string;
  readonly documents: Map<string, IndexedDocument>;
  readonly threads: Map<string, IndexedDocument[]>;
  /** Words of titles, labels and bodies. */
  readonly words: Postings;
  /** Words of author and date, counted in `attributeUnit`s. */
  readonly attributes: Postings;
  readonly passages: PassageTable<IndexedDocument>;
  /** An estimate of the memory it takes. */
  bytes: number;
};

/** An empty index for texts in one language. */
export function createIndex(language = 'en'): InvertedIndex {
  return {
    analyse: createAnalyser(language),
    dateWords: createDateWords(language),
    documents: new Map(),
    threads: new Map(),
    words: new Map(),
    attributes: new Map(),
    passages: createPassageTable(),
    bytes: 0,
  };
}

/** Adds a row, or replaces the one of the same id. */
export function putDocument(index: InvertedIndex, row: Searchable): void {
  const before = index.documents.get(row.id);
  if (before?.row.changedXact === row.changedXact) return;
  removeDocument(index, row.id);
  const passages = passagesOf(index, row);
  const passageLengths = passages.map(countStems);
  const attributes = attributesOf(index, row);
  const document: IndexedDocument = {
    id: row.id,
    position: row.threadPosition,
    previous: null,
    next: null,
    row,
    passages: claimPassages(index.passages, passages.length),
    passageLengths,
    length: passageLengths.reduce((sum, length) => sum + length, 0),
    attributeLength: attributes.reduce((sum, { count }) => sum + count, 0) * attributeUnit,
  };
  passages.forEach((tokens, at) => addPassage(index, document, document.passages[at]!, tokens, attributes));
  index.documents.set(row.id, document);
  if (row.threadId !== null) joinThread(threadOf(index, row.threadId), document);
  for (const changed of [document, ...neighboursOf(document).map((near) => near.neighbour)])
    recordContext(index.passages, changed);
  index.bytes += bytesOf(row);
}

/** Takes a document out and leaves nothing of it. Does nothing for an unknown id. */
export function removeDocument(index: InvertedIndex, id: string): void {
  const document = index.documents.get(id);
  if (!document) return;
  const { row } = document;
  const attributes = attributesOf(index, row);
  passagesOf(index, row).forEach((tokens, at) => removePassage(index, document.passages[at]!, tokens, attributes));
  index.documents.delete(id);
  const neighbours = neighboursOf(document);
  if (row.threadId !== null) {
    const thread = threadOf(index, row.threadId);
    leaveThread(thread, document);
    if (thread.length === 0) index.threads.delete(row.threadId);
  }
  releasePassages(index.passages, document.passages);
  for (const { neighbour } of neighbours) recordContext(index.passages, neighbour);
  index.bytes -= bytesOf(row);
}

type Attribute = { readonly term: string; readonly count: number };

function addPassage(
  index: InvertedIndex,
  document: IndexedDocument,
  passage: number,
  tokens: readonly Token[],
  attributes: readonly Attribute[],
): void {
  for (const token of tokens) {
    for (const stem of token.stems) addPosting(index.words, stem, passage);
    for (const whole of token.wholes) addPosting(index.words, whole, passage);
  }
  for (const { term, count } of attributes) addPosting(index.attributes, term, passage, count);
  index.passages.owners[passage] = document;
}

function removePassage(
  index: InvertedIndex,
  passage: number,
  tokens: readonly Token[],
  attributes: readonly Attribute[],
): void {
  const terms = new Set(tokens.flatMap((token) => [...token.stems, ...token.wholes]));
  for (const term of terms) removePosting(index.words, term, passage);
  for (const { term } of attributes) removePosting(index.attributes, term, passage);
}

/** Title and labels stand at the head of every passage, since each is a part of what they name. */
function passagesOf(index: InvertedIndex, row: Searchable): Token[][] {
  const head = index.analyse(`${row.title ?? ''}\n${row.labels}`);
  return splitPassages(index.analyse(row.body)).map((passage) => [...head, ...passage]);
}

function attributesOf(index: InvertedIndex, row: Searchable): Attribute[] {
  const of = (text: string, count: number) =>
    index.analyse(text).flatMap((token) => [...token.stems, ...token.wholes].map((term) => ({ term, count })));
  return [
    ...of(row.author ?? '', attributeCounts.author),
    ...of(index.dateWords(row.occurredAt), attributeCounts.date),
  ];
}

function threadOf(index: InvertedIndex, threadId: string): IndexedDocument[] {
  const known = index.threads.get(threadId);
  if (known) return known;
  const thread: IndexedDocument[] = [];
  index.threads.set(threadId, thread);
  return thread;
}

/** Measured: a row costs about 600 bytes, and each character of it about 3, its share of the postings included. */
function bytesOf(row: Searchable): number {
  return 600 + 3 * (row.body.length + row.labels.length + (row.title?.length ?? 0));
}
