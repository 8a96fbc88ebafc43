import type { SearchHit } from '#platform/search';
import type { LinkType } from '../memory-fields.ts';
import { presentMemory } from './present.ts';
import type { Memory } from '../store/memories.ts';
import { findFiredTrigger } from './triggered.ts';

type Connection = { source_memory_id: string; target_memory_id: string; relationship_type: LinkType };
type HitContext = { connections: readonly Connection[]; firing: ReadonlyMap<string, number> };

/** Memories as hits of a search, each with the reason why it was found. */
export function presentHits(
  memories: readonly Memory[],
  found: readonly SearchHit[],
  { connections, firing }: HitContext,
) {
  const hits = new Map(found.map((hit) => [hit.id, hit]));
  return memories.map((memory) => {
    const { score = 0, similarity = null, why, isTruncated = false } = hits.get(memory.id) ?? {};
    const linked = connections.flatMap(({ source_memory_id: from, target_memory_id: to, relationship_type }) => {
      const other = from === memory.id ? to : to === memory.id ? from : null;
      return other !== null && hits.has(other) ? [{ memory_id: other, relationship_type }] : [];
    });
    return {
      ...presentMemory(memory),
      relevance_score: score,
      semantic_similarity: similarity,
      why: { terms: why?.terms ?? [], fields: why?.fields ?? [], context: why?.nearby ?? [], links: linked },
      fired: findFiredTrigger(memory, firing),
      ...(isTruncated && { truncated: true }),
    };
  });
}
