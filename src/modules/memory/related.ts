import type { Search } from '#platform/search';
import type { NewMemory } from './store.ts';
import { stemsOf } from './topics.ts';

/** A memory is linked to those that share at least this part of its words, and at least two. */
const sharedPart = 0.3;
const fewestShared = 2;
const mostLinks = 5;

/** Ids of memories of the same brain that are about the same thing, best first. */
export async function relatedMemories(search: Search, memory: NewMemory): Promise<string[]> {
  const { hits } = await search.similar({
    workspaceId: memory.workspace_id,
    brainIds: [memory.brain_id],
    text: memory.content,
    limit: mostLinks,
  });
  const needed = Math.max(fewestShared, sharedPart * stemsOf(memory.content).size);
  return hits.filter((hit) => hit.kind === 'memory' && hit.why.terms.length >= needed).map((hit) => hit.id);
}
