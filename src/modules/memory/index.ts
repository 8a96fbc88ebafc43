import type { MeaningOf } from '#platform/embeddings';
import type { Jobs } from '#platform/jobs';
import type { Search } from '#platform/search';
import { defineLinking } from './link-later.ts';
import { addMemoriesBulk } from './operations/add-memories-bulk.ts';
import { addMemory } from './operations/add-memory.ts';
import { archiveMemory } from './operations/archive-memory.ts';
import { dismissDuplicate } from './operations/dismiss-duplicate.ts';
import { getMemoryGraph } from './operations/get-memory-graph.ts';
import { getMemory } from './operations/get-memory.ts';
import { linkMemories } from './operations/link-memories.ts';
import { listConstellations } from './operations/list-constellations.ts';
import { listDuplicates } from './operations/list-duplicates.ts';
import { listMemories } from './operations/list-memories.ts';
import { loadBrain } from './operations/load-brain.ts';
import { logSession } from './operations/log-session.ts';
import { mergeMemories } from './operations/merge-memories.ts';
import { moveMemory } from './operations/move-memory.ts';
import { restoreMemory } from './operations/restore-memory.ts';
import { searchMemory } from './operations/search-memory.ts';
import { undoDismissal } from './operations/undo-dismissal.ts';
import { undoMerge } from './operations/undo-merge.ts';
import { unlinkMemories } from './operations/unlink-memories.ts';
import { updateMemory } from './operations/update-memory.ts';
import type { RecallRecord } from './recall-record.ts';

export { gatherStale } from './gathering.ts';
export { memoryResource, mergeResource, sessionResource } from './ids.ts';
export { linkOrigins, memoryOutput, memoryTypes } from './memory-fields.ts';
export { listByType, presentMemories } from './present.ts';
export { createRecallRecord, type RecallRecord } from './recall-record.ts';
export { listConstellations as findConstellations } from './store/constellations.ts';
export { countLiveMemories, memoryContents, sessionContents } from './store/contents.ts';
export { findRecalls } from './store/recalls.ts';
export {
  countArchived,
  countByBrain,
  countDays,
  countRecalls,
  countStored,
  listConflicts as findConflicts,
  listContributors,
  listPressing as findPressing,
  listRecalled as findMostRecalled,
  type Conflict as FoundConflict,
} from './store/statistics.ts';
export { tendMemories } from './tending.ts';

type Doors = {
  search: Search;
  meaningOf: MeaningOf | null;
  jobs: Jobs;
  recalls: RecallRecord;
  publicUrl: string;
};

/** What callers can do with memories and sessions. */
export function memoryOperations({ search, meaningOf, jobs, recalls, publicUrl }: Doors) {
  return [
    loadBrain(publicUrl, recalls),
    addMemory(search, recalls),
    searchMemory(search, meaningOf, recalls),
    listMemories,
    addMemoriesBulk(jobs),
    archiveMemory,
    restoreMemory,
    linkMemories,
    unlinkMemories,
    getMemory(recalls),
    updateMemory(jobs),
    moveMemory,
    listDuplicates,
    mergeMemories,
    undoMerge,
    dismissDuplicate,
    undoDismissal,
    listConstellations,
    getMemoryGraph,
    logSession,
  ];
}

/** What is done with memories after they were stored. */
export const defineMemoryJobs = defineLinking;
