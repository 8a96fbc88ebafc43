import type { MemoryLink } from './curation-requests.ts';
import type { Relation } from './requests.ts';

/** Names of relations, from the start of the link and from its end. */
export const relationWords: Record<Relation, { forth: string; back: string }> = {
  relates_to: { forth: 'related to', back: 'related to' },
  depends_on: { forth: 'depends on', back: 'is needed by' },
  decided_because_of: { forth: 'decided because of', back: 'led to' },
  refines: { forth: 'refines', back: 'is refined by' },
  supersedes: { forth: 'replaces', back: 'is replaced by' },
  conflicts_with: { forth: 'contradicts', back: 'contradicts' },
};

/** The other end of a link, and the relation in words. */
export function linkSeenFrom(id: string, link: MemoryLink): { otherId: string; words: string } {
  const words = relationWords[link.relationship_type];
  return link.source_memory_id === id
    ? { otherId: link.target_memory_id, words: words.forth }
    : { otherId: link.source_memory_id, words: words.back };
}
