import type { MeaningOf } from '#platform/embeddings';
import type { Search } from '#platform/search';
import { addMemoriesBulk } from './operations/add-memories-bulk.ts';
import { addMemory } from './operations/add-memory.ts';
import { archiveMemory } from './operations/archive-memory.ts';
import { linkMemories } from './operations/link-memories.ts';
import { listMemories } from './operations/list-memories.ts';
import { loadBrain } from './operations/load-brain.ts';
import { logSession } from './operations/log-session.ts';
import { searchMemory } from './operations/search-memory.ts';

export { countLiveMemories, memoryContents, sessionContents } from './store/contents.ts';
export { memoryResource, sessionResource } from './ids.ts';

type Doors = { search: Search; meaningOf: MeaningOf | null; publicUrl: string };

/** What callers can do with memories and sessions. */
export function memoryOperations({ search, meaningOf, publicUrl }: Doors) {
  return [
    loadBrain(publicUrl),
    addMemory(search),
    searchMemory(search, meaningOf),
    listMemories,
    addMemoriesBulk,
    archiveMemory,
    linkMemories,
    logSession,
  ];
}
