import { defineModule } from '#kernel/module';
import { getFindMeaning } from '#modules/meaning';
import type { Ground } from '#platform';
import { newId, now } from '#platform/clock';
import {
  memoriesMerged,
  memoriesRestored,
  memoryArchived,
  memoryCorrected,
  memoryMoved,
  memoryStored,
} from './events.ts';
import { createGatheringRound } from './constellations/gathering.ts';
import { memoryResource, mergeResource, sessionResource } from './ids.ts';
import { createLinkingJob } from './linking/link-later.ts';
import { addMemoriesBulk } from './operations/add-memories-bulk.ts';
import { addMemory } from './operations/add-memory.ts';
import { archiveMemory } from './operations/archive-memory.ts';
import { dismissContradiction } from './operations/dismiss-contradiction.ts';
import { dismissDuplicate } from './operations/dismiss-duplicate.ts';
import { getMemoryGraph } from './operations/get-memory-graph.ts';
import { getMemory } from './operations/get-memory.ts';
import { linkMemories } from './operations/link-memories.ts';
import { listConstellations } from './operations/list-constellations.ts';
import { listContradictions } from './operations/list-contradictions.ts';
import { listDuplicates } from './operations/list-duplicates.ts';
import { listMemories } from './operations/list-memories.ts';
import { loadBrain } from './operations/load-brain.ts';
import { logSession } from './operations/log-session.ts';
import { mergeMemories } from './operations/merge-memories.ts';
import { moveMemory } from './operations/move-memory.ts';
import { restoreMemory } from './operations/restore-memory.ts';
import { searchMemory } from './operations/search-memory.ts';
import { undoContradictionDismissal } from './operations/undo-contradiction-dismissal.ts';
import { undoDismissal } from './operations/undo-dismissal.ts';
import { undoMerge } from './operations/undo-merge.ts';
import { unlinkMemories } from './operations/unlink-memories.ts';
import { updateMemory } from './operations/update-memory.ts';
import { getRecallRecord } from './recalling/recall-record.ts';
import type { FindDocuments } from './recalling/merge-hits.ts';
import { portableMemory } from './portable.ts';
import { memoryContents, sessionContents } from './store/contents.ts';
import { maintainMemories } from './maintain-memories.ts';

/** The functions that memory needs from modules above it, with which documents are found beside memories. */
type MemoryDependencies = { getFindDocuments: (ground: Ground) => FindDocuments };

/** Memories of agents and people. */
export const createMemoryModule = ({ getFindDocuments }: MemoryDependencies) =>
  defineModule<Ground>({
    name: 'memory',
    resources: [memoryResource, sessionResource, mergeResource],
    events: [memoryStored, memoryArchived, memoriesRestored, memoriesMerged, memoryCorrected, memoryMoved],
    contents: [sessionContents, memoryContents],
    portable: portableMemory,
    tidy: maintainMemories,
    operations(ground) {
      const {
        search,
        jobs,
        config: { publicUrl },
      } = ground;
      const recalls = getRecallRecord(ground);
      return [
        loadBrain(publicUrl, recalls),
        addMemory(search, recalls, jobs),
        searchMemory({ search, meaningOf: getFindMeaning(ground), recalls, findDocuments: getFindDocuments(ground) }),
        listMemories,
        addMemoriesBulk(jobs),
        archiveMemory,
        restoreMemory,
        linkMemories,
        unlinkMemories,
        getMemory,
        updateMemory(jobs),
        moveMemory,
        listDuplicates,
        mergeMemories,
        undoMerge,
        dismissDuplicate,
        undoDismissal,
        listContradictions,
        dismissContradiction,
        undoContradictionDismissal,
        listConstellations,
        getMemoryGraph,
        logSession,
      ];
    },
    work: (ground) => ({
      jobs: [createLinkingJob(ground)],
      eachMinute: [createGatheringRound({ transactions: ground.transactions, now, newId })],
      background: [{ [Symbol.asyncDispose]: getRecallRecord(ground).close }],
    }),
  });
