// Merges hits of documents and memories.
import type { Context } from '#kernel/context';
import type { QueryVector } from '#platform/embeddings';
import type { z } from 'zod';
import type { constellationType, documentSource } from '../memory-fields.ts';
import type { presentHits } from './hits.ts';

type MemoryHit = ReturnType<typeof presentHits>[number];

/** A hit of a document in answers. */
export type DocumentHit = Omit<MemoryHit, 'type'> & {
  type: typeof constellationType;
  document_source: z.input<typeof documentSource>;
};

type DocumentQuery = { text: string; brainIds: readonly string[]; since?: Date; until?: Date; meaning?: QueryVector };

/** Finds documents by their content, best first. `confidence`: that they answer the query, 0 to 1. */
export type FindDocuments = (
  ctx: Context,
  asked: DocumentQuery,
  most: number,
) => Promise<{ hits: readonly DocumentHit[]; total: number; confidence: number }>;

/**
 * A page of both, ordered by score; each list keeps its own order. Without documents, memories are already that page.
 */
export function mergeHits(
  memories: readonly MemoryHit[],
  { hits, total }: { hits: readonly DocumentHit[]; total: number },
  { offset, limit }: { offset: number; limit: number },
): (MemoryHit | DocumentHit)[] {
  if (!total) return [...memories];
  const all: (MemoryHit | DocumentHit)[] = [];
  let [memory, document] = [0, 0];
  while (all.length < offset + limit) {
    const [one, other] = [memories[memory], hits[document]];
    if (!one && !other) break;
    if (other && (!one || other.relevance_score > one.relevance_score)) all.push(hits[document++]!);
    else all.push(memories[memory++]!);
  }
  return all.slice(offset);
}
