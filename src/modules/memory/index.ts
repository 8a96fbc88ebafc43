export { lockIncoming, incomingActions, keepIncoming, type IncomingMemory, type IncomingOutcome } from './incoming.ts';
export { memoryOutput, memoryTypes } from './memory-fields.ts';
export {
  memoriesMerged,
  memoriesRestored,
  memoryArchived,
  memoryCorrected,
  memoryMoved,
  memoryStored,
} from './events.ts';
export { createMemoryModule } from './module.ts';
export { memoryTarget } from './portable.ts';
export { moveTo as moveMemory } from './moving.ts';
export { listStemsInLanguage } from './routing.ts';
export { extractTopics } from './topics.ts';
export { listByType, presentMemories } from './present.ts';
export { type RecallRecord } from './recall-record.ts';
export { listConstellations as findConstellations } from './store/constellations.ts';
export { countLiveMemories } from './store/contents.ts';
export { conflict, listPresentedConflicts } from './conflicts.ts';
export { findRecalls } from './store/recalls.ts';
export {
  countArchived,
  countByBrain,
  countDays,
  countRecalls,
  countStored,
  listContributors,
  listPressing as findPressing,
  listRecalled as findMostRecalled,
} from './store/statistics.ts';
