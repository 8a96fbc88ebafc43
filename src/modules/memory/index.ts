export {
  lockIncoming,
  incomingActions,
  keepIncoming,
  type IncomingMemory,
  type IncomingOutcome,
} from './storing/incoming.ts';
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
export { moveTo as moveMemory } from './storing/moving.ts';
export { listStemsInLanguage } from './storing/routing.ts';
export { extractTopics } from './rules/topics.ts';
export { listByType, presentMemories } from './recalling/present.ts';
export { type RecallRecord } from './recalling/recall-record.ts';
export { listConstellations as findConstellations } from './store/constellations.ts';
export { countLiveMemories } from './store/contents.ts';
export { conflict, listPresentedConflicts } from './linking/conflicts.ts';
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
