import { defineModule } from '#kernel/module';
import { meaningOfServer } from '#modules/meaning';
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
import { gatheringRound } from './gathering.ts';
import { memoryResource, mergeResource, sessionResource } from './ids.ts';
import { linkingJob } from './link-later.ts';
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
import { recallsOf } from './recall-record.ts';
import type { FindDocuments } from './beside.ts';
import { portableMemory } from './portable.ts';
import { memoryContents, sessionContents } from './store/contents.ts';
import { tendMemories } from './tending.ts';

/** The functions that memory needs of modules above it: documents are found beside memories. */
type Above = { findDocumentsOf: (ground: Ground) => FindDocuments };

/** Memories of agents and people. */
export const memoryModule = ({ findDocumentsOf }: Above) =>
  defineModule<Ground>({
    name: 'memory',
    resources: [memoryResource, sessionResource, mergeResource],
    events: [memoryStored, memoryArchived, memoriesRestored, memoriesMerged, memoryCorrected, memoryMoved],
    contents: [sessionContents, memoryContents],
    portable: portableMemory,
    tidy: tendMemories,
    operations(ground) {
      const {
        search,
        jobs,
        config: { publicUrl },
      } = ground;
      const recalls = recallsOf(ground);
      return [
        loadBrain(publicUrl, recalls),
        addMemory(search, recalls, jobs),
        searchMemory({ search, meaningOf: meaningOfServer(ground), recalls, findDocuments: findDocumentsOf(ground) }),
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
      jobs: [linkingJob(ground)],
      eachMinute: [gatheringRound({ transactions: ground.transactions, now, newId })],
      background: [{ [Symbol.asyncDispose]: recallsOf(ground).close }],
    }),
  });
